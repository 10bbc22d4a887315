# PyTorch tensors, modules, optimizers, datasets and loaders. Tensors are read with torch-function overrides disabled,
# values only of CPU tensors; modules through their own dictionaries; nothing is drawn from a loader.
import sys

from ..objects.lookup import MISSING, class_name, has_type, instance_dict, is_a
from ..objects.sampling import of_array
from .builtins import is_user_class, tell_attributes
from .registry import at_location, describes, resolves

LAYERS = 200
MODULE_INTERNALS = frozenset(
    "_parameters _buffers _modules _non_persistent_buffers_set _backward_pre_hooks _backward_hooks"
    " _is_full_backward_hook _forward_hooks _forward_hooks_with_kwargs _forward_hooks_always_called _forward_pre_hooks"
    " _forward_pre_hooks_with_kwargs _state_dict_hooks _state_dict_pre_hooks _load_state_dict_pre_hooks"
    " _load_state_dict_post_hooks training".split()
)


@describes("torch:Tensor")
def describe_tensor(obj, fact, walk):
    torch = sys.modules["torch"]
    fact.kind = "tensor"
    # A subclass may answer even for its shape with code of its own.
    if type(obj) is not torch.Tensor and type(obj) is not torch.nn.Parameter:
        return
    with torch._C.DisableTorchFunction():
        told = fact.representation
        told["dtype"] = str(obj.dtype)
        told["shape"] = [int(size) for size in obj.shape]
        told["ndim"] = len(told["shape"])
        told["device"] = str(obj.device)
        told["requires_grad"] = bool(obj.requires_grad)
        if told["ndim"]:
            told["length"] = told["shape"][0]
        is_weight = type(obj) is torch.nn.Parameter and fact.depth > 0
        if not walk.is_shallow(fact) and not is_weight:
            tell_values(obj, fact, walk, torch)


def tell_values(obj, fact, walk, torch):
    if obj.device.type != "cpu" or obj.layout is not torch.strided or obj.is_quantized or obj.is_conj() or obj.is_neg():
        return
    numpy = sys.modules.get("numpy")
    if numpy is None or obj.dtype not in (
        torch.float32, torch.float64, torch.float16, torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8,
        torch.bool,
    ):
        return
    if obj.untyped_storage().data_ptr() == 0 if hasattr(obj, "untyped_storage") else False:
        return
    of_array(obj.detach().numpy(), walk.budget, fact.values)


@describes("torch:device", "torch:dtype", "torch:Size")
def describe_word(obj, fact, walk):
    torch = sys.modules["torch"]
    if type(obj) is torch.Size:
        fact.kind = "tuple"
        fact.representation["length"] = tuple.__len__(obj)
        fact.structural["items"] = [fact.child(int(size)) for size in tuple.__iter__(obj)]
        fact.structural["complete"] = True
        return
    fact.kind = "device" if type(obj) is torch.device else "dtype"
    fact.values["literal"] = str(obj)


@describes("torch.nn:Module")
def describe_module(obj, fact, walk):
    fact.kind = "torch_module"
    held = instance_dict(obj) or {}
    if type(held.get("training")) is bool:
        fact.structural["training"] = held["training"]
    children = _entries(held.get("_modules"))
    parameters = _entries(held.get("_parameters"))
    buffers = _entries(held.get("_buffers"))
    fact.structural["layers"] = [
        {"name": name, "class": class_name(type(child)), "object": fact.child(child)}
        for name, child in children[:LAYERS]
        if child is not None
    ]
    fact.structural["complete"] = len(children) <= LAYERS
    if parameters:
        fact.structural["parameters"] = {name: fact.child(value) for name, value in parameters[:LAYERS]}
    if buffers:
        fact.structural["buffers"] = {name: fact.child(value) for name, value in buffers[:LAYERS]}
    own = "forward" in held or any(held.get(hooks) for hooks in ("_forward_hooks", "_forward_pre_hooks"))
    # A notebook that left autocast on: its calls convert what they are given. Two processes are compared without it.
    if own or (walk.state is not None and sys.modules["torch"]._C._is_any_autocast_enabled()):
        fact.structural["hooked"] = True
    device = first_device(obj)
    if device is not None:
        fact.representation["device"] = device
    tell_attributes(obj, fact, walk, skip=MODULE_INTERNALS)
    if is_user_class(type(obj)):
        fact.structural["related"] = {"class": fact.child(type(obj))}


def _entries(held):
    """Items of a module's own dictionary (a dict, or an OrderedDict in older versions)."""
    if held is None or not is_a(held, dict):
        return []
    return [(name, value) for name, value in dict.items(held) if type(name) is str]


def first_device(module):
    """Device of the first parameter found below a module."""
    torch = sys.modules["torch"]
    pending, looked = [module], 0
    while pending and looked < 500:
        current = pending.pop(0)
        looked += 1
        held = instance_dict(current) or {}
        for _, value in _entries(held.get("_parameters")):
            if has_type(value, torch.nn.Parameter, torch.Tensor):
                return str(value.device)
        pending.extend(child for _, child in _entries(held.get("_modules")) if child is not None)
    return None


@resolves("torch.nn:Module")
def module_attribute(obj, name):
    """`module.name` finds parameters, buffers and submodules, and nothing else."""
    held = instance_dict(obj) or {}
    for part in ("_parameters", "_buffers", "_modules"):
        for key, value in _entries(held.get(part)):
            if key == name:
                return "present", value
    return "absent", MISSING


@describes("torch.optim:Optimizer", "torch.optim.optimizer:Optimizer")
def describe_optimizer(obj, fact, walk):
    fact.kind = "torch_optimizer"
    held = instance_dict(obj) or {}
    defaults = held.get("defaults")
    if type(defaults) is dict:
        fact.structural["parameters"] = {
            name: fact.child(value) for name, value in defaults.items() if type(name) is str
        }
    groups = held.get("param_groups")
    if type(groups) is list:
        fact.representation["length"] = sum(
            len(group["params"]) for group in groups if type(group) is dict and type(group.get("params")) is list
        )


@describes("torch.utils.data:Dataset")
def describe_dataset(obj, fact, walk):
    """A dataset's own attributes; its items are never drawn."""
    fact.kind = "torch_dataset"
    tensors = (instance_dict(obj) or {}).get("tensors")
    tensor_dataset = at_location("torch.utils.data:TensorDataset")
    if type(obj) is tensor_dataset and type(tensors) is tuple:
        fact.structural["items"] = [fact.child(tensor) for tensor in tensors]
        if tensors and type(tensors[0]) is sys.modules["torch"].Tensor:
            fact.representation["length"] = int(tensors[0].shape[0])
    tell_attributes(obj, fact, walk)
    if is_user_class(type(obj)):
        fact.structural["related"] = {"class": fact.child(type(obj))}


@describes("torch.utils.data:DataLoader")
def describe_loader(obj, fact, walk):
    fact.kind = "torch_loader"
    held = instance_dict(obj) or {}
    kept = ("batch_size", "drop_last", "num_workers", "pin_memory", "timeout")
    fact.structural["parameters"] = {name: fact.child(held[name]) for name in kept if name in held}
    dataset = held.get("dataset")
    related = {"dataset": dataset, "collate": held.get("collate_fn")}
    fact.structural["related"] = {role: fact.child(value) for role, value in related.items() if value is not None}
