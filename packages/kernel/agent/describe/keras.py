# Keras 3 models, layers, optimizers, variables and histories, read off the dictionaries of the instances, whatever the
# backend. No shape is computed and no layer is built.
import types

from ..objects.budget import ATTRIBUTES
from ..objects.lookup import class_name, instance_dict, is_a
from .builtins import is_user_class
from .registry import at_location, describes

LAYERS = 300
HIDDEN = ("build", "quantize", "call_signature_parameters", "compiled", "built", "loss", "name")


def items_of(held):
    """Elements of a list as Keras or TensorFlow tracks it."""
    if held is None:
        return []
    if is_a(held, list):
        storage = (instance_dict(held) or {}).get("_storage")
        return list(storage) if type(storage) is list else list(list.__iter__(held))
    return list(held) if type(held) is tuple else []


def shapes_of(tensors):
    """Shapes of symbolic tensors; None for a free dimension."""
    shapes = []
    for tensor in items_of(tensors):
        shape = (instance_dict(tensor) or {}).get("_shape")
        if type(shape) is not tuple:
            return None
        shapes.append([size if type(size) is int else None for size in shape])
    return shapes


@describes("keras.src.models.model:Model")
def describe_model(obj, fact, walk):
    describe_layer(obj, fact, walk)
    fact.kind = "keras_model"
    held = instance_dict(obj) or {}
    if type(held.get("compiled")) is bool:
        fact.structural["compiled"] = held["compiled"]
    if held.get("loss") is not None:
        fact.representation["loss"] = loss_name(held["loss"])
    layers = [layer for layer in items_of(held.get("_layers")) if is_layer(layer)]
    fact.structural["layers"] = [
        {"name": layer_name(layer), "class": class_name(type(layer)), "object": fact.child(layer)}
        for layer in layers[:LAYERS]
    ]
    fact.structural["complete"] = len(layers) <= LAYERS
    graph = instance_dict(held["_functional"]) if held.get("_functional") is not None else held
    for key, attribute in (("input_shape", "_inputs"), ("output_shape", "_outputs")):
        shapes = shapes_of((graph or {}).get(attribute))
        if shapes:
            fact.representation[key] = shapes
    metrics = (instance_dict(held.get("_compile_metrics")) or {}).get("_user_metrics")
    if metrics is not None:
        fact.structural.setdefault("parameters", {})["metrics"] = fact.child(metrics)
    if held.get("_optimizer") is not None:
        fact.structural.setdefault("related", {})["optimizer"] = fact.child(held["_optimizer"])


def is_layer(obj):
    base = at_location("keras.src.layers.layer:Layer")
    return base is not None and is_a(obj, base)


def layer_name(layer):
    name = (instance_dict(layer) or {}).get("name")
    return name if type(name) is str else ""


def loss_name(loss):
    """How the loss was given: its text, its function's name or its class."""
    if type(loss) is str:
        return loss
    if type(loss) is types.FunctionType:
        is_own = str(loss.__module__).partition(".")[0] not in ("keras", "tensorflow", "tf_keras")
        return "the user's own" if is_own else loss.__name__
    if is_a(loss, list) or is_a(loss, dict):
        return "several"
    return class_name(type(loss)).rpartition(".")[2]


@describes("keras.src.layers.layer:Layer")
def describe_layer(obj, fact, walk):
    fact.kind = "keras_layer"
    held = instance_dict(obj) or {}
    if type(held.get("built")) is bool:
        fact.structural["built"] = held["built"]
    fact.representation["name"] = layer_name(obj)
    spec = instance_dict(held.get("_input_spec"))
    if spec is not None:
        fact.representation["input_spec"] = input_spec(spec)
    outputs = [shapes_of((instance_dict(node) or {}).get("outputs")) for node in items_of(held.get("_inbound_nodes"))]
    if outputs and outputs[0] and all(shapes == outputs[0] for shapes in outputs):
        fact.representation["output_shape"] = outputs[0]
    if not walk.is_shallow(fact):
        names = [name for name in held if type(name) is str and not name.startswith("_") and name not in HIDDEN]
        fact.structural["attributes"] = {name: fact.child(held[name]) for name in names[:ATTRIBUTES]}
    if is_user_class(type(obj)):
        fact.structural["related"] = {"class": fact.child(type(obj))}


def input_spec(held):
    told = {}
    for name in ("ndim", "min_ndim", "max_ndim"):
        if type(held.get(name)) is int:
            told[name] = held[name]
    if type(held.get("shape")) is tuple:
        told["shape"] = [size if type(size) is int else None for size in held["shape"]]
    axes = held.get("axes")
    if is_a(axes, dict):
        told["axes"] = {str(axis): size for axis, size in dict.items(axes) if type(axis) is int and type(size) is int}
    return told


@describes("keras.src.backend.common.variables:Variable", "keras.src.backend.common.keras_tensor:KerasTensor")
def describe_variable(obj, fact, walk):
    held = instance_dict(obj) or {}
    fact.kind = "tf_variable" if class_name(type(obj)).endswith("Variable") else "keras_tensor"
    shape = held.get("_shape")
    if type(shape) is tuple:
        fact.representation["shape"] = [size if type(size) is int else None for size in shape]
        fact.representation["ndim"] = len(shape)
    if type(held.get("_dtype")) is str:
        fact.representation["dtype"] = held["_dtype"]


@describes("keras.src.optimizers.base_optimizer:BaseOptimizer")
def describe_optimizer(obj, fact, walk):
    fact.kind = "keras_optimizer"
    held = instance_dict(obj) or {}
    names = [name for name in held if type(name) is str and not name.startswith("_")]
    fact.structural["parameters"] = {name: fact.child(held[name]) for name in names[:ATTRIBUTES]}


@describes("keras.src.callbacks.history:History")
def describe_history(obj, fact, walk):
    fact.kind = "keras_history"
    history = (instance_dict(obj) or {}).get("history")
    if type(history) is dict:
        fact.values["history"] = {
            name: len(points) for name, points in history.items() if type(name) is str and type(points) is list
        }
        fact.structural["attributes"] = {"history": fact.child(history)}
