"""Figures of a PyTorch run, computed in few fused operations and read without waiting for the device: a copy to pinned
memory is started, and its numbers are written once an event says that they have arrived.
"""

from __future__ import annotations

import time

import torch

#: The update ratio is measured on slices of a few parameters.
ratio_parameters = 8
ratio_elements = 1 << 15
most_pending = 64


def gradient_norm(parameters):
    """The 2-norm over all gradients as a tensor on their device, or None when there are none."""
    by_device = {}
    for parameter in parameters:
        grad = parameter.grad
        if grad is not None:
            grad = grad.detach()
            by_device.setdefault(grad.device, []).append(grad.coalesce().values() if grad.is_sparse else grad)
    norms = [torch.linalg.vector_norm(torch.stack(_norms(grads))) for grads in by_device.values()]
    if not norms:
        return None
    first = norms[0]
    return first if len(norms) == 1 else torch.linalg.vector_norm(torch.stack([norm.to(first.device) for norm in norms]))


def _norms(grads):
    norms = torch._foreach_norm(grads) if hasattr(torch, "_foreach_norm") else [grad.norm() for grad in grads]
    return [norm.float() for norm in norms]


class UpdateRatio:
    """How far one optimizer step moves the weights, relative to their size, on slices of a few parameters."""

    def __init__(self, parameters):
        trainable = [parameter for parameter in parameters if parameter.requires_grad and parameter.numel() > 1]
        stride = max(1, -(-len(trainable) // ratio_parameters))
        self._chosen = trainable[::stride]
        self._before = None

    def before(self):
        self._before = [self._slice(parameter).clone() for parameter in self._chosen]

    def after(self):
        """The ratio and the size of the weights as tensors; empty when ``before`` was not called."""
        before, self._before = self._before, None
        if not before or any(old.device != before[0].device for old in before):
            return {}
        now = [self._slice(parameter) for parameter in self._chosen]
        moved = torch.stack(_norms(torch._foreach_sub(now, before)))
        size = torch.linalg.vector_norm(torch.stack(_norms(before)))
        return {"update_ratio": torch.linalg.vector_norm(moved) / (size + 1e-12), "param_norm": size}

    @staticmethod
    def _slice(parameter):
        data = parameter.detach()
        flat = data.view(-1) if data.is_contiguous() else data.reshape(-1)
        return flat[:ratio_elements]


class Deferred:
    """Rows whose numbers are still on a device."""

    def __init__(self, write):
        self._write = write
        self._pending = []

    def __len__(self):
        return len(self._pending)

    def add(self, step, numbers, tensors):
        """Writes the row now when nothing has to be waited for."""
        wall = time.time()
        far = {}
        for name, value in tensors.items():
            if value.device.type == "cpu":
                numbers[name] = value.item()
            else:
                far.setdefault(value.device, {})[name] = value
        copies = [(list(named), *_start_copy(list(named.values()))) for named in far.values()]
        if copies:
            self._pending.append((step, wall, numbers, copies))
        else:
            self._write(step, numbers, wall)

    def poll(self):
        """Writes rows whose numbers have arrived, in order."""
        while self._pending and all(event is None or event.query() for _, _, event in self._pending[0][3]):
            self._finish(self._pending.pop(0))

    def flush(self):
        """Waits for everything. Only when the run ends."""
        while self._pending:
            entry = self._pending.pop(0)
            for _, _, event in entry[3]:
                if event is not None:
                    event.synchronize()
            self._finish(entry)

    def _finish(self, entry):
        step, wall, numbers, copies = entry
        for names, host, _ in copies:
            numbers.update(zip(names, host.tolist()))
        self._write(step, numbers, wall)


def _start_copy(values):
    kind = torch.float32 if values[0].device.type == "mps" else torch.float64
    packed = torch.stack([value.detach().reshape(()).to(kind) for value in values])
    if packed.device.type != "cuda":
        return packed.cpu(), None
    host = torch.empty(packed.shape, dtype=packed.dtype, pin_memory=True)
    host.copy_(packed, non_blocking=True)
    event = torch.cuda.Event()
    event.record()
    return host, event


def device_memory(device):
    """Bytes held on a CUDA device, by name; empty elsewhere."""
    if device is None or device.type != "cuda":
        return {}
    stats = torch.cuda.memory_stats(device)
    return {
        "memory_allocated": stats.get("allocated_bytes.all.current", 0),
        "memory_reserved": stats.get("reserved_bytes.all.current", 0),
        "memory_peak": stats.get("allocated_bytes.all.peak", 0),
    }
