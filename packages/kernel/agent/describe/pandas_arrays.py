# The arrays behind pandas columns and indexes, read through what they wrap, so that none of pandas' own cached
# properties is filled: NumPy arrays, NumPy-backed, masked, Arrow-backed and categorical arrays.
import sys

from ..objects.literals import label
from ..objects.lookup import MISSING, class_module, class_name, instance_dict, is_a
from ..objects.sampling import of_array, of_objects, sample_of
from .registry import at_location

NOT_READ = {"special": "?"}
MASKED_AT_ONCE = 1_000_000


def is_ndarray(array):
    return type(array) is sys.modules["numpy"].ndarray


def backing(array):
    """The ndarray inside a NumPy-backed extension array (datetimes, categoricals, Python strings), or None."""
    base = at_location("pandas._libs.arrays:NDArrayBacked")
    if base is None or not is_a(array, base):
        return None
    held = base.__dict__["_ndarray"].__get__(array)
    return held if is_ndarray(held) else None


def arrow(array):
    """The Arrow data inside an Arrow-backed array, or None."""
    held = (instance_dict(array) or {}).get("_pa_array")
    return held if held is not None and type(held) is at_location("pyarrow:ChunkedArray") else None


def masked(array):
    """(data, mask) of a nullable array, or None."""
    held = instance_dict(array) or {}
    data, mask = held.get("_data"), held.get("_mask")
    return (data, mask) if data is not None and mask is not None and is_ndarray(data) and is_ndarray(mask) else None


def is_categorical(array):
    return type(array) is at_location("pandas:Categorical")


def categories(array):
    """The index of categories of a categorical array."""
    base = at_location("pandas._libs.arrays:NDArrayBacked")
    dtype = base.__dict__["_dtype"].__get__(array)
    return (instance_dict(dtype) or {}).get("_categories")


def gatherer(array):
    """A function from positions to elements, or None when the array cannot be read without side effects."""
    if array is MISSING or array is None:
        return None
    if is_ndarray(array):
        return lambda positions: [array[at] for at in positions]
    if is_categorical(array):
        return _from_categories(array)
    inner = backing(array)
    if inner is not None:
        return lambda positions: [inner[at] for at in positions]
    chunks = arrow(array)
    if chunks is not None:
        return _from_chunks(chunks) if "pyarrow.compute" in sys.modules else None
    pair = masked(array)
    if pair is not None:
        values, missing = pair
        return lambda positions: [None if missing[at] else values[at] for at in positions]
    return None


def _from_categories(array):
    codes, index = backing(array), categories(array)
    of_categories = gatherer((instance_dict(index) or {}).get("_data")) if index is not None else None
    if codes is None or of_categories is None:
        return None
    return lambda positions: [None if codes[at] < 0 else of_categories([int(codes[at])])[0] for at in positions]


def _from_chunks(chunked):
    """Elements chunk by chunk: taking from the whole could copy the column."""
    make = at_location("pyarrow:array")
    if not callable(make):
        return None

    def gather(positions):
        found, start = [], 0
        for number in range(chunked.num_chunks):
            chunk = chunked.chunk(number)
            end = start + len(chunk)
            here = [at - start for at in positions[len(found) :] if at < end]
            if here:
                found.extend(_of_chunk(chunk, here, make).to_pylist())
            start = end
        return found

    return gather


def _of_chunk(chunk, positions, make):
    """Rising positions without a gap are a part of the chunk as it lies; only others have to be looked up by Arrow."""
    first, count = positions[0], len(positions)
    if positions[-1] - first == count - 1:
        return chunk.slice(first, count)
    return chunk.take(make(positions))


def first_labels(array, limit):
    gather = gatherer(array)
    if array is MISSING or array is None:
        return []
    count = min(len(array), limit)
    return [label(value) for value in gather(range(count))] if gather is not None else [NOT_READ] * count


def dtype_of(array):
    """Name of a column's dtype as pandas prints it; a categorical's without its categories."""
    if array is MISSING or array is None:
        return "?"
    if is_ndarray(array):
        return str(array.dtype)
    if is_categorical(array):
        return "category"
    return str(array.dtype) if class_module(type(array)).startswith("pandas.") else class_name(type(array))


def values_of(array, budget):
    """Value facts of one column."""
    facts = {}
    if is_ndarray(array):
        of_array(array, budget, facts)
    elif is_categorical(array):
        _categorical_values(array, budget, facts)
    elif backing(array) is not None:
        of_array(backing(array), budget, facts)
    elif masked(array) is not None:
        _masked_values(masked(array), budget, facts)
    else:
        gather = gatherer(array)
        if gather is not None:
            of_objects(gather, len(array), budget, facts)
    return facts


def _masked_values(pair, budget, facts):
    data, mask = pair
    if data.size > MASKED_AT_ONCE:
        of_array(data[:MASKED_AT_ONCE][~mask[:MASKED_AT_ONCE]], budget, facts)
        facts["exhaustive"] = facts["examples_complete"] = False
        facts.pop("unique", None)
        facts.pop("has_nan", None)
        if bool(mask[:MASKED_AT_ONCE].any()):
            facts["has_nan"] = True
        return
    of_array(data[~mask], budget, facts)
    facts["has_nan"] = bool(mask.any())
    if facts["has_nan"]:
        facts["nan_count"], facts["nan_position"] = int(mask.sum()), int(mask.argmax())


def _categorical_values(array, budget, facts):
    codes, index = backing(array), categories(array)
    if codes is None or index is None:
        return
    listed = (instance_dict(index) or {}).get("_data")
    facts["categories"] = first_labels(listed, 200)
    facts["categories_complete"] = len(facts["categories"]) == len(index)
    sample, exhaustive = sample_of(codes, codes.size, budget)
    missing = bool((sample < 0).any())
    facts["exhaustive"] = exhaustive
    if missing or exhaustive:
        facts["has_nan"] = missing
