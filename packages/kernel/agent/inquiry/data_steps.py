# Steps on the real data of the kernel: frames, series, arrays, estimators, plain values. Nothing is changed in place: a
# step that would change an object gives a changed copy, so the order in which steps are taken does not matter.
import copy
import functools
import operator
import os
import sys
import warnings

from ..describe.registry import tables
from ..describe.walk import Walk
from ..objects.budget import Budget
from ..protocol import reasons

TOLD = {"ms": 60, "bytes": 60_000}
# Names by which parameters of LightGBM set the number of rounds.
ROUNDS = frozenset(
    "num_iterations num_iteration n_iter num_tree num_trees num_round num_rounds nrounds num_boost_round n_estimators "
    "max_iter".split()
)
MOST_READ = 4_000_000
UNARY = {"USub": operator.neg, "UAdd": operator.pos, "Invert": operator.invert}


class NoAnswer(Exception):
    """The step cannot be taken here; `reason` says why."""

    def __init__(self, reason):
        super().__init__(reason["code"])
        self.reason = reason


def _copied(value, copied):
    """A copy to be changed; one that cannot be made says nothing of the step."""
    try:
        return copied(value)
    except Exception:
        raise NoAnswer(reasons.cannot_be_copied()) from None


class DataSteps:
    """Mixed into a program of steps."""

    def _mapping(self, step, parts):
        given = parts["args"]
        return dict(zip(given[::2], given[1::2]))

    def _unary(self, step, parts):
        return UNARY[step["name"]](parts["args"][0])

    def _stored(self, step, parts):
        """`container[key] = value`, `container.loc[key] = value` or `container.name = value`, in a copy."""
        container, key, value = parts["args"]
        changed = _copied(container, operator.methodcaller("copy"))
        way = step.get("name")
        if way == ".":
            setattr(changed, key, value)
        else:
            (changed if way is None else getattr(changed, way))[key] = value
        return changed

    def _fitted(self, step, parts):
        """A copy of the estimator after a method that changes it."""
        changed = _copied(parts["receiver"], copy.deepcopy)
        getattr(changed, step["name"])(*parts["args"], **parts["keywords"])
        return changed

    def _tried(self, step, parts):
        """The same method of a copy that is told to work little: what it refuses, it refuses all the same."""
        trimmed = _copied(parts["receiver"], copy.deepcopy)
        trimmed.set_params(**_less(trimmed.get_params(deep=True)))
        with warnings.catch_warnings():
            # That so little work ends nowhere is no refusal, even where warnings are made errors.
            warnings.simplefilter("ignore")
            getattr(trimmed, step["name"])(*parts["args"], **parts["keywords"])

    def _trained(self, step, parts):
        """A booster of one round, whatever the number that is asked for: `train(parameters, data, rounds, …)`."""
        given, keywords = list(parts["args"]), dict(parts["keywords"])
        parameters = given[0] if given else keywords.get("params")
        if type(parameters) is not dict:
            raise NoAnswer(reasons.parameters_not_plain())
        if given:
            given[0] = _without_rounds(parameters)
        else:
            keywords["params"] = _without_rounds(parameters)
        if len(given) > 2:
            given[2] = 1
        else:
            keywords["num_boost_round"] = 1
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parts["callee"](*given, **keywords)

    def _apart(self, step, parts):
        """What a method gives that also changes its object: asked of a copy."""
        return getattr(_copied(parts["receiver"], copy.deepcopy), step["name"])(*parts["args"], **parts["keywords"])


def _without_rounds(parameters):
    return {name: value for name, value in parameters.items() if name not in ROUNDS}


def _less(parameters):
    """Little to do, and one thread to do it, for an estimator and those that it is made of."""
    less = {}
    for name, value in parameters.items():
        short = name.rpartition("__")[2]
        is_many = short in ("n_estimators", "max_iter") and type(value) is int and value > 1
        is_default = short == "n_estimators" and value is None
        if is_many or is_default or (short == "n_jobs" and value != 1):
            less[name] = 1
    return less


def no_iterator(value):
    """Iterators are used up by whoever takes from them, and fail then and not before."""
    if hasattr(type(value), "__next__"):
        raise NoAnswer(reasons.gives_iterator())
    return value


def is_long_read(path):
    try:
        return os.path.getsize(path) > MOST_READ
    except OSError:
        return False


@functools.lru_cache(maxsize=1)
def _tables(_loaded):
    """In a copy, classes come with modules alone."""
    return tables()


def know_classes():
    """In the kernel, before a copy is made: it need not look for the classes itself."""
    _tables.cache_clear()
    _tables(len(sys.modules))


def described(value):
    """The value as a snapshot tells it."""
    walk = Walk(None, Budget(TOLD), 0, [], _tables(len(sys.modules)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ref = walk.ref(value)
        walk.run()
    return {"kind": "object", "ref": ref, "objects": walk.objects}
