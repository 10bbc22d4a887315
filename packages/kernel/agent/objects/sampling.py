# Value facts of Python objects and machine numbers, from a bounded sample when there are many. Only exact builtin types
# and library scalars are looked into; anything else counts by its class name alone.
import sys

from .budget import SAMPLE_CLUSTERS, stride_positions
from .literals import label, literal, python_scalar
from .lookup import MISSING, class_name, has_type

EXAMPLES = 12
FEW = 50
DISTINCT_RANGE = 4096
NUMBERS = (bool, int, float)


def of_objects(gather, length, budget, facts):
    """Facts of `length` Python objects, of which `gather(positions)` gives some."""
    granted = budget.take_objects(length)
    positions = stride_positions(length, granted)
    exhaustive = granted == length
    facts["exhaustive"] = exhaustive
    summary = Summary()
    for position, value in zip(positions, gather(positions)):
        summary.add(value, position)
    summary.tell(facts, exhaustive)


class Summary:
    """What a sample of Python objects shows."""

    def __init__(self):
        self.types = {}
        self.distinct = {}
        self.counts = {}
        self.low = self.high = None
        self.missing = 0
        self.first_missing = None
        self.infinite = False
        self.rejected = {}
        self.lengths = set()
        self.longest = None

    def add(self, value, position):
        kind = type(value)
        name = class_name(kind)
        self.types[name] = self.types.get(name, 0) + 1
        value = python_scalar(value)
        kind = type(value)
        if type(kind) is not type:
            self._reject(value, position)
            return
        if (kind is float and value != value) or value is None or _is_missing_marker(value):
            self._missing(position)
            if value is None:
                self._reject(value, position)
            return
        if kind is bool or kind is int or kind is float:
            self._number(kind, value)
        elif kind is str:
            self._text(value, position)
        else:
            if kind in (list, tuple):
                self.lengths.add(len(value))
            self._reject(value, position)
        self._remember(value)

    def _missing(self, position):
        self.missing += 1
        if self.first_missing is None:
            self.first_missing = position

    def _number(self, kind, value):
        if kind is float and value in (float("inf"), float("-inf")):
            self.infinite = True
        if self.low is None or value < self.low:
            self.low = value
        if self.high is None or value > self.high:
            self.high = value

    def _text(self, value, position):
        if self.longest is None or len(value) > self.longest:
            self.longest = len(value)
        if len(value) > 400:
            return
        for name, convert in (("float", float), ("int", int)):
            if name not in self.rejected:
                try:
                    convert(value)
                except (ValueError, OverflowError):
                    self.rejected[name] = {"value": label(value), "position": position}

    def _reject(self, value, position):
        for name in ("float", "int"):
            if name not in self.rejected and not _number_like(value):
                self.rejected[name] = {"value": label(value), "position": position}

    def _remember(self, value):
        if len(self.distinct) > FEW:
            return
        plain, _ = literal(value)
        if plain is MISSING:
            return
        key = (class_name(type(value)), repr(plain))
        self.distinct.setdefault(key, plain)
        self.counts[key] = self.counts.get(key, 0) + 1

    def tell(self, facts, exhaustive):
        ranked = sorted(self.types.items(), key=lambda entry: (-entry[1], entry[0]))
        facts["element_types"] = [name for name, _ in ranked[:8]]
        if self.low is not None:
            facts["min"], facts["max"] = literal(self.low)[0], literal(self.high)[0]
        if exhaustive or self.missing:
            facts["has_nan"] = self.missing > 0
        if self.missing:
            facts["nan_position"] = self.first_missing
            if exhaustive:
                facts["nan_count"] = self.missing
        if exhaustive or self.infinite:
            facts["has_inf"] = self.infinite
        if self.rejected:
            facts["rejected_by"] = self.rejected
        if len(self.lengths) > 1:
            facts["ragged"] = True
        if self.longest is not None:
            facts["longest"] = self.longest
        few = len(self.distinct) <= FEW
        facts["examples"] = list(self.distinct.values())[: FEW if few and exhaustive else EXAMPLES]
        facts["examples_complete"] = few and exhaustive and all(_is_plain_name(name) for name in self.types)
        if facts["examples_complete"]:
            facts["unique"] = len(self.distinct)
            _tell_counts(list(self.counts.values()), facts)


def _tell_counts(counts, facts):
    """How often the rarest and the commonest of all distinct values occur."""
    if counts:
        facts["rarest"], facts["commonest"] = int(min(counts)), int(max(counts))


def _is_missing_marker(value):
    pandas = sys.modules.get("pandas")
    if pandas is None:
        return False
    held = vars(pandas)
    return value is held.get("NaT") or value is held.get("NA")


def _number_like(value):
    """Whether float() of it may work without our knowing: classes we do not know are never a witness."""
    return value is not None and not has_type(value, list, tuple, dict, set)


def _is_plain_name(name):
    return name in ("str", "int", "float", "bool", "NoneType") or name.startswith("numpy.")


def of_array(array, budget, facts):
    """Facts of a NumPy array of machine numbers, strings or objects; `array` is a plain ndarray."""
    numpy = sys.modules["numpy"]
    kind = array.dtype.kind
    size = int(array.size)
    if kind == "O" or kind in "US":
        flat = array.reshape(-1) if array.ndim == 1 or array.flags.c_contiguous else None
        if flat is None:
            flat = array[tuple([0] * (array.ndim - 1))] if size else array.reshape(-1)
            of_objects(_gather_from(flat), len(flat), budget, facts)
            facts["exhaustive"] = False
            facts["examples_complete"] = False
            facts.pop("unique", None)
            return
        of_objects(_gather_from(flat), size, budget, facts)
        return
    if kind not in "biufmM" or size == 0:
        if size == 0:
            facts["exhaustive"] = True
        return
    sample, exhaustive = sample_of(array, size, budget)
    facts["exhaustive"] = exhaustive
    with numpy.errstate(all="ignore"):
        _of_numbers(numpy, sample, kind, exhaustive, facts)


def _gather_from(flat):
    """Elements of a one-dimensional array of objects or text, as Python holds them."""
    return lambda positions: flat[list(positions)].tolist()


def sample_of(array, size, budget):
    """(elements, whether they are all): evenly spread clusters of a long array, without copying it."""
    granted = budget.take_elements(size)
    if granted >= size:
        return array, True
    if array.ndim > 1:
        if not (array.flags.c_contiguous or array.flags.f_contiguous):
            return array.flat[:: -(-size // granted)], False
        array = array.reshape(-1, order="C" if array.flags.c_contiguous else "F")
    width = size // SAMPLE_CLUSTERS
    return array[: width * SAMPLE_CLUSTERS].reshape(SAMPLE_CLUSTERS, width)[:, : granted // SAMPLE_CLUSTERS], False


def _of_numbers(numpy, sample, kind, exhaustive, facts):
    low, high = sample.min(), sample.max()
    any_missing = bool(numpy.isnat(low) if kind in "mM" else kind == "f" and numpy.isnan(low))
    if exhaustive or any_missing:
        facts["has_nan"] = any_missing
    present = sample
    if any_missing:
        missing = numpy.isnat(sample) if kind in "mM" else numpy.isnan(sample)
        if exhaustive:
            facts["nan_count"] = int(missing.sum())
            if sample.ndim == 1:
                facts["nan_position"] = int(missing.argmax())
        present = sample[~missing]
        if present.size == 0:
            return
        low, high = present.min(), present.max()
    if kind == "f":
        infinite = not (numpy.isfinite(low) and numpy.isfinite(high))
        if exhaustive or infinite:
            facts["has_inf"] = bool(infinite)
    facts["min"], facts["max"] = _number(low, kind), _number(high, kind)
    _distinct(numpy, present, kind, low, high, exhaustive, facts)


def _distinct(numpy, present, kind, low, high, exhaustive, facts):
    found = counts = None
    if kind in "bui" and int(high) - int(low) <= DISTINCT_RANGE:
        shifted = present.reshape(-1).astype("int64") - int(low)
        counts = numpy.bincount(shifted)
        found = numpy.nonzero(counts)[0] + int(low)
        counts = counts[counts > 0]
    elif exhaustive and present.size <= DISTINCT_RANGE:
        found, counts = numpy.unique(present, return_counts=True)
    if found is None:
        flat = present.reshape(-1)[:EXAMPLES] if present.flags.c_contiguous else present[:1].reshape(-1)[:EXAMPLES]
        facts["examples"] = [_number(value, kind) for value in flat]
        facts["examples_complete"] = False
        return
    complete = exhaustive and len(found) <= FEW
    kept = found[: FEW if complete else EXAMPLES]
    facts["examples"] = [_number(value, "i" if kind in "bui" else kind) for value in kept]
    if kind == "b":
        facts["examples"] = [bool(value) for value in kept]
    facts["examples_complete"] = complete
    if exhaustive and counts is not None:
        facts["unique"] = len(found)
        _tell_counts(counts.tolist(), facts)


def _number(value, kind):
    if kind in "mM":
        return {"special": str(value)}
    if kind == "b":
        return bool(value)
    return literal(float(value) if kind == "f" else int(value))[0]
