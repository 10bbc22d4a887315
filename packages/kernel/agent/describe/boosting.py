# XGBoost and LightGBM: estimators of the scikit-learn kind whose fitted state is the booster they hold, and the
# libraries' own data and booster objects. Sizes come from the libraries' cheap C counters.
from ..objects.literals import label
from ..objects.lookup import class_name, instance_dict
from .registry import at_location, describes
from .sklearn import describe_estimator


@describes("xgboost.sklearn:XGBModel", "lightgbm.sklearn:LGBMModel")
def describe_boosted(obj, fact, walk):
    describe_estimator(obj, fact, walk)
    held = instance_dict(obj) or {}
    booster = held.get("_Booster")
    fact.structural["fitted"] = booster is not None
    features = held.get("_n_features_in", -1)
    if type(features) is int and features >= 0:
        fact.representation["n_features_in"] = features
    if booster is not None and type(booster) is at_location("xgboost.core:Booster"):
        fact.representation["n_features_in"] = int(booster.num_features())
    classes = held.get("_classes")
    if classes is not None and class_name(type(classes)) == "numpy.ndarray":
        fact.values["classes"] = [label(value) for value in classes[:100].tolist()]


@describes("xgboost.core:DMatrix")
def describe_matrix(obj, fact, walk):
    fact.kind = "booster"
    if class_name(type(obj)).startswith("xgboost."):
        fact.representation["shape"] = [int(obj.num_row()), int(obj.num_col())]


@describes("xgboost.core:Booster")
def describe_xgboost(obj, fact, walk):
    fact.kind = "booster"
    if type(obj) is at_location("xgboost.core:Booster"):
        fact.representation["n_features_in"] = int(obj.num_features())


@describes("lightgbm.basic:Booster")
def describe_lightgbm(obj, fact, walk):
    fact.kind = "booster"
    if type(obj) is at_location("lightgbm.basic:Booster"):
        fact.representation["n_features_in"] = int(obj.num_feature())


@describes("lightgbm.basic:Dataset")
def describe_lightgbm_data(obj, fact, walk):
    fact.kind = "booster"
    held = instance_dict(obj) or {}
    parts = {role: held[role] for role in ("data", "label") if held.get(role) is not None}
    fact.structural["related"] = {role: fact.child(value) for role, value in parts.items()}
