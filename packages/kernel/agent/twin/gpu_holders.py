# Objects that hold tensors on a GPU and are pickled in a way of their own, such as a scaler of gradients: that way may ask
# the GPU, which a forked child cannot, or refuse, as modules with parametrizations do. All that such an object holds is in
# its attributes, and these are carried instead.
import importlib
import sys

from . import gpu_tensors


class _Plain:
    pass


OWN_WAYS = ("__reduce_ex__", "__reduce__", "__getstate__")
LEAST_ADDRESS = 1 << 32


def reduced(value, made):
    """As a pickler wants it; None for what it takes down itself."""
    if not _has_own_way(type(value)) or not _holds_attributes_only(type(value)) or not _is_of_the_gpu(value):
        return None
    try:
        return value.__reduce_ex__(5)
    except Exception as refusal:
        state = {name: _table_of_objects(held, refusal, made) for name, held in vars(value).items()}
    return made.new_object, (type(value),), state, None, None, made.set_attributes


def _has_own_way(kind):
    return any(getattr(kind, name, None) is not getattr(object, name, None) for name in OWN_WAYS)


def _holds_attributes_only(kind):
    return kind.__basicsize__ == _Plain.__basicsize__ and kind.__dictoffset__ == _Plain.__dictoffset__


def _is_of_the_gpu(value):
    torch = sys.modules.get("torch")
    return torch is not None and (
        isinstance(value, torch.nn.Module)
        or any(isinstance(held, torch.Tensor) and held.device.type in gpu_tensors.AWAY for held in vars(value).values())
    )


def _table_of_objects(held, refusal, made):
    """A dictionary whose keys are the addresses of objects gets the addresses that they have in the twin."""
    if not isinstance(held, dict) or not any(type(key) is int and key >= LEAST_ADDRESS for key in held):
        return held
    collector = importlib.import_module("gc")
    collector.unfreeze()
    objects = {id(tracked): tracked for tracked in collector.get_objects()}
    collector.freeze()
    if not held.keys() <= objects.keys():
        raise refusal
    empty = held.copy()
    empty.clear()
    return made.TableOfObjects(empty, [(objects[key], value) for key, value in held.items()])
