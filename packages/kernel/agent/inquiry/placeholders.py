# Stand-ins for data in questions to libraries: tensors and arrays of a given shape and dtype with three different
# contents, so that what depends on the contents shows; and how values are told.
import contextlib
import sys

from ..protocol import reasons

FILLS = ("zeros", "ones", "random")
MOST_ELEMENTS = 1 << 24
TOLD_ITEMS = 12
# Results whose number follows from shapes alone, so that stand-ins give the real one.
OF_THE_FORM = frozenset("size dim numel ndim nelement element_size ndimension is_available device_count __len__".split())


def tensor(step, fill):
    torch = sys.modules["torch"]
    dtype = getattr(torch, step["dtype"])
    made = _filled(torch, step["shape"], dtype, fill)
    if step.get("grad") and made.is_floating_point():
        made.requires_grad_(True)
    return made


def _filled(torch, shape, dtype, fill):
    count = 1
    for size in shape:
        count *= size
    if count > MOST_ELEMENTS:
        return torch.zeros((), dtype=dtype).expand(shape)
    if fill == "random":
        return _random(torch, shape, dtype)
    return torch.zeros(shape, dtype=dtype) if fill == "zeros" else torch.ones(shape, dtype=dtype)


def _random(torch, shape, dtype):
    """Numbers of both signs, or zeros and ones, never all alike: what selects or counts by value shows that it does."""
    if dtype in (torch.float32, torch.float64):
        return torch.rand(shape, dtype=dtype) - 0.5
    if not shape:
        return torch.ones((), dtype=dtype)
    made = torch.randint(0, 2, tuple(shape))
    made[:1] = 0
    made[-1:] = 1
    return made.to(dtype)


@contextlib.contextmanager
def circumstances(step, fill):
    """Gradients as in the cell; the same random numbers each time; few threads."""
    torch = sys.modules.get("torch")
    if torch is None:
        yield
        return
    if torch.get_num_threads() > 1:
        torch.set_num_threads(1)
    if step.get("grad_off"):
        with torch.no_grad():
            yield
    else:
        yield


def settled(value):
    """Generators would be used up by the first step that takes them."""
    return list(value) if type(value).__name__ == "generator" else value


def without_workers(source):
    """A loader that draws in this process."""
    if hasattr(source, "num_workers") and hasattr(source, "multiprocessing_context"):
        vars(source)["num_workers"] = 0
        vars(source)["prefetch_factor"] = None
        vars(source)["persistent_workers"] = False
        vars(source)["timeout"] = 0
        vars(source)["_iterator"] = None
    return source


def doubt(error, steps):
    """Exceptions that say something of the data or of the copy, not of the form."""
    kind = type(error).__name__
    if kind in ("NotImplementedError", "_LinAlgError", "LinAlgError", "MemoryError", "RecursionError", "OutOfMemoryError"):
        return reasons.not_with_real_data(kind)
    if "does not require grad" in str(error) and any(
        step["op"] == "tensor" and "grad" not in step for step in steps.values()
    ):
        return reasons.gradients_unknown()
    return None


class Drawn:
    """What was drawn from a loader or another iterable."""

    def __init__(self):
        self.count, self.complete = 0, False
        self.error = None
        self.first = self.last = None

    def stop(self, error):
        self.error = error

    def take(self, element):
        if self.count == 0:
            self.first = element
        self.last = element
        self.count += 1


def described(value, step=None, gpu=None):
    """`gpu` knows where tensors would be."""
    torch = sys.modules.get("torch")
    numpy = sys.modules.get("numpy")
    if isinstance(value, Drawn):
        return _drawn(value, gpu)
    if value is None:
        return {"kind": "none"}
    if torch is not None and isinstance(value, torch.Tensor):
        if value.layout is not torch.strided:
            return {"kind": "other", "class": "torch.Tensor"}
        place = gpu.place(value) if gpu is not None else None
        return {
            "kind": "tensor",
            "shape": list(value.shape),
            "dtype": str(value.dtype).replace("torch.", ""),
            "grad": bool(value.requires_grad),
            **({} if place is None else {"device": place}),
        }
    if numpy is not None and type(value) is numpy.ndarray:
        return {"kind": "ndarray", "shape": list(value.shape), "dtype": str(value.dtype)}
    if torch is not None and isinstance(value, torch.nn.Module):
        return {"kind": "module", "class": _class(value)}
    if type(value) in (bool, int, float, str):
        return _scalar(value, step)
    if isinstance(value, (tuple, list)):
        exact = torch is not None and type(value) is torch.Size
        items = [described(item, {"name": "size"} if exact else None, gpu) for item in value[:TOLD_ITEMS]]
        kind = "list" if isinstance(value, list) else "tuple"
        return {"kind": kind, "class": _class(value), "items": items, "complete": len(items) == len(value)}
    if type(value) is dict or type(value).__name__ == "OrderedDict":
        keys = list(value)[:200]
        if all(type(key) is str for key in keys):
            told = {"kind": "dict", "class": _class(value), "keys": keys, "complete": len(keys) == len(value)}
            return {**told, "items": [described(value[key], None, gpu) for key in keys]}
    return {"kind": "other", "class": _class(value)}


def _scalar(value, step):
    told = {"kind": "scalar", "type": type(value).__name__}
    words = (step or {}).get("name") or ""
    if words.rpartition(".")[2] in OF_THE_FORM and type(value) in (bool, int):
        told["value"] = value
    return told


def _class(value):
    return "%s.%s" % (type(value).__module__, type(value).__qualname__)


def _drawn(drawn, gpu):
    told = {"kind": "drawn", "count": drawn.count, "complete": drawn.complete}
    if drawn.count:
        told["first"] = described(drawn.first, None, gpu)
        told["last"] = described(drawn.last, None, gpu)
    if drawn.error is not None:
        told["error"] = {"type": type(drawn.error).__name__, "message": str(drawn.error)[:2000]}
    return told
