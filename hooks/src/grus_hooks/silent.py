"""What tells silent failures apart: what one constant answer would lose, and which parameters the gradient reaches.

Everything stays on the device of the tensors, and nothing waits for it; the figures are read together with the rest.
"""

from __future__ import annotations

import torch

#: More classes or words than this are not counted.
most_outcomes = 1 << 18
#: Labels of one batch that are counted; of larger batches an even sample.
most_labels = 1 << 14
#: Layers whose units are looked at.
most_layers = 8
#: Units of one layer whose gradients differ by less than this share of their size are called alike.
alike = 1e-4


class LabelShares:
    """The labels seen so far: the share of the most frequent one, and the loss of answering their shares to every input.
    Of targets that are no classes: their variance, which is the squared error of answering their mean."""

    def __init__(self, outcomes):
        self.outcomes = outcomes
        self._counts = None
        self._moments = None

    def figures(self, labels):
        if labels.is_floating_point():
            return self._of_values(labels.detach())
        if self.outcomes is None or not 2 <= self.outcomes <= most_outcomes:
            return {}
        return self._of_classes(labels.detach().reshape(-1))

    def _of_classes(self, flat):
        flat = flat[:: max(1, -(-flat.numel() // most_labels))].long()
        if self._counts is None:
            self._counts = torch.zeros(self.outcomes, device=flat.device)
        # Ignored targets and labels out of range are counted with weight zero: leaving them out would wait for the device.
        inside = ((flat >= 0) & (flat < self.outcomes)).to(self._counts.dtype)
        self._counts.scatter_add_(0, flat.clamp(0, self.outcomes - 1), inside)
        shares = self._counts / self._counts.sum().clamp_min(1)
        return {"majority_share": shares.max(), "constant_loss": -torch.xlogy(shares, shares).sum()}

    def _of_values(self, values):
        rows = values.reshape(values.shape[0], -1).float() if values.dim() > 0 else values.reshape(1, 1).float()
        if rows.shape[1] > most_labels:
            return {}
        sums = torch.stack([torch.full_like(rows[0], rows.shape[0]), rows.sum(0), rows.square().sum(0)])
        if self._moments is not None and self._moments.shape != sums.shape:
            return {}
        self._moments = sums if self._moments is None else self._moments + sums
        count, total, squares = self._moments
        return {"target_variance": (squares / count - (total / count).square()).clamp_min(0).mean()}


def flow_figures(parameters):
    """The share of the trainable parameters that get a gradient at all, and of hidden units those whose gradient is zero
    and those that all get the same; from gradients as they are."""
    total = reached = 0
    units = []
    for parameter in parameters:
        if not parameter.requires_grad:
            continue
        total += parameter.numel()
        grad = parameter.grad
        if grad is not None:
            reached += parameter.numel()
            # The gradient of a bias is that of its unit.
            if grad.dim() == 1 and grad.numel() > 1 and not grad.is_sparse:
                units.append(grad.detach().float())
    if total == 0:
        return {}, {}
    # The last bias is the output's, unless there is but one output.
    outputs = 0 if parameters[-1].dim() == 1 and parameters[-1].numel() == 1 else 1
    inside = units[: len(units) - outputs][:most_layers]
    found = {}
    if inside and all(unit.device == inside[0].device for unit in inside):
        found["dead_fraction"] = torch.cat([unit == 0 for unit in inside]).float().mean()
        found["twin_fraction"] = torch.stack([_are_alike(unit) for unit in inside]).float().mean()
    return {"gradient_reach": reached / total}, found


def _are_alike(unit):
    size = unit.abs().max()
    return (size > 0) & ((unit.max() - unit.min()) <= alike * size)
