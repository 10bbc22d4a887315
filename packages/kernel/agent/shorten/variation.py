# Other numbers in the place of those that training made. An exception that comes with each of several kinds of them does
# not hang on what training computes, so neither on how much of it was left out.
import importlib
import random
import sys

from . import forms
from .other_numbers import ALL, LARGE, SMALL, ZERO, Numbers, is_number
from .things import is_a, is_code, is_of_notebook, is_settings

__all__ = ["ALL", "ZERO", "Variation"]
ANSWERING = ("sklearn", "xgboost", "lightgbm", "catboost")
HASHED = 1 << 26
MOST_PARTS, MOST_KNOWN = 2_000, 200_000


class Variation:
    """`rounds`: training is also made of other rounds than in the first copy. `late`: other numbers come when it is over,
    not already before its last round. `forced`: (place, line) of blocks that rounds are made to go through; `ran`: of those
    that ran in the first copy. `around`: of the loops in which the exception came, which are not ended before."""

    def __init__(self, number, rounds=False, late=False, forced=(), ran=(), around=()):
        self.number = number
        self.late = late
        self.forced, self.ran, self.around = ({tuple(site) for site in sites} for sites in (forced, ran, around))
        self.ends_loops, self.lengthens = rounds and number == ZERO, rounds and number == LARGE
        self.times = {SMALL: 2, LARGE: 4, ZERO: 0.5} if rounds else None
        # So many more a loop has before it jumps.
        self.more_rounds = 2 if rounds and number == SMALL else 0
        self.numbers = Numbers(number)
        # How many things were given other numbers.
        self.count = 0
        self.answering = set()
        # Names that say how many rounds there are.
        self.counts = set()

    def may_end(self, site):
        return self.ends_loops and site not in self.around

    def fewer(self, rounds):
        """After how many rounds a loop is left that may be left at any."""
        return {SMALL: rounds, LARGE: rounds // 2, ZERO: 0}[self.number]

    def rounds_of(self, number):
        """Of a call that is cut."""
        return number + self.number if self.times is None else max(1, int(number * self.times[self.number]))

    def shrink(self, frame, whole, done):
        """A loop ends after so many rounds as if it had been asked for no more: names that say how many follow."""
        for name, value in forms.names_of(frame).items():
            if type(value) is int and value == whole:
                self.counts.add(name)
                bind(frame, name, done)

    def before(self, frame):
        """What training begins with."""
        names = forms.names_of(frame)
        known, pending = {}, [(value, 0) for value in names.values()]
        for value, depth in pending:
            if depth <= forms.DEPTH and len(known) < MOST_KNOWN and id(value) not in known and not is_code(value):
                known[id(value)] = (value, _print(value))
                parts = _parts_of(value)[:MOST_KNOWN]
                pending += [(part, depth + 1) for part in parts if not (is_number(part) or type(part) is str)]
        return names, known

    def after(self, span, frame, *more, counters=True):
        """Give everything that changed since then other numbers; without `counters` no single ones, which may say when a
        loop is over, and no arrays of whole ones, which may say where the next rows are."""
        names, before = span
        change = _Change(self, before, places=counters)
        for name, value in forms.names_of(frame).items():
            if not is_number(value):
                change.within(value)
                continue
            is_new = name not in names or (names[name] is not value and names[name] != value)
            if counters and is_new and name not in self.counts:
                bind(frame, name, self.other(value))
        for value in more:
            change.within(value)
        random.seed(self.number)
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(self.number)
        if "torch" in sys.modules:
            sys.modules["torch"].manual_seed(self.number)

    def other(self, value):
        self.count += 1
        return self.numbers.other(value)


class _Change:
    """Goes through what training may have changed, each thing once."""

    def __init__(self, variation, before, places):
        self.variation, self.numbers, self.before, self.places = variation, variation.numbers, before, places
        self.seen = set()

    def within(self, value, depth=0):
        if depth > forms.DEPTH or id(value) in self.seen or is_code(value):
            return
        self.seen.add(id(value))
        known = self.before.get(id(value))
        changed = known is None or known[0] is not value or known[1] != _print(value)
        if not self.places and _are_places(value):
            return
        if changed and self._numbers_of(value):
            self.variation.count += 1
            return
        if isinstance(value, dict) or is_of_notebook(value) or is_settings(value):
            held = value if isinstance(value, dict) else getattr(value, "__dict__", {})
            for key, part in list(held.items()) if changed else ():
                if is_number(part) and not (held is not value and key.startswith("_")):
                    held[key] = self.variation.other(part)
        if type(value) is list and value and is_number(value[-1]):
            if changed:
                # So many different ones will do, over and over.
                others = [self.variation.other(part) if is_number(part) else part for part in value[:MOST_PARTS]]
                value[:] = (others * (len(value) // len(others) + 1))[: len(value)]
            return
        parts = _parts_of(value)
        for part in parts[:: max(1, len(parts) // MOST_PARTS)]:
            if not is_number(part):
                self.within(part, depth + 1)

    def _numbers_of(self, value):
        """Whether this is something that holds nothing but numbers, or answers with them: then it has others now."""
        if is_a(value, "torch", "Tensor"):
            if value.is_sparse or value.is_meta or value.dtype.is_complex:
                return False
            self.numbers.into_tensor(value)
        elif is_a(value, "numpy", "ndarray"):
            if value.dtype.kind not in "fiub" or not value.flags.writeable:
                return False
            value[...] = self.numbers.array(value)
        elif is_a(value, "keras", "Model"):
            value.set_weights([self.numbers.array(part) for part in value.get_weights()])
        elif is_a(value, "pandas", "DataFrame"):
            for column in [name for name in value.columns if value[name].dtype.kind in "fiub"]:
                value[column] = self.numbers.array(value[column].to_numpy())
        elif is_a(value, "pandas", "Series"):
            if value.dtype.kind not in "fiub":
                return False
            value[:] = self.numbers.array(value.to_numpy())
        elif is_a(value, "numpy.random", "Generator"):
            value.random(self.variation.number)
        elif is_a(value, "numpy.random", "RandomState") or is_a(value, "random", "Random"):
            value.seed(self.variation.number)
        elif type(value).__module__.partition(".")[0] in ANSWERING:
            if type(value) not in self.variation.answering:
                self.variation.answering.add(type(value))
                self.numbers.answers_of(type(value))
        else:
            return False
        return True


def _parts_of(value):
    return list(value) if forms.is_sequence(value) else [part for _, part in forms.parts_of(value)]


def _are_places(value):
    if is_a(value, "torch", "Tensor"):
        return not (value.dtype.is_floating_point or value.dtype.is_complex)
    return is_a(value, "numpy", "ndarray") and value.dtype.kind in "iu"


def bind(frame, name, value):
    """Give a name of running code another value."""
    # Asked for once: up to Python 3.12 every question fills it anew.
    local = frame.f_locals
    if name not in local:
        frame.f_globals[name] = value
        return
    local[name] = value
    if local is not frame.f_globals and sys.version_info < (3, 13):
        api = importlib.import_module("ctypes")
        api.pythonapi.PyFrame_LocalsToFast(api.py_object(frame), api.c_int(0))


def _print(value):
    """What differs when the thing was changed."""
    if is_a(value, "torch", "Tensor"):
        return value._version
    if is_a(value, "numpy", "ndarray"):
        part = value if value.nbytes <= HASHED else value.reshape(-1)[:: value.nbytes // HASHED + 1]
        return None if value.dtype.hasobject else importlib.import_module("zlib").crc32(part.tobytes())
    if is_a(value, "pandas", "DataFrame"):
        return value.shape, [_print(value[name].to_numpy()) for name in list(value.columns)[:200]]
    if is_a(value, "pandas", "Series"):
        return _print(value.to_numpy())
    if isinstance(value, dict):
        return tuple((key, id(part)) for key, part in list(value.items())[:1_000])
    if forms.is_sequence(value):
        return len(value), id(value[-1]) if value else None
    return tuple((key, id(part)) for key, part in list(vars(value).items())[:200]) if hasattr(value, "__dict__") else None
