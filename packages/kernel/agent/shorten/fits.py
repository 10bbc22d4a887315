# How a call that trains is cut short: the rounds of an estimator or of boosting are clamped, trainers jump to their last
# batches and epochs, searches and cross-validations to their last fit.
import sys

from . import searches, trainers
from .uses import codes_of

CLAMPED = {"n_estimators": 4, "max_iter": 4, "num_boost_round": 4, "iterations": 4}
ROUNDS = "num_boost_round"
BOOSTERS = ("xgboost", "lightgbm", "catboost")
WITH_PARAMETERS = ("sklearn", *BOOSTERS)


class Fits:
    def __init__(self, cuts):
        self.cuts = cuts
        self.searches = searches.Searches(cuts)
        self.trainers = trainers.Trainers(cuts)

    def call(self, site, function, *arguments, **keywords):
        arguments = list(arguments)
        undo = self._shorten(site, function, arguments, keywords)
        try:
            return function(*arguments, **keywords)
        except BaseException as error:
            if site in self.cuts.made:
                self.cuts.inside = error
            raise
        finally:
            for step in reversed(undo):
                step()

    def _shorten(self, site, function, arguments, keywords):
        owner = getattr(function, "__self__", None)
        undo = self.trainers.shorten(site, owner)
        if undo:
            return undo
        root = _root(type(owner).__module__ if owner is not None else getattr(function, "__module__", None))
        if root not in WITH_PARAMETERS:
            return []
        if root in ("xgboost", "lightgbm") and function.__name__ in ("train", "cv"):
            self._fewer_rounds(site, root, arguments, keywords)
            return []
        estimator = owner if owner is not None else arguments[0] if arguments else keywords.get("estimator")
        library = root if root in BOOSTERS or _calls_back([estimator, *arguments, *keywords.values()]) else None
        undo = [self.searches.within(site, library)] if root == "sklearn" else []
        return undo + self._lowered(site, estimator, library)

    def _lowered(self, site, estimator, library):
        """The rounds of an estimator, and of those that it is made of, clamped until the call is over."""
        if _root(type(estimator).__module__) not in WITH_PARAMETERS or not hasattr(estimator, "get_params"):
            return []
        before = {}
        for name, value in estimator.get_params(deep=True).items():
            limit = CLAMPED.get(name.rpartition("__")[2])
            if limit is not None and type(value) is int and value > limit:
                before[name] = value
                self.cuts.note(site, name, limit, value, library)
        if not before:
            return []
        estimator.set_params(**{name: CLAMPED[name.rpartition("__")[2]] for name in before})
        return [lambda: estimator.set_params(**before)]

    def _fewer_rounds(self, site, root, arguments, keywords):
        """Of `train` and `cv`, which take parameters, data and the number of rounds, in this order."""
        limit = CLAMPED[ROUNDS]
        told = arguments[2] if len(arguments) > 2 else keywords.get(ROUNDS)
        parameters = arguments[0] if arguments else keywords.get("params")
        if root == "lightgbm" and isinstance(parameters, dict):
            aliases = sys.modules["lightgbm.basic"]._ConfigAliases.get("num_iterations")
            named = {name: value for name, value in parameters.items() if name in aliases}
            if any(type(value) is not int for value in named.values()):
                return
            if named:
                told = max(named.values())
                fewer = {**parameters, **{name: min(limit, value) for name, value in named.items()}}
                if arguments:
                    arguments[0] = fewer
                else:
                    keywords["params"] = fewer
        if told is None:
            told = 100 if root == "lightgbm" else 10
        if type(told) is not int or told <= limit:
            return
        self.cuts.note(site, ROUNDS, limit, told, root)
        if len(arguments) > 2:
            arguments[2] = limit
        else:
            keywords[ROUNDS] = limit


def _root(module):
    return (module or "").partition(".")[0]


def _calls_back(given):
    """Whether functions or classes of the notebook are among these, or among what they are made of."""
    for value in given:
        parts = value.get_params(deep=True).values() if hasattr(value, "get_params") else ()
        for part in [value, *parts]:
            scorers = part.values() if isinstance(part, dict) else part if isinstance(part, (list, tuple)) else [part]
            for one in scorers:
                if codes_of(one) or codes_of(getattr(one, "_score_func", None)):
                    return True
    return False
