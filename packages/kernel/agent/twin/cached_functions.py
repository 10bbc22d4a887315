# Functions of the notebook whose results `functools.lru_cache` keeps: the twin gets the function, what was kept and how
# often that was of use. Pickle takes such a function down by its name alone, and nobody has the name there yet.
import functools
import importlib
import pickle

KIND = type(functools.lru_cache(lambda: None))
MOST_CALLS = 100_000


def reduced(value, made, namespace):
    """As a pickler wants it; None of anything else."""
    if type(value) is not KIND or getattr(value.__wrapped__, "__globals__", None) is not namespace:
        return None
    told = value.cache_info()
    if value.cache_parameters()["typed"] or told.hits + told.misses > MOST_CALLS:
        raise pickle.PicklingError("a cache whose history cannot be told again")
    held = importlib.import_module("gc").get_referents(value)
    table = next(one for one in reversed(held) if type(one) is dict and one is not vars(value))
    kept = table.items()
    if told.maxsize is not None:
        # The table names links, which lie beside their keys in the order of their use.
        keys = {id(key) for key in table}
        kept = [(key, held[place + 1]) for place, key in enumerate(held[:-1]) if id(key) in keys]
    if len(kept) != told.currsize:
        raise pickle.PicklingError("a cache that cannot be read")
    calls = [(*_arguments(key, held), result) for key, result in kept]
    return made.cached_function, (value.__wrapped__, told.maxsize, calls, told.hits, told.misses)


def _arguments(key, held):
    """(those by place, those by name) that a key was made of."""
    if type(key) is not tuple:
        return (key,), {}
    mark = next((place for place, part in enumerate(key) if type(part) is object and any(part is one for one in held)), None)
    if mark is None:
        return key, {}
    named = key[mark + 1 :]
    return key[:mark], dict(zip(named[::2], named[1::2]))
