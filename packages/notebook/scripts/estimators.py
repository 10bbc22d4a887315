"""What each estimator of scikit-learn refuses, by trying it: python packages/notebook/scripts/estimators.py

Every class is made with its defaults and given data that are wrong in one way: a column less or more, columns of other
names or in another order, one dimension, text, NaN, infinity, targets of another length, a method before `fit`. The
methods that refuse it with the library's usual message are written to
packages/notebook/src/libraries/sklearn/estimators.json, with what a constructor takes by position and whether the class
is a classifier or a regressor. Run it again with each new release of scikit-learn.
"""

import inspect
import json
import pathlib
import warnings

import numpy as np
import sklearn
from pandas import DataFrame, Series
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.utils import all_estimators
from sklearn.utils._test_common.instance_generator import _construct_instances

TARGET = pathlib.Path(__file__).parent.parent / "src" / "libraries" / "sklearn" / "estimators.json"
METHODS = (
    *("fit", "partial_fit", "fit_transform", "fit_predict"),
    *("predict", "predict_proba", "predict_log_proba", "decision_function", "transform", "inverse_transform", "score"),
)
# The parameters that hold other estimators.
PARTS = {"estimator", "estimators", "steps", "transformers", "transformer_list", "regressor"}
ROWS, COLUMNS = 40, 4

numbers = np.random.default_rng(0)
X = np.abs(numbers.normal(size=(ROWS, COLUMNS))) + 0.5
CLASSES = np.arange(ROWS) % 2
VALUES = X @ np.arange(1.0, COLUMNS + 1)
FRAME = DataFrame(X, columns=list("abcd"))


def with_one(value):
    changed = X.copy()
    changed[3, 1] = value
    return changed


TEXT = X.astype(object)
TEXT[3, 1] = "red"

# What is wrong, the data that show it, and the message of scikit-learn's common validation. Arrays and frames must agree.
FAULTS = {
    "features": (
        (X[:, :-1], DataFrame(X[:, :-1]), X[:, [0, 1, 2, 3, 3]]),
        tuple("X has %d features, but {name} is expecting 4 features as input." % count for count in (3, 3, 5)),
    ),
    "names": (
        (FRAME[["a", "b", "c"]], FRAME.assign(e=1.0), FRAME[["b", "a", "c", "d"]], FRAME.rename(columns={"a": "e"})),
        "The feature names should match those that were passed during fit.",
    ),
    "flat": (
        (X[:, 0], Series(X[:, 0])),
        ("Expected 2D array, got 1D array instead", "Expected a 2-dimensional container but got "),
    ),
    "text": ((TEXT, DataFrame(TEXT)), "could not convert string to float: 'red'"),
    "nan": ((with_one(np.nan), DataFrame(with_one(np.nan))), "Input X contains NaN."),
    "infinity": ((with_one(np.inf), DataFrame(with_one(np.inf))), "Input X contains infinity or a value too large"),
}
UNFITTED = "This {name} instance is not fitted yet. Call 'fit' with appropriate arguments before using this estimator."


def refusal(action, *arguments):
    try:
        action(*arguments)
    except Exception as error:
        return str(error)
    return ""


def target_faults(y):
    spoilt = y.astype(float)
    spoilt[3] = np.nan
    yield "lengths", y[:-1], "Found input variables with inconsistent numbers of samples: [%d, %d]" % (ROWS, ROWS - 1)
    yield "labels", y[:-1], "Number of labels=%d does not match number of samples=%d" % (ROWS - 1, ROWS)
    yield "target_nan", spoilt, "Input y contains NaN."


def refused(name, make):
    """For each fault the methods that refuse it, or "all" of those that could."""
    y = VALUES if is_regressor(make()) else CLASSES
    fitted, named = make().fit(X, y), make().fit(FRAME, y)
    told: dict[str, dict[str, bool]] = {}

    def judge(fault, method, messages, expected):
        prefixes = expected if isinstance(expected, tuple) else (expected,) * len(messages)
        pairs = zip(messages, prefixes, strict=True)
        told.setdefault(fault, {})[method] = all(message.startswith(prefix.format(name=name)) for message, prefix in pairs)

    for method in METHODS:
        if not hasattr(fitted, method):
            continue
        starts = "fit" in method
        rest = (y,) if "y" in list(inspect.signature(getattr(fitted, method)).parameters)[:2] else ()

        def model(fault="", starts=starts):
            return make() if starts else named if fault == "names" else fitted

        for fault, (forms, expected) in FAULTS.items():
            if not (starts and fault in ("features", "names")):
                judge(fault, method, [refusal(getattr(model(fault), method), form, *rest) for form in forms], expected)
        if rest:
            for fault, target, expected in target_faults(y):
                judge(fault, method, [refusal(getattr(model(), method), X, target)], expected)
        if not starts:
            judge("unfitted", method, [refusal(getattr(make(), method), X, *rest)], UNFITTED)
    if hasattr(fitted, "feature_importances_"):
        judge("importances", "feature_importances_", [refusal(lambda: make().feature_importances_)], UNFITTED)
    found = {}
    for fault, methods in told.items():
        refusing = [method for method, is_refused in methods.items() if is_refused]
        if refusing:
            found[fault] = "all" if len(refusing) == len(methods) and fault != "importances" else refusing
    return found


def by_position(cls):
    parameters = list(inspect.signature(cls).parameters.values())
    return [parameter.name for parameter in parameters if parameter.kind is parameter.POSITIONAL_OR_KEYWORD]


def hands_on(cls):
    """Whether the data go on to other estimators, so that what is refused depends on those."""
    return not PARTS.isdisjoint(inspect.signature(cls).parameters)


def row_of(name, cls):
    row = {"module": ".".join(cls.__module__.split(".")[:2])}
    if by_position(cls):
        row["positional"] = by_position(cls)
    try:
        model = next(iter(_construct_instances(cls)))
        refuses = refused(name, lambda: clone(model))
    except Exception as error:
        print(name, "was not tried:", str(error).splitlines()[0][:100])
        return row
    if hands_on(cls):
        # What is said of the names does not tell who says it.
        own = ["features", "names"] if "features" in refuses else []
        # A pipeline of steps that need no fit works unfitted.
        if by_position(cls)[:1] not in (["steps"], ["transformer_list"]):
            own.append("unfitted")
        return {**row, "refuses": {fault: refuses[fault] for fault in own if fault in refuses}}
    if is_classifier(model) or is_regressor(model):
        row["kind"] = "classifier" if is_classifier(model) else "regressor"
    return {**row, "refuses": refuses}


def main():
    warnings.simplefilter("ignore")
    rows = ["    %s: %s" % (json.dumps(name), json.dumps(row_of(name, cls))) for name, cls in all_estimators()]
    version = json.dumps(sklearn.__version__)
    methods = json.dumps(METHODS)
    TARGET.write_text(
        '{\n  "version": %s,\n  "methods": %s,\n  "classes": {\n%s\n  }\n}\n' % (version, methods, ",\n".join(rows))
    )


main()
