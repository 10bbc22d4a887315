# How a loop or a fit is cut short. A loop runs as it is until its place in the code has used its share of time, then
# jumps to its last element and ends normally; of a fit, the number of rounds is clamped. What was cut is written down.
import sys
import time

SHARE = 0.3
ROUNDS = 2
LONGEST_SLEEP = 0.05
CLAMPED = {"n_estimators": 4, "max_iter": 4, "num_boost_round": 4, "iterations": 4}
WITH_PARAMETERS = ("sklearn", "xgboost", "lightgbm", "catboost")
PLAIN = (list, tuple, range, str)
VIEWS = (dict, type({}.keys()), type({}.values()), type({}.items()))


class Plan:
    """An iteration of which length and last element can be had without the ones between; or of which nothing is known."""

    def __init__(self, iterator, length=None, last=None):
        self.iterator = iterator
        self.length = length
        self.last = last


class Cuts:
    def __init__(self):
        self.used = {}
        self.made = {}
        self.skipped = {}
        self.slept = False
        # What a fit raised whose rounds were clamped: it may not like the number.
        self.inside = None

    def told(self):
        return [dict(note, line=line, place=place) for (place, line), note in sorted(self.made.items(), key=str)]

    def skipped_seconds(self):
        """About how long the rounds would have taken that were left out."""
        return sum(self.skipped.values())

    def loop(self, site, maker, *arguments, **keywords):
        plan = _plan_of(maker, arguments, keywords)
        return self._run(site, plan) if plan.length is not None else plan.iterator

    def _run(self, site, plan):
        rounds, before = 0, self.used.get(site, 0)
        for element in plan.iterator:
            started = time.perf_counter()
            yield element
            self.used[site] = self.used.get(site, 0) + time.perf_counter() - started
            rounds += 1
            if self.used[site] > SHARE and ROUNDS <= rounds < plan.length - 1:
                self._note(site, "loop", rounds + 1, plan.length)
                left_out = (plan.length - rounds - 1) * (self.used[site] - before) / rounds
                self.skipped[site] = self.skipped.get(site, 0) + left_out
                yield plan.last()
                return

    def call(self, site, function, *arguments, **keywords):
        lowered = self._lowered(site, function, keywords)
        try:
            return function(*arguments, **keywords)
        except BaseException as error:
            if site in self.made:
                self.inside = error
            raise
        finally:
            for owner, before in lowered:
                owner.set_params(**before)

    def _lowered(self, site, function, keywords):
        owner = getattr(function, "__self__", None)
        if type(owner).__module__.partition(".")[0] in WITH_PARAMETERS and hasattr(owner, "get_params"):
            before = {}
            for name, value in owner.get_params(deep=True).items():
                limit = CLAMPED.get(name.rpartition("__")[2])
                if limit is not None and type(value) is int and value > limit:
                    before[name] = value
                    self._note(site, name, limit, value)
            if before:
                owner.set_params(**{name: CLAMPED[name.rpartition("__")[2]] for name in before})
                return [(owner, before)]
        elif (getattr(function, "__module__", None) or "").partition(".")[0] in WITH_PARAMETERS:
            rounds = keywords.get("num_boost_round")
            if type(rounds) is int and rounds > CLAMPED["num_boost_round"]:
                keywords["num_boost_round"] = CLAMPED["num_boost_round"]
                self._note(site, "num_boost_round", CLAMPED["num_boost_round"], rounds)
        return []

    def _note(self, site, what, done, of):
        self.made.setdefault(site, {"what": what, "done": done, "of": of})

    def shorten_sleep(self):
        sleep = time.sleep

        def short(seconds):
            self.slept = self.slept or seconds > LONGEST_SLEEP
            sleep(min(seconds, LONGEST_SLEEP))

        time.sleep = short


def _plan_of(maker, arguments, keywords):
    if maker is enumerate and len(arguments) in (1, 2) and set(keywords) <= {"start"}:
        start = arguments[1] if len(arguments) == 2 else keywords.get("start", 0)
        inner = plan_of(arguments[0])
        if inner.length is None or type(start) is not int:
            return Plan(enumerate(inner.iterator, start))
        return Plan(
            enumerate(inner.iterator, start), inner.length, lambda: (start + inner.length - 1, inner.last())
        )
    if maker is zip and arguments and not keywords:
        parts = [plan_of(argument) for argument in arguments]
        together = zip(*(part.iterator for part in parts))
        lengths = {part.length for part in parts}
        if len(lengths) != 1 or None in lengths:
            return Plan(together)
        return Plan(together, lengths.pop(), lambda: tuple(part.last() for part in parts))
    if maker is not None:
        return Plan(iter(maker(*arguments, **keywords)))
    return plan_of(arguments[0])


def plan_of(value):
    kind = type(value)
    if kind in PLAIN:
        return Plan(iter(value), len(value), lambda: value[-1])
    if kind in VIEWS:
        return Plan(iter(value), len(value), lambda: list(value)[-1])
    root = kind.__module__.partition(".")[0]
    if root == "tqdm" and hasattr(value, "iterable"):
        return plan_of(value.iterable)
    if root == "numpy" and kind.__name__ == "ndarray" and value.ndim > 0:
        return Plan(iter(value), len(value), lambda: value[-1])
    torch = sys.modules.get("torch")
    if torch is not None and kind is torch.Tensor and value.dim() > 0:
        return Plan(iter(value), len(value), lambda: value[-1])
    data = sys.modules.get("torch.utils.data")
    if data is not None and kind is data.DataLoader:
        return _loader(value)
    return Plan(iter(value))


def _loader(loader):
    iterator = iter(loader)
    fetcher = getattr(iterator, "_dataset_fetcher", None)
    if type(iterator).__name__ != "_SingleProcessDataLoaderIter" or type(fetcher).__name__ != "_MapDatasetFetcher":
        return Plan(iterator)

    def last():
        indices = None
        for indices in iterator._sampler_iter:
            pass
        return fetcher.fetch(indices)

    return Plan(iterator, len(loader), last)
