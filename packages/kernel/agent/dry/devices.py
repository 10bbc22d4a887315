# Tensors on a GPU and a twin that has none. Their values are fetched in the kernel, within a limit, before the fork: a
# forked child cannot use CUDA. In the twin they live on the CPU, and whatever the cell sends to a GPU stays there.
import re
import sys

AWAY = ("cuda", "xpu", "mps", "hip")
FETCH_LIMIT = 256 << 20
DEPTH = 6
ON_A_GPU = re.compile(r"^(%s)(:\d+)?$" % "|".join(AWAY))


class Fetched:
    """Values of tensors by the identity of the tensor; None for those that are too large or cannot be had."""

    def __init__(self):
        self.copies = {}
        self.kept = []

    def valueless(self):
        return any(copy is None for copy in self.copies.values())


def fetch(objects, limit=FETCH_LIMIT):
    """Reads the memory of tensors, and the tables of modules, optimizers and the notebook's objects; runs nothing."""
    torch, fetched = sys.modules.get("torch"), Fetched()
    if torch is None:
        return fetched
    left, pending, seen = limit, [(value, 0) for value in objects.values()], set()
    while pending:
        value, depth = pending.pop()
        if id(value) in seen or depth > DEPTH:
            continue
        seen.add(id(value))
        if type(value) in (torch.Tensor, torch.nn.Parameter):
            if value.device.type in AWAY:
                size = value.numel() * value.element_size()
                left -= size
                fetched.copies[id(value)] = _copy(value) if left >= 0 else None
                fetched.kept.append(value)
            continue
        pending.extend((part, depth + 1) for part in _parts(value, torch))
    return fetched


def _copy(tensor):
    try:
        return tensor.detach().cpu()
    except (RuntimeError, NotImplementedError):
        return None


def _parts(value, torch):
    if type(value) in (list, tuple, set):
        return list(value)[:10_000]
    if isinstance(value, dict):
        return [*list(dict.keys(value))[:10_000], *list(dict.values(value))[:10_000]]
    if isinstance(value, (torch.nn.Module, torch.optim.Optimizer)) or type(value).__module__ == "__main__":
        try:
            return list(object.__getattribute__(value, "__dict__").values())
        except AttributeError:
            return []
    return []


def reduced(value, fetched, made):
    """How a pickler takes down a tensor on a GPU: as one on the CPU of the same form, with its values where they were
    fetched and zeros elsewhere. None for every other value."""
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(value, torch.Tensor) or value.device.type not in AWAY:
        return None
    copy = fetched.copies.get(id(value)) if fetched is not None else None
    form = (tuple(value.shape), str(value.dtype).rpartition(".")[2])
    return made.make_tensor, (copy, *form, value.requires_grad, isinstance(value, torch.nn.Parameter))


def stay_at_home():
    """Inside the twin: a GPU that is spoken of is there, and is the CPU."""
    import importlib

    torch = importlib.import_module("torch")
    overrides = importlib.import_module("torch.overrides")

    def at_home(argument):
        if isinstance(argument, str) and ON_A_GPU.match(argument):
            return "cpu"
        if isinstance(argument, torch.device) and argument.type in AWAY:
            return torch.device("cpu")
        return argument

    class AtHome(overrides.TorchFunctionMode):
        def __torch_function__(self, function, types, args=(), kwargs=None):
            if getattr(function, "__name__", "") in AWAY and args:
                return args[0]
            moved = {name: at_home(value) for name, value in (kwargs or {}).items()}
            return function(*map(at_home, args), **moved)

    AtHome().__enter__()
    torch.cuda.is_available = lambda: True
    torch.cuda.device_count = lambda: 1
    for name in ("synchronize", "empty_cache", "manual_seed", "manual_seed_all", "reset_peak_memory_stats"):
        setattr(torch.cuda, name, lambda *args, **kwargs: None)
