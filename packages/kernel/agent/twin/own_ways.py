# Objects that are pickled in a way of their own. Where that way refuses, and all that such an object holds is in its
# attributes, these are carried instead: it may ask the GPU, which a forked child cannot, or be closed on purpose, as that
# of modules with parametrizations and of wrapped methods is. Where it lets go of an attribute, the twin gets it all the
# same: a model that knows its trainer, say, asks it, an optimizer that leaves its list of parameters behind fails, and one
# whose `step` a schedule has wrapped tells it when it was called. A class of the notebook is not asked: what its objects
# hold goes over as it is.
import importlib
import types

from . import keras_graphs


class _Plain:
    pass


OWN_WAYS = ("__reduce_ex__", "__reduce__", "__getstate__")
LEAST_ADDRESS = 1 << 32
PLAIN = (type(None), bool, int, float, complex, str, bytes, tuple, list, dict, set, frozenset)
CODE = (types.FunctionType, types.MethodType)


def reduced(value, made, others):
    """As a pickler wants it; None for what it takes down itself, such as what is in its table `others`."""
    kind = type(value)
    if not _has_own_way(kind) or not _holds_attributes_only(kind) or kind in others or keras_graphs.is_saved_by_keras(value):
        return None
    refusal = None
    if not _is_way_of_the_notebook(kind):
        try:
            return _with_what_it_lets_go_of(value.__reduce_ex__(5), vars(value), made)
        except Exception as error:
            refusal = error
    state = {name: _table_of_objects(held, refusal, made) for name, held in vars(value).items()}
    return made.new_object, (kind,), state, None, None, made.set_attributes


def _with_what_it_lets_go_of(reduction, held, made):
    """Attributes that are None in its state alone, and those that its state leaves out. What is no plain object, such as a
    handle of native code, it had better make anew."""
    if type(reduction) is not tuple or len(reduction) < 3 or type(reduction[2]) is not dict:
        return reduction
    rebuild, given, state, *rest = reduction
    let_go = {
        name: held[name]
        for name, kept in state.items()
        if kept is None and held.get(name) is not None and _holds_attributes_only(type(held[name]))
    }
    state = {**state, **let_go}
    left_out = {name: kept for name, kept in held.items() if name not in state and _is_plain(kept)}
    if not left_out or any(rest):
        return (rebuild, given, state, *rest)
    return rebuild, given, (state, left_out), None, None, made.set_state_and_left_out


def _is_plain(value):
    if isinstance(value, PLAIN):
        return not _is_by_address(value)
    return isinstance(value, CODE) or _holds_attributes_only(type(value))


def _is_way_of_the_notebook(kind):
    """Such a way is for files that the user writes: it may leave out, or change, what the kernel has."""
    ways = (*OWN_WAYS, "__setstate__")
    return next((base for base in kind.__mro__ if any(name in vars(base) for name in ways)), object).__module__ == "__main__"


def _has_own_way(kind):
    return any(getattr(kind, name, None) is not getattr(object, name, None) for name in OWN_WAYS)


def _holds_attributes_only(kind):
    return kind.__basicsize__ == _Plain.__basicsize__ and kind.__dictoffset__ == _Plain.__dictoffset__


def _is_by_address(held):
    return isinstance(held, dict) and any(type(key) is int and key >= LEAST_ADDRESS for key in held)


def _table_of_objects(held, refusal, made):
    """A dictionary whose keys are the addresses of objects gets the addresses that they have in the twin."""
    if not _is_by_address(held):
        return held
    collector = importlib.import_module("gc")
    collector.unfreeze()
    objects = {id(tracked): tracked for tracked in collector.get_objects()}
    collector.freeze()
    if not held.keys() <= objects.keys():
        if refusal is None:
            return held
        raise refusal
    empty = held.copy()
    empty.clear()
    return made.TableOfObjects(empty, [(objects[key], value) for key, value in held.items()])
