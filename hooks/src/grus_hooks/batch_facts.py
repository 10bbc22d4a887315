"""What a batch looks like: sizes, ranges, NaN, labels and tokens. Tensors stay where they are; the figures are read
together with the rest of the observation.
"""

from __future__ import annotations

import torch

#: Larger tensors are looked at in an even sample of about this many elements.
most_elements = 1 << 20
most_leaves = 16
_labels = ("labels", "label", "targets", "target", "y", "labels_ids")
_tokens = ("input_ids", "tokens", "inputs", "x", "text", "src", "input")
_ignored = -100


def leaves(batch, name="", depth=0):
    """Named tensors of a nested batch, in order."""
    if isinstance(batch, torch.Tensor):
        return [(name or "0", batch)]
    if depth > 3:
        return []
    if isinstance(batch, dict) or (hasattr(batch, "keys") and hasattr(batch, "__getitem__")):
        items = [(str(key), batch[key]) for key in list(batch.keys())[:most_leaves]]
    elif isinstance(batch, (list, tuple)):
        items = [(str(index), item) for index, item in enumerate(batch[:most_leaves])]
    elif hasattr(batch, "__array__") and hasattr(batch, "dtype"):
        return leaves(torch.as_tensor(batch), name, depth)
    else:
        return []
    found = []
    for key, item in items:
        found += leaves(item, f"{name}.{key}" if name else key, depth + 1)
    return found[:most_leaves]


def shapes(named):
    return {
        f"batch.{name}": f"{str(tensor.dtype).replace('torch.', '')} {list(tensor.shape)}"
        for name, tensor in named
        if tensor.dim() > 0
    }


def sample(tensor):
    flat = tensor.detach().reshape(-1) if tensor.is_contiguous() else tensor.detach().flatten()
    size = flat.numel()
    return flat if size <= most_elements else flat[:: -(-size // most_elements)]


def split_roles(named, fractions=False):
    """(inputs, labels): which tensor is which, by name, else by order: inputs first, whole numbers behind them labels;
    with `fractions` also the second of two tensors, whatever its numbers."""
    inputs = labels = None
    for name, tensor in named:
        last = name.rsplit(".", 1)[-1].lower()
        if last in _labels and labels is None:
            labels = tensor
        elif last in _tokens and inputs is None:
            inputs = tensor
    if inputs is None:
        inputs = next((tensor for _, tensor in named if tensor is not labels and tensor.dim() > 0), None)
    if labels is None and inputs is not None:
        labels = next(
            (tensor for name, tensor in named if tensor is not inputs and is_whole(tensor) and "mask" not in name.lower()),
            None,
        )
    if labels is None and fractions and len(named) == 2 and inputs is named[0][1]:
        labels = named[1][1]
    return inputs, labels


def is_whole(tensor):
    return not tensor.is_floating_point() and not tensor.is_complex() and tensor.dtype != torch.bool


def figures(named):
    """(plain numbers, tensors to be read later) of a batch."""
    inputs, labels = split_roles(named)
    numbers, tensors = {}, {}
    if inputs is not None and inputs.numel() > 0:
        numbers["batch_size"] = int(inputs.shape[0]) if inputs.dim() > 0 else 1
        if inputs.is_floating_point():
            values = sample(inputs)
            tensors["input_min"], tensors["input_max"] = torch.aminmax(values)
            tensors["input_std"], tensors["input_mean"] = torch.std_mean(values.float(), correction=0)
            tensors["input_nan_fraction"] = _broken_share(values)
        elif is_whole(inputs) and inputs.dim() >= 2:
            numbers["sequence_length"] = int(inputs.shape[1])
            tensors["token_min"], tensors["token_max"] = torch.aminmax(sample(inputs))
    elif inputs is not None:
        numbers["batch_size"] = 0
    if labels is not None and labels.numel() > 0 and is_whole(labels):
        values = sample(labels)
        kept = values != _ignored
        tensors["ignored_target_fraction"] = 1 - kept.float().mean()
        high = values.max()
        tensors["label_max"] = torch.where(kept, values, values.min()).max()
        tensors["label_min"] = torch.where(kept, values, high).min()
    return numbers, tensors


def cleanliness(named):
    """The one figure of the inputs that cannot be had afterwards: how much of them is NaN or infinite."""
    inputs, _ = split_roles(named)
    if inputs is None or inputs.numel() == 0 or not inputs.is_floating_point():
        return {}
    return {"input_nan_fraction": _broken_share(sample(inputs))}


def _broken_share(values):
    return 1 - torch.isfinite(values).float().mean()
