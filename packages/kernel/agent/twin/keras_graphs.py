# Symbolic tensors of Keras, carried to a twin: the graph that leads to them is a model like any other, so it goes as that
# model's own configuration and weights. The counters behind automatic names go along: a layer that is made in the twin
# must be named as it would be in the kernel.
import sys
import types


def is_symbolic(value):
    return type(value).__name__ == "KerasTensor" and type(value).__module__.startswith("keras.")


def is_saved_by_keras(value):
    saving = sys.modules.get("keras.src.saving.keras_saveable")
    return saving is not None and isinstance(value, saving.KerasSaveable)


def parts_of(value):
    """The identities of all objects and variables of Keras that this one leads to, itself among them."""
    # All share the policies, which never change.
    return {
        id(part)
        for part in _within(value)
        if type(part).__name__.endswith("Variable")
        or (_is_of_keras(part) and not type(part).__module__.startswith("keras.src.dtype_policies."))
    }


def own_code_of(value):
    """The functions and classes of the notebook that an object of Keras is made with, by their names: what Keras saves of
    them is the name alone."""
    own = {}
    for part in _within(value):
        code = part if isinstance(part, types.FunctionType) else type(part)
        if code.__module__ == "__main__":
            own[code.__name__] = code
    return own


def _within(value):
    """All that an object of Keras leads to, itself first. This runs in a forked child of the kernel."""
    seen, pending = {}, [value]
    while pending:
        part = pending.pop()
        if id(part) in seen:
            continue
        seen[id(part)] = part
        kind = type(part)
        if issubclass(kind, dict):
            pending.extend(dict.values(part))
        if issubclass(kind, (list, tuple, set, frozenset)):
            pending.extend(kind.__iter__(part))
        if _is_of_keras(part) and not kind.__name__.endswith("Variable"):
            pending.extend(getattr(part, "__dict__", {}).values())
    return seen.values()


def _is_of_keras(value):
    return is_saved_by_keras(value) or type(value).__module__.startswith("keras.")


def symbolic_in(objects):
    """The symbolic tensors among these values, and in lists and tuples among them."""
    found = []
    for value in objects.values():
        parts = value if type(value) in (list, tuple) else [value]
        found.extend(part for part in parts if is_symbolic(part))
    return found


def described(objects):
    """What a twin needs to know of Keras; None where Keras is not loaded."""
    keras = sys.modules.get("keras")
    state = sys.modules.get("keras.src.backend.common.global_state")
    if keras is None or state is None:
        return None
    names = dict(state.get_global_attribute("object_name_uids") or {})
    tensors = symbolic_in(objects)
    if not tensors:
        return {"names": names, "graph": None}
    model = keras.Model(_inputs_of(tensors), tensors)
    return {"names": names, "graph": (model.get_config(), model.get_weights())}


def rebuilt(told):
    """Inside the twin: the tensors, in the same order."""
    import importlib

    tensors = []
    keras = importlib.import_module("keras")
    state = importlib.import_module("keras.src.backend.common.global_state")
    if told["graph"] is not None:
        configuration, weights = told["graph"]
        model = keras.Model.from_config(configuration)
        model.set_weights(weights)
        tensors = list(model.outputs)
    names = state.get_global_attribute("object_name_uids")
    if names is None:
        names = importlib.import_module("collections").defaultdict(int)
        state.set_global_attribute("object_name_uids", names)
    names.update(told["names"])
    return tensors


def _inputs_of(tensors):
    found, seen, pending = [], set(), list(tensors)
    while pending:
        tensor = pending.pop()
        if id(tensor) in seen:
            continue
        seen.add(id(tensor))
        history = tensor._keras_history
        node = history.operation._inbound_nodes[history.node_index]
        if node.is_input:
            found.append(tensor)
        else:
            pending.extend(node.input_tensors)
    return found
