# How a call that trains is cut short: the rounds of an estimator or of boosting are clamped, trainers jump to their last
# batches and epochs, searches and cross-validations to their last fit.
import sys
import time

from . import keras_fits, searches, trainers
from .codes import codes_of
from .growth import Seen, lengthen

CLAMPED = {"n_estimators": 4, "max_iter": 4, "num_boost_round": 4, "iterations": 4}
ROUNDS = "num_boost_round"
BOOSTERS = ("xgboost", "lightgbm", "catboost")
# Rounds of which something is recorded one by one.
REPORTED = (ROUNDS, "n_estimators", "iterations", keras_fits.EPOCHS)
WITH_PARAMETERS = ("sklearn", *BOOSTERS)


class Fits:
    def __init__(self, cuts):
        self.cuts = cuts
        self.filled = {}
        self.searches = searches.Searches(cuts)
        self.trainers = trainers.Trainers(cuts)

    def call(self, site, function, *arguments, **keywords):
        if getattr(function, "__module__", None) == "__main__":
            # The notebook's own: what is cut in it is cut where it stands.
            return function(*arguments, **keywords)
        frame, arguments = sys._getframe(1), list(arguments)
        seen, span, answer, since = Seen(frame), self.cuts.begin(frame), None, time.time()
        undo = self._shorten(site, function, arguments, keywords)
        try:
            answer = function(*arguments, **keywords)
            return answer
        except BaseException as error:
            # It ends here, and nothing that it made is used.
            span = None
            if site in self.cuts.made:
                self.cuts.inside = error
            raise
        finally:
            for step in reversed(undo):
                step()
            if site in self.cuts.made:
                self.cuts.leave_out(since)[1] = time.time()
                self._fill(site, seen, frame, answer)
            self.cuts.end(span, frame, getattr(function, "__self__", None), answer)

    def _fill(self, site, before, frame, answer):
        """Lists that got an element for every round get one for those that were left out."""
        for note in self.cuts.made[site].values():
            for key, (held, length) in Seen(frame, answer).lists.items():
                grown = length - before.lists.get(key, (held, 0))[1]
                if grown == 0 or id(held) in self.filled:
                    continue
                by, rest = divmod(grown, note["done"])
                self.filled[id(held)] = held
                left_out = self.cuts.rounds(note["of"] - note["done"], True)
                if rest or note["what"] not in REPORTED or not lengthen(held, by, left_out):
                    self.cuts.irregular[id(held)] = held

    def _limit(self, name):
        return self.cuts.few(CLAMPED[name])

    def _shorten(self, site, function, arguments, keywords):
        owner = getattr(function, "__self__", None)
        undo = self.trainers.shorten(site, owner)
        if undo:
            return undo
        root = _root(type(owner).__module__ if owner is not None else getattr(function, "__module__", None))
        if root == "keras":
            return keras_fits.shorten(self.cuts, site, function, arguments, keywords)
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
            last = name.rpartition("__")[2]
            if last in CLAMPED and type(value) is int and value > self._limit(last):
                before[name] = value
                self.cuts.note(site, name, self._limit(last), value, library)
        if not before:
            return []
        estimator.set_params(**{name: self._limit(name.rpartition("__")[2]) for name in before})
        return [lambda: estimator.set_params(**before)]

    def _fewer_rounds(self, site, root, arguments, keywords):
        """Of `train` and `cv`, which take parameters, data and the number of rounds, in this order."""
        limit = self._limit(ROUNDS)
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
