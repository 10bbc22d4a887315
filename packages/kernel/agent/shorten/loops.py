# How a loop is cut short. It runs as it is until its place in the code has used its share of time, then jumps to its last
# element, or its counter to the last value, and ends normally. Lists get what the rounds between would have added. What was
# cut is written down, and which names kept their form.
import contextlib
import itertools
import linecache
import math
import sys
import time

from .counted_whiles import last_value
from .growth import Growth, Seen, lengthen
from .kinds import Loop
from .never_run import Decided
from .things import is_of_notebook
from .used_up import generators_without_rest

SHARE = 0.3
# A list that is made in one go is data more often than training: it is cut later.
SHARE_OF_A_LIST = 2.0
ROUNDS = 2
# A loop that is over in so many seconds anyway is not cut, as long as its place in the code has not used up some more.
SOON, MOST_FOR_WHOLE = 2.0, 6.0
# One of so few rounds, as over folds or settings, may take longer: most of what its rounds do is cut itself.
FEW, SOON_FOR_FEW, MOST_FOR_FEW = 8, 8.0, 12.0
# Of a loop that may be left early nobody knows whether it comes to a later round: so long it runs on to one of a kind that
# was not seen yet.
RUN_ON = 3.0
# Rounds that go through branches which none went through before.
FORCED = 2
# Seconds in which a loop is over before anything can be looked at.
QUICK = 0.002
LONGEST_SLEEP = 0.05
PLAIN = (list, tuple, range, str)
VIEWS = (dict, type({}.keys()), type({}.values()), type({}.items()))


class Plan:
    """An iteration of which length and last element can be had without the ones between; or of which nothing is known:
    then the length is None. `at(index)`: any other element, where that is known. `values`: all elements, `firsts`: the first
    of each pair, where these can be had beforehand. `is_exact`: it really has so many elements."""

    def __init__(self, iterator, length=None, last=lambda: None, at=None, values=None, firsts=None, is_exact=True):
        self.iterator = iterator
        self.length = length
        self.last = last
        self.at = at
        self.values, self.firsts, self.is_exact = values, firsts, is_exact


class Cuts:
    """What was cut, by the place in the code: the loops here, the calls of libraries in `fits`."""

    def __init__(self, effects, variation=None):
        self.effects = effects
        # In a copy that tries whether an exception comes with other numbers too.
        self.variation = variation
        self.more_rounds = variation.more_rounds if variation is not None else 0
        # (place, line) of the blocks that ran, and how often; of those that did not, where the exception may hang on that.
        self.ran, self.unrun = {}, None
        # (place, line) of the loops that were cut and in which the exception came.
        self.around = []
        # Whether the exception counts only if it says the same sizes after every number of rounds.
        self.of_sizes = False
        # Sites to names to whether they kept their form; lists and more whose size is not known, by identity.
        self.stable = {}
        self.irregular = {}
        # Lists and tables that grow in some rounds only, and are as long as after the whole loop.
        self.settled = {}
        # Tests that come out the same in every round; generators that had nothing left before anything was cut.
        self.decided = Decided()
        self.names, self.used_up = {}, {}
        # (file, line) of the cell at the first cut.
        self.first = None
        # Schedules that count on for rounds that were left out, and how far they had come.
        self.moved_on = {}
        # How many things are going on that may be cut, one inside the other; and how often something was.
        self.inner = self.noted = 0
        self.outermost = (None, None)
        self.entered = {}
        self.used = {}
        self.made = {}
        self.skipped = {}
        self.counters = {}
        self.libraries = {}
        # Trainers, by identity, and what they held before they trained.
        self.parts = {}
        # Of trainers, those that train half as long.
        self.halved = set()
        self.slept = False
        # The loops that are going on, outermost first.
        self.going_on = []
        # (from, until) of the rounds of every cut loop before its last one, and of cut calls.
        self.early = []
        # [from, to the end] of the same, as far as that is known.
        self.spans = []
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

    def run_block(self, site):
        self.ran[site] = self.ran.get(site, 0) + 1

    def test(self, site, text, answer, grown=(), counted=None, settings=None, blocks=()):
        """The answer of a test that may hang on the number of a round. `grown`: what its branches may make longer;
        `blocks`: their lines."""
        frame = sys._getframe(1)
        for loop in self.going_on:
            loop.note(site, text, grown, counted, frame)
        self.decided.note(site, text, answer, settings, self.going_on, frame)
        if self.variation is not None and self.noted > 0:
            for other, line in zip((True, False), blocks):
                if (site[0], line) in self.variation.forced and (site[0], line) not in self.ran:
                    return other
        return answer

    def loop(self, site, maker, *arguments, **keywords):
        plan = _plan_of(maker, arguments, keywords)
        return self._run(site, plan, SHARE, False) if plan.length is not None else plan.iterator

    def open_loop(self, site, maker, *arguments, **keywords):
        """One that may be left before its last round: nobody knows after how many."""
        plan = _plan_of(maker, arguments, keywords)
        return self._run(site, plan, SHARE, True) if plan.length is not None else plan.iterator

    def collect(self, site, maker, *arguments, **keywords):
        """The elements of a comprehension."""
        plan = _plan_of(maker, arguments, keywords)
        return self._run(site, plan, SHARE_OF_A_LIST, False) if plan.length is not None else plan.iterator

    def whole(self, site, plain, made):
        """What a comprehension made. A list gets the elements that were left out."""
        note = self.made.get(site, {}).get("loop")
        if note is not None:
            skipped, last = note["of"] - len(made), made[-1:] if plain else None
            if not plain or skipped <= 0:
                self.irregular[id(made)] = made
                return made
            del made[-1:]
            if not lengthen(made, 1, skipped):
                self.irregular[id(made)] = made
            made += last
        return made

    def _run(self, site, plan, share, is_open):
        before, growth, earlier, cut, over = self.used.get(site, 0), None, None, None, False
        start, since = self._look_at(site, sys._getframe(1)), time.time()
        span = self.begin(sys._getframe(1))
        going_on = Loop(site, plan)
        self.going_on.append(going_on)
        try:
            for rounds, element in enumerate(plan.iterator, 1):
                started, going_on.number = time.perf_counter(), rounds
                yield element
                took = time.perf_counter() - started
                self.spend(site, took)
                if not self.is_spent(site, share) or rounds >= plan.length - 1:
                    continue
                left_out = plan.length - rounds - 1
                if self.is_soon_over(site, (left_out + 1) * took, plan.length):
                    continue
                if is_open and rounds < going_on.goes_on_to(rounds, plan.length, RUN_ON - self.used[site]):
                    continue
                seen = Seen(sys._getframe(1))
                if rounds >= ROUNDS + self.more_rounds and earlier is not None:
                    self.note(site, "loop", rounds + 1, plan.length, counts_on=True)
                    cut = self.leave_out(since)
                    self.skip(site, left_out, (self.used[site] - before) / rounds)
                    at = plan.at if not is_open else None
                    growth = Growth(start, earlier, seen, rounds)
                    frame = sys._getframe(1)
                    text = "".join(linecache.getlines(frame.f_code.co_filename))
                    going_on.counts = going_on.counts and growth.counts_on(text, site[1])
                    if is_open or not going_on.counts:
                        self._lose_count(site)
                    decided = at is not None and (going_on.tests or growth.uneven)
                    kinds = going_on.kinds(rounds, plan.length) if decided else None
                    chosen = kinds.chosen(took, bool(growth.uneven)) if kinds is not None else []
                    if self.variation is not None and self.variation.may_end(site):
                        growth = None
                        for number in chosen:
                            going_on.number = number
                            yield at(number - 1) if at is not None else None
                        self.variation.shrink(sys._getframe(1), plan.length, rounds + len(chosen))
                        break
                    left_out = self.rounds(left_out - len(chosen), is_open)
                    growth.fill(left_out, len(chosen))
                    for key, found in growth.moved_on.items():
                        self.moved_on.setdefault(key, found)
                    self.jump(sys._getframe(1))
                    looked_at = []
                    if self.variation is not None and self.variation.forced:
                        yield from itertools.islice(plan.iterator, min(FORCED, left_out))
                    for number in chosen:
                        going_on.number = number
                        growth.count_to(number, sys._getframe(1))
                        before_it = Seen(sys._getframe(1))
                        yield at(number - 1) if at is not None else None
                        looked_at.append((number, before_it, Seen(sys._getframe(1))))
                    if kinds is not None:
                        growth.settle(kinds, looked_at)
                    if self.variation is not None and self.variation.lengthens:
                        growth.fill_anyway(left_out)
                    growth.count_to(rounds + left_out + len(chosen) + 1, sys._getframe(1))
                    # What says how long it is may be shorter.
                    with contextlib.suppress(StopIteration):
                        yield plan.last()
                    break
                earlier = seen
            over = True
        finally:
            self.going_on.remove(going_on)
            frame = sys._getframe(1)
            if growth is not None:
                self.observe(site, *growth.end(frame))
                self.settled.update(growth.settled)
            if cut is not None and over:
                cut[1] = time.time()
            # Without a way to leave it, a loop that does not come to its end was ended by an exception.
            self.end(span if over or is_open else None, frame)

    def _look_at(self, site, frame):
        """How things are at the start of a loop; of one that is entered often and is soon over only the first time."""
        times = self.entered[site] = self.entered.get(site, 0) + 1
        return Seen(frame) if times == 1 or self.used.get(site, 0) / (times - 1) > QUICK else None

    def rounds(self, left_out, is_open):
        """For how many rounds lists are filled up: for all of them, or where that is not known, sometimes for fewer."""
        return left_out if self.variation is None or not is_open else self.variation.fewer(left_out)

    def is_half(self, site):
        """Whether a trainer is to train about half as long, now that it jumps: not a second time."""
        half = self.variation is not None and self.variation.ends_loops and site not in self.halved
        if half:
            self.halved.add(site)
        return half

    def few(self, number):
        """So many rounds of a call that is cut; in a copy that tries again, others."""
        return number if self.variation is None else self.variation.rounds_of(number)

    def observe(self, site, stable, irregular):
        known = self.stable.setdefault(site, {})
        for name, kept in stable.items():
            known[name] = kept and known.get(name, True)
        self.irregular.update(irregular)

    def begin(self, frame):
        """Something begins that may be cut; what it contains counts as part of it."""
        self.inner += 1
        if self.inner > 1:
            return None
        before = self.variation.before(frame) if self.variation is not None else None
        self.outermost = (frame, before)
        return self.noted, before

    def jump(self, frame):
        """The last round, too, has other numbers from those before it."""
        if self.variation is not None and not self.variation.late and self.outermost[0] is frame:
            self.variation.after(self.outermost[1], frame, counters=False)

    def end(self, span, frame, *more):
        self.inner -= 1
        if span is None or span[0] == self.noted:
            return
        if self.variation is not None:
            self.variation.after(span[1], frame, *more)

    def count(self, site, value, direction, step, bound, inclusive):
        """At the beginning of a round of a counting `while`: the value to go on with. Without a `step` it is looked at."""
        last = self.counters.get(site)
        if last is None or type(value) is not int or (value - last.value) * direction <= 0:
            self.inner -= last is not None
            frame = sys._getframe(1)
            self.counters[site] = Counter(value, self._look_at(site, frame), self.begin(frame))
            return value
        counter = last.again(value)
        self.spend(site, counter.seconds)
        goal = last_value(value, step or counter.step, bound, inclusive)
        if not self.is_spent(site) or goal == value:
            return value
        earlier, counter.seen = counter.seen, Seen(sys._getframe(1))
        if counter.rounds < ROUNDS or earlier is None:
            return value
        left_out = round((goal - value) / counter.average())
        self.note(site, "loop", counter.rounds + 1, counter.rounds + 1 + left_out)
        self.leave_out(counter.entered)
        self.skip(site, left_out, counter.total / counter.rounds)
        counter.growth = Growth(counter.start, earlier, counter.seen, counter.rounds)
        counter.growth.fill(self.rounds(left_out, True))
        self.jump(sys._getframe(1))
        return goal

    def counted(self, site):
        """After a counting `while`."""
        counter, frame = self.counters.pop(site, None), sys._getframe(1)
        if counter is not None:
            if counter.growth is not None:
                self.observe(site, *counter.growth.end(frame))
            self.end(counter.span, frame)

    def spend(self, site, seconds):
        self.used[site] = self.used.get(site, 0) + seconds

    def is_spent(self, site, share=SHARE):
        return self.used.get(site, 0) > share

    def is_soon_over(self, site, seconds, length):
        """Whether what is left takes so few seconds that it is not worth a doubt."""
        soon, most = (SOON_FOR_FEW, MOST_FOR_FEW) if length <= FEW else (SOON, MOST_FOR_WHOLE)
        return seconds < soon and self.used.get(site, 0) < most

    def leave_out(self, since):
        """From now on rounds are left out of what began then: when it is over can be told to what this gives."""
        span = [since, math.inf]
        self.early.append((since, time.time()))
        self.spans.append(span)
        return span

    def skip(self, site, rounds, seconds):
        self.skipped[site] = self.skipped.get(site, 0) + rounds * seconds

    def note(self, site, what, done, of, library=None, owner=None, counts_on=False):
        """`library`: whose call it is when that calls back; `owner`: the object of the call; `counts_on`: numbers that it
        counts are where they would be."""
        for loop in self.going_on:
            loop.is_whole_inside = loop.is_whole_inside and loop.site == site
        if not counts_on:
            self._lose_count(site)
        if self.noted == 0:
            self.used_up = generators_without_rest(self.names)
            self.first = self._line_of_cell()
        self.noted += 1
        if library is not None:
            self.libraries[site] = (library, owner)
        self.made.setdefault(site, {}).setdefault(what, {"what": what, "done": done, "of": of})

    def _lose_count(self, site):
        """Loops around this one know no numbers but their own."""
        for loop in self.going_on:
            loop.counts = loop.counts and loop.site == site

    def _line_of_cell(self):
        frame, found = sys._getframe(1), ("", 0)
        while frame is not None:
            if frame.f_globals is self.names:
                found = (frame.f_code.co_filename, frame.f_lineno)
            frame = frame.f_back
        return found

    def shorten_sleep(self):
        sleep = time.sleep

        def short(seconds):
            self.slept = self.slept or seconds > LONGEST_SLEEP
            sleep(min(seconds, LONGEST_SLEEP))

        time.sleep = short


class Counter:
    """The rounds of a counting `while` since it was entered."""

    def __init__(self, value, start, span):
        self.first = self.value = value
        self.start = start
        self.rounds, self.total, self.seconds = 0, 0.0, 0.0
        self.since = time.perf_counter()
        self.entered = time.time()
        self.span = span
        self.seen = self.growth = None
        # How far every round moved the value; None when they differ.
        self.step = 0

    def again(self, value):
        now = time.perf_counter()
        self.seconds, self.since = now - self.since, now
        self.total += self.seconds
        self.rounds += 1
        moved = value - self.value
        self.step = moved if self.step in (0, moved) else None
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
        at = inner.at or (lambda _: next(inner.iterator))
        last, numbers = (lambda: (start + length - 1, inner.last())), range(start, start + length)
        # What an object says of its length need not be so.
        firsts = numbers if inner.is_exact else None
        return Plan(numbered, length, last, lambda index: (start + index, at(index)), firsts=firsts)
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
        values = value if kind is not list else None
        return Plan(iter(value), len(value), lambda: value[-1], lambda index: value[index], values)
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
    return _sized(value, iter(value))


def _sized(value, iterator):
    """Something that knows how many elements it has, and can be gone through once more."""
    try:
        length = len(value) if iterator is not value else None
    except Exception:
        length = None
    if length is None:
        return Plan(iterator)

    def last():
        """Its last element, or the last that comes in a share of time: one of them in any case."""
        found, until = next(iterator), time.perf_counter() + SHARE
        for element in iterator:
            found = element
            if time.perf_counter() > until:
                break
        return found

    return Plan(iterator, length, last, is_exact=False)


def _loader(loader):
    iterator = iter(loader)
    fetcher = getattr(iterator, "_dataset_fetcher", None)
    known = type(iterator).__name__ == "_SingleProcessDataLoaderIter" and type(fetcher).__name__ == "_MapDatasetFetcher"
    if fetcher is None or not known:
        return Plan(iterator)

    def last():
        *_, indices = iterator._sampler_iter
        return fetcher.fetch(indices)

    drawn = (loader.sampler, loader.batch_sampler)
    return Plan(iterator, len(loader), last, is_exact=not any(map(is_of_notebook, drawn)))
