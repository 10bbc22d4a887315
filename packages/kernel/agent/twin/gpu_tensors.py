# Tensors on a GPU, and how they are carried to a twin that has none: their values are fetched in the kernel, within a
# limit, before the fork, since a forked child cannot use CUDA.
import collections
import ctypes
import os
import sys

from ..objects.lookup import class_module, has_type, instance_dict, is_a

DRIVER = "libcuda.so.1"
# With these nothing is visible.
HIDDEN = ("", "-1")
AWAY = ("cuda", "xpu", "mps", "hip")
FETCH_LIMIT = 256 << 20
MOST_LOOKED_AT = 200_000
PROPERTIES = ("name", "major", "minor", "total_memory", "multi_processor_count", "warp_size", "L2_cache_size")


class Fetched:
    """Values of tensors by the identity of the tensor; None for those that are too large or cannot be had. `pinned`: where
    memory on the CPU starts that the GPU can reach."""

    lends = False

    def __init__(self):
        self.copies = {}
        self.free = {}
        self.kept = []
        self.pinned = set()

    def copy(self, tensor):
        return self.copies.setdefault(id(tensor), None)

    def valueless(self):
        return any(copy is None for copy in self.copies.values())


class OutOfReach(BaseException):
    """Raised in a copy where a GPU would have to be asked. No `except Exception` of a library may take it for an answer."""


def are_there():
    """To be asked before a copy goes into its isolation."""
    return any(name[:6] == "nvidia" and name[6:7].isdigit() for name in os.listdir("/dev"))


def count():
    """How many the kernel can use, asked in the kernel; None where its driver does not know, since nobody has woken it."""
    if not are_there() or os.environ.get("CUDA_VISIBLE_DEVICES") in HIDDEN:
        return 0
    found = ctypes.c_int()
    try:
        asked = ctypes.CDLL(DRIVER, mode=os.RTLD_NOLOAD).cuDeviceGetCount(ctypes.byref(found))
    except (OSError, AttributeError):
        return None
    return found.value if asked == 0 else None


def keep_off(instead, known):
    """In a fork CUDA does not work: it aborts, or says that there is no GPU. Whatever would use it does this instead. How
    many there are is told where it is `known`: optimizers on the CPU ask that in every step."""
    torch = sys.modules.get("torch")
    if torch is None or torch.version.cuda is None:
        return
    answers = {"_lazy_init": instead, "is_available": instead, "device_count": instead}
    if known is not None:
        answers["is_available"] = lambda: known > 0
        answers["device_count"] = lambda: known
        answers["is_current_stream_capturing"] = lambda: False
    if known == 0:
        del answers["_lazy_init"]
    for name, answer in answers.items():
        setattr(torch.cuda, name, _answering(answer))


def _answering(answer):
    return lambda *args, **kwargs: answer()


def gpus():
    """What torch tells of the GPUs that it has in use."""
    torch = sys.modules.get("torch")
    if torch is None or not torch.cuda.is_initialized():
        return []
    told = []
    for index in range(torch.cuda.device_count()):
        properties = torch.cuda.get_device_properties(index)
        told.append({name: getattr(properties, name) for name in PROPERTIES if hasattr(properties, name)})
    return told


def fetch(objects, limit=FETCH_LIMIT):
    """Reads the memory of tensors, and the tables of modules, optimizers and the notebook's objects; runs nothing."""
    torch, fetched = sys.modules.get("torch"), Fetched()
    if torch is None:
        return fetched
    left = limit
    for tensor in tensors_in(objects.values()):
        if tensor.device.type in AWAY:
            left -= tensor.numel() * tensor.element_size()
            fetched.copies[id(tensor)] = _copy(tensor) if left >= 0 else None
            fetched.kept.append(tensor)
    return fetched


def tensors_in(values):
    """Those that modules, torch's own objects (optimizers, loaders), containers and the notebook's objects hold."""
    torch = sys.modules["torch"]
    pending, seen = collections.deque(values), set()
    while pending and len(seen) < MOST_LOOKED_AT:
        value = pending.popleft()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if has_type(value, torch.Tensor, torch.nn.Parameter):
            yield value
            continue
        pending.extend(_parts(value, torch))


def _copy(tensor):
    try:
        return tensor.detach().cpu()
    except (RuntimeError, NotImplementedError):
        return None


def _parts(value, torch):
    if has_type(value, list, tuple, set):
        return list(value)[:10_000]
    if is_a(value, dict):
        return [*list(dict.keys(value))[:10_000], *list(dict.values(value))[:10_000]]
    if is_a(value, torch.nn.Module) or class_module(type(value)).partition(".")[0] in ("torch", "__main__"):
        return list((instance_dict(value) or {}).values())
    return []
