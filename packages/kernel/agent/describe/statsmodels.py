# statsmodels models and fitted results: how many observations and which regressors they were made of, as the instance holds
# them. Names and statistics that the library computes and caches are left alone.
from ..objects.budget import COLUMNS, MEMBERS
from ..objects.lookup import class_name, find_in_class, has_dynamic_attributes, instance_dict, static_names
from .builtins import describe_instance
from .pandas import labels_of, manager_of
from .registry import at_location, describes


@describes("statsmodels.base.model:Model")
def describe_model(obj, fact, walk):
    describe_instance(obj, fact, walk)
    fact.structural["fitted"] = False
    tell_data(obj, fact)


@describes("statsmodels.base.model:Results")
def describe_results(obj, fact, walk):
    describe_instance(obj, fact, walk)
    fact.structural["fitted"] = True
    tell_data((instance_dict(obj) or {}).get("model"), fact)


@describes("statsmodels.base.wrapper:ResultsWrapper")
def describe_wrapped(obj, fact, walk):
    """A wrapper passes every name on to the results in it, which then raise in their own name."""
    describe_instance(obj, fact, walk)
    fact.structural["fitted"] = True
    results = (instance_dict(obj) or {}).get("_results")
    if results is None or not is_plain_wrapper(type(obj)) or has_dynamic_attributes(results):
        return
    outer, inner = static_names(obj, MEMBERS), static_names(results, MEMBERS)
    if outer is not None and inner is not None:
        fact.structural["dynamic_attributes"] = False
        fact.structural["members"] = sorted(name for name in {*outer, *inner} if not name.startswith("__"))
    # No class has this name: what is told of the results' own class does not hold for the wrapper.
    fact.cls = "statsmodels.base.wrapper." + class_name(type(results)).rpartition(".")[2]
    tell_data((instance_dict(results) or {}).get("model"), fact)


def is_plain_wrapper(cls):
    """Whether the look-up of names is the library's own."""
    holder = find_in_class(cls, "__getattribute__")[1]
    return (
        find_in_class(cls, "__getattr__")[1] is None
        and holder is not None
        and holder is at_location("statsmodels.base.wrapper:ResultsWrapper")
    )


def tell_data(model, fact):
    """Observations and regressors."""
    data = instance_dict((instance_dict(model) or {}).get("data")) or {}
    target, regressors = data.get("endog"), data.get("exog")
    if target is not None and class_name(type(target)) == "numpy.ndarray" and target.ndim > 0:
        fact.structural["parameters"] = {"nobs": fact.child(int(target.shape[0]))}
    if regressors is not None and class_name(type(regressors)) == "numpy.ndarray" and regressors.ndim == 2:
        fact.representation["n_features_in"] = int(regressors.shape[1])
    named = data.get("orig_exog")
    manager = manager_of(named) if class_name(type(named)).endswith(".DataFrame") else None
    if manager is not None:
        labels = labels_of(manager.axes[0], COLUMNS)
        fact.representation["feature_names_in"] = [name for name in labels if type(name) is str]
