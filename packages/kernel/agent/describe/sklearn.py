# scikit-learn estimators: constructor parameters and fitted attributes as the instance holds them. `get_params`,
# `__repr__` and tags of classes that users write are never called.
import types

from ..objects.callables import texts_in
from ..objects.literals import label
from ..objects.lookup import (
    class_dict,
    class_module,
    class_name,
    find_in_class,
    instance_dict,
    is_a,
    mro,
)
from .builtins import tell_attributes
from .registry import at_location, describes


@describes("sklearn.base:BaseEstimator")
def describe_estimator(obj, fact, walk):
    fact.kind = "estimator"
    held = instance_dict(obj) or {}
    names = parameter_names(type(obj))
    fact.structural["parameters"] = {name: fact.child(held[name]) for name in names if name in held}
    state = fitted_state(obj)
    if state is not None:
        fact.structural["fitted"] = state
    tell_steps(obj, held, fact)
    tell_fitted(held, fact)
    if fact.depth <= 1:
        tell_attributes(obj, fact, walk, skip=frozenset(names))
    if class_module(type(obj)) == "__main__":
        fact.structural.setdefault("related", {})["class"] = fact.child(type(obj))


def parameter_names(cls):
    init, _ = find_in_class(cls, "__init__")
    inner = init
    while type(inner) is types.FunctionType and "__wrapped__" in inner.__dict__:
        inner = inner.__dict__["__wrapped__"]
    if type(inner) is not types.FunctionType:
        return []
    code = inner.__code__
    return list(code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount])


def fitted_state(obj):
    """True or False when it is certain whether `fit` has run; None when the class decides by code of its own."""
    held = instance_dict(obj) or {}
    pipeline = at_location("sklearn.pipeline:Pipeline")
    if pipeline is not None and type(obj) is pipeline:
        steps = held.get("steps")
        last = steps[-1][1] if type(steps) is list and steps and type(steps[-1]) is tuple else None
        return fitted_state(last) if last is not None and _is_estimator(last) else None
    if any(name.endswith("_") and not name.startswith("__") for name in held if type(name) is str):
        return True
    if not class_module(type(obj)).startswith("sklearn.") or decides_itself(type(obj)):
        return None
    return False


def _is_estimator(obj):
    base = at_location("sklearn.base:BaseEstimator")
    return base is not None and is_a(obj, base)


def decides_itself(cls):
    """Stateless estimators and those with their own test for being fitted."""
    if find_in_class(cls, "__sklearn_is_fitted__")[1] is not None:
        return True
    for base in mro(cls):
        if class_name(base) == "sklearn.base.BaseEstimator":
            continue
        for hook in ("__sklearn_tags__", "_more_tags"):
            function = class_dict(base).get(hook)
            if type(function) is not types.FunctionType:
                continue
            code = function.__code__
            words = {*code.co_names, *texts_in(code)}
            if words & {"requires_fit", "stateless"}:
                return True
    return False


def tell_fitted(held, fact):
    """What `fit` learned about its input."""
    count = held.get("n_features_in_")
    if type(count) is int:
        fact.representation["n_features_in"] = count
    names = held.get("feature_names_in_")
    if names is not None and class_name(type(names)) == "numpy.ndarray" and names.ndim == 1:
        fact.representation["feature_names_in"] = [name for name in names.tolist()[:2000] if type(name) is str]
    classes = held.get("classes_")
    if classes is not None and class_name(type(classes)) == "numpy.ndarray" and classes.ndim == 1:
        fact.values["classes"] = [label(value) for value in classes[:100].tolist()]
        fact.values["classes_complete"] = len(classes) <= 100
    outputs = held.get("n_outputs_")
    if type(outputs) is int:
        fact.representation["n_outputs"] = outputs


def tell_steps(obj, held, fact):
    """Steps of a pipeline, union or column transformer, in order."""
    steps = held.get("steps", held.get("transformer_list", held.get("transformers")))
    if type(steps) is not list:
        return
    fact.structural["layers"] = [
        {"name": step[0], "class": class_name(type(step[1])), "object": fact.child(step[1])}
        for step in steps
        if type(step) is tuple and len(step) >= 2 and type(step[0]) is str
    ]
