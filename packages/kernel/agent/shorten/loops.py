# How a loop is cut short. It runs as it is until its place in the code has used its share of time, then jumps to its last
# element, or its counter to the last value, and ends normally. What was cut is written down.
import sys
import time

from .counted_whiles import last_value

SHARE = 0.3
# A list that is made in one go is data more often than training: it is cut later.
SHARE_OF_A_LIST = 2.0
ROUNDS = 2
LONGEST_SLEEP = 0.05
PLAIN = (list, tuple, range, str)
VIEWS = (dict, type({}.keys()), type({}.values()), type({}.items()))


class Plan:
    """An iteration of which length and last element can be had without the ones between; or of which nothing is known:
    then the length is None."""

    def __init__(self, iterator, length=None, last=lambda: None):
        self.iterator = iterator
        self.length = length
        self.last = last


class Cuts:
    """What was cut, by the place in the code: the loops here, the calls of libraries in `fits`."""

    def __init__(self):
        self.used = {}
        self.made = {}
        self.skipped = {}
        self.counters = {}
        self.libraries = {}
        self.slept = False
        # What a call raised that was cut short: it may not like the number of rounds.
        self.inside = None

    def told(self):
        return [
            dict(note, line=line, place=place)
            for (place, line), notes in sorted(self.made.items(), key=str)
            for note in notes.values()
        ]

    def skipped_seconds(self):
        """About how long the rounds would have taken that were left out."""
        return sum(self.skipped.values())

    def loop(self, site, maker, *arguments, **keywords):
        plan = _plan_of(maker, arguments, keywords)
        return self._run(site, plan, SHARE) if plan.length is not None else plan.iterator

    def collect(self, site, maker, *arguments, **keywords):
        """The elements of a comprehension."""
        plan = _plan_of(maker, arguments, keywords)
        return self._run(site, plan, SHARE_OF_A_LIST) if plan.length is not None else plan.iterator

    def _run(self, site, plan, share):
        before = self.used.get(site, 0)
        for rounds, element in enumerate(plan.iterator, 1):
            started = time.perf_counter()
            yield element
            self.spend(site, time.perf_counter() - started)
            if self.is_spent(site, share) and ROUNDS <= rounds < plan.length - 1:
                self.note(site, "loop", rounds + 1, plan.length)
                self.skip(site, plan.length - rounds - 1, (self.used[site] - before) / rounds)
                yield plan.last()
                return

    def count(self, site, value, step, bound, inclusive):
        """At the beginning of a round of a counting `while`: the value to go on with."""
        last = self.counters.get(site)
        if last is None or type(value) is not int or (value - last.value) * step <= 0:
            self.counters[site] = Counter(value)
            return value
        counter = last.again(value)
        self.spend(site, counter.seconds)
        goal = last_value(value, step, bound, inclusive)
        if self.is_spent(site) and counter.rounds >= ROUNDS and goal != value:
            per_round = counter.total / counter.rounds
            left_out = round((goal - value) / counter.average())
            self.note(site, "loop", counter.rounds + 1, counter.rounds + 1 + left_out)
            self.skip(site, left_out, per_round)
            return goal
        return value

    def spend(self, site, seconds):
        self.used[site] = self.used.get(site, 0) + seconds

    def is_spent(self, site, share=SHARE):
        return self.used.get(site, 0) > share

    def skip(self, site, rounds, seconds):
        self.skipped[site] = self.skipped.get(site, 0) + rounds * seconds

    def note(self, site, what, done, of, library=None, owner=None):
        """`library`: whose call it is when that calls back; `owner`: the object of the call."""
        if library is not None:
            self.libraries[site] = (library, owner)
        self.made.setdefault(site, {}).setdefault(what, {"what": what, "done": done, "of": of})

    def shorten_sleep(self):
        sleep = time.sleep

        def short(seconds):
            self.slept = self.slept or seconds > LONGEST_SLEEP
            sleep(min(seconds, LONGEST_SLEEP))

        time.sleep = short


class Counter:
    """The rounds of a counting `while` since it was entered."""

    def __init__(self, value):
        self.first = self.value = value
        self.rounds, self.total, self.seconds = 0, 0.0, 0.0
        self.since = time.perf_counter()

    def again(self, value):
        now = time.perf_counter()
        self.seconds, self.since = now - self.since, now
        self.total += self.seconds
        self.rounds += 1
        self.value = value
        return self

    def average(self):
        """How far a round moves the value."""
        return (self.value - self.first) / self.rounds


def _plan_of(maker, arguments, keywords):
    if maker is enumerate and len(arguments) in (1, 2) and set(keywords) <= {"start"}:
        start = arguments[1] if len(arguments) == 2 else keywords.get("start", 0)
        inner = plan_of(arguments[0])
        numbered, length = enumerate(inner.iterator, start), inner.length
        if length is None or type(start) is not int:
            return Plan(numbered)
        return Plan(numbered, length, lambda: (start + length - 1, inner.last()))
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
    known = type(iterator).__name__ == "_SingleProcessDataLoaderIter" and type(fetcher).__name__ == "_MapDatasetFetcher"
    if fetcher is None or not known:
        return Plan(iterator)

    def last():
        *_, indices = iterator._sampler_iter
        return fetcher.fetch(indices)

    return Plan(iterator, len(loader), last)
