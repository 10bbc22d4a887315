# What the libraries of a kernel hold beside the notebook's own objects, and a twin must have too: where random numbers
# stand, and settings whose change makes the same cell do something else.
import contextlib
import importlib
import pickle
import random
import sys
import warnings

_entered = []


def taken():
    """Read in a fork of the kernel, which must not touch a GPU."""
    told = {"recursion": sys.getrecursionlimit(), "random": random.getstate(), "warnings": _filters()}
    numpy = sys.modules.get("numpy")
    if numpy is not None and "numpy.random" in sys.modules:
        told["numpy"] = {"random": numpy.random.get_state(), "errors": numpy.geterr()}
    torch = sys.modules.get("torch")
    if torch is not None:
        device = "cpu"
        if hasattr(torch, "get_default_device"):
            # To ask torch itself would make a tensor there.
            context = getattr(torch._GLOBAL_DEVICE_CONTEXT, "device_context", None)
            device = "cpu" if context is None else str(context.device)
            torch.set_default_device("cpu")
        told["torch"] = {
            "random": torch.random.default_generator.get_state().numpy(),
            "dtype": str(torch.get_default_dtype()).rpartition(".")[2],
            "device": device,
            "gradients": torch.is_grad_enabled(),
            "deterministic": torch.get_deterministic_debug_mode(),
            "inference": torch.is_inference_mode_enabled(),
            "anomalies": (torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()),
            "settings": _changed_settings(),
        }
    return told


def _filters():
    """Which warnings are errors, shown, or passed over. Those about a class of the notebook's stay behind."""
    found = []
    for kept in warnings.filters:
        with contextlib.suppress(Exception):
            found.append(pickle.dumps(kept))
    return found


def hooks_of_saved_tensors():
    """(packing, unpacking) of every tensor that is saved for a gradient; None where nobody asked for it."""
    autograd = getattr(getattr(sys.modules.get("torch"), "_C", None), "_autograd", None)
    top = getattr(autograd, "_top_saved_tensors_default_hooks", None)
    return None if top is None else top(True)


def forward_levels():
    """How many levels of forward gradients are open."""
    return getattr(sys.modules.get("torch.autograd.forward_ad"), "_current_level", -1) + 1


def open_levels(count):
    """Inside the twin, before tensors with tangents arrive."""
    for _ in range(count):
        importlib.import_module("torch.autograd.forward_ad").enter_dual_level()


def _changed_settings():
    """(module, name, value) of what was changed in those modules of torch that are nothing but settings, such as the
    compiler's."""
    kind = getattr(sys.modules.get("torch.utils._config_module"), "ConfigModule", ())
    found = []
    for module in [held for held in list(sys.modules.values()) if isinstance(held, kind)]:
        for name in module._config:
            if not module._is_default(name):
                with contextlib.suppress(Exception):
                    value = getattr(module, name)
                    pickle.dumps(value)
                    found.append((module.__name__, name, value))
    return found


def restore(told, hooks):
    """Inside the twin, after its libraries are loaded. `hooks`: those of saved tensors."""
    sys.setrecursionlimit(told["recursion"])
    random.setstate(told["random"])
    warnings.resetwarnings()
    vars(warnings)["filters"].extend(map(pickle.loads, told["warnings"]))
    if "numpy" in told:
        numpy = importlib.import_module("numpy")
        numpy.random.set_state(told["numpy"]["random"])
        numpy.seterr(**told["numpy"]["errors"])
    if "torch" in told and "torch" in sys.modules:
        _restore_torch(told["torch"], hooks)


def _restore_torch(told, hooks):
    torch = sys.modules["torch"]
    torch.random.default_generator.set_state(torch.from_numpy(told["random"]))
    torch.set_default_dtype(getattr(torch, told["dtype"]))
    torch.set_grad_enabled(told["gradients"])
    torch.set_deterministic_debug_mode(told["deterministic"])
    torch.autograd.set_detect_anomaly(*told["anomalies"])
    for module, name, value in told["settings"]:
        with contextlib.suppress(AttributeError, ImportError):
            setattr(importlib.import_module(module), name, value)
    for device, state in told.get("cuda", {}).items():
        torch.cuda.set_rng_state(torch.from_numpy(state), device)
    if told["device"] != "cpu":
        torch.set_default_device(told["device"])
    if hooks is not None:
        torch._C._autograd._push_saved_tensors_default_hooks(*hooks)
    if told["inference"]:
        _entered.append(torch.inference_mode())
        _entered[-1].__enter__()
