# Objects of Keras that share their parts, carried to a twin: the largest goes as Keras saves it, and each of the others is
# found again in it, as one of its layers or as the part of its graph between two places. Keras alone would rebuild each by
# itself, and what is done to one would no longer reach the others.
from . import keras_graphs

FUNCTIONAL = "keras.src.models.functional.Functional"


def places(objects, made):
    """id of an object to (function, arguments) that find it again, for those of these values that lie in another. One that
    was compiled has an optimizer of its own: it goes whole."""
    wholes = {id(value): value for value in objects.values() if _has_layers(value)}
    found = {}
    for whole in sorted(wholes.values(), key=lambda whole: -len(_layers(whole))):
        numbers = {id(layer): number for number, layer in enumerate(_layers(whole))}
        for part in wholes.values() if id(whole) not in found else ():
            if part is whole or id(part) in found or getattr(part, "compiled", False):
                continue
            if id(part) in numbers:
                found[id(part)] = made.layer_of_keras, (whole, numbers[id(part)], type(part).__name__, part.name)
            elif _is_in_graph(part, numbers):
                ends = [_ends(tensors, numbers) for tensors in (part._inputs_struct, part._outputs_struct)]
                names = [layer.name for layer in part.layers]
                found[id(part)] = made.graph_of_keras, (whole, *ends, part.name, part._trainable, names)
    return found


def _has_layers(value):
    return keras_graphs.is_saved_by_keras(value) and hasattr(value, "_flatten_layers")


def _layers(whole):
    return whole._flatten_layers(include_self=False)


def _is_in_graph(part, numbers):
    """Whether its whole graph is made of layers that have these numbers, each called once."""
    kind = type(part)
    if "%s.%s" % (kind.__module__, kind.__qualname__) != FUNCTIONAL:
        return False
    return all(id(step) in numbers and len(step._inbound_nodes) == 1 for step in part._operations) and all(
        keras_graphs.is_symbolic(tensor) or (type(tensor) is list and all(map(keras_graphs.is_symbolic, tensor)))
        for tensor in (part._inputs_struct, part._outputs_struct)
    )


def _ends(tensors, numbers):
    if type(tensors) is list:
        return [_ends(tensor, numbers) for tensor in tensors]
    history = tensors._keras_history
    return numbers[id(history.operation)], history.tensor_index
