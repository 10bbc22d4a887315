# What a call of a library may change without a word in the statement: it calls back functions and classes of the notebook,
# and those keep what they like.
from ..twin.needed_names import OF_IPYTHON
from .codes import codes_in, globals_bound, names_in
from .reachable import reached_from
from .things import IMMUTABLE, LOST, classes, has_state, is_code, is_one_of, reach

# These go on in their own way when their rounds are cut, and call functions of the notebook with what they really made.
TRAINERS = ("lightning", "transformers")
DATA = classes(
    "numpy:ndarray numpy:generic torch:Tensor pandas:DataFrame pandas:Series pandas:Index polars:DataFrame polars:Series "
    "datasets:Dataset datasets:DatasetDict"
)


def touched(values, library, owner, level_of):
    """(name, how far more rounds may change it) of the variables that the call can reach."""
    codes = codes_in(values)
    named = {name for code in codes for name in names_in(code)}
    rebound = {name for code in codes for name in globals_bound(code)}
    held = reach(_listeners(owner))
    # A trainer holds all that it was given.
    reached = reached_from(owner, values) if library in TRAINERS else None
    drawn = {values[name].__name__.partition(".")[0] for name in named & set(values) if has_state(values[name])}
    for name in sorted(rebound - set(values)):
        yield name, LOST
    for name, value in values.items():
        if name.startswith("_") or name in OF_IPYTHON:
            continue
        if name in rebound or (has_state(value) and name in named):
            yield name, LOST
        elif isinstance(value, type):
            if any(isinstance(member, (list, dict, set)) for member in _own_members(value)):
                yield name, LOST
        elif is_code(value) or isinstance(value, IMMUTABLE):
            continue
        elif (name in named or id(value) in held) or (
            library != "sklearn" and not is_one_of(value, DATA) and not _is_apart(value, reached, drawn, values)
        ):
            yield name, level_of(value)


def _is_apart(value, reached, drawn, values):
    """Whether the call cannot get at this. `drawn`: libraries that remember, and that code of the notebook uses."""
    if reached is None or type(value).__module__.partition(".")[0] in drawn:
        return False
    own = reached_from(value, values)
    return own is not None and not own & reached


def _own_members(kind):
    return [
        value
        for base in kind.__mro__
        if base.__module__ == "__main__"
        for name, value in vars(base).items()
        if not name.startswith("__")
    ]


def _listeners(trainer):
    handler = getattr(trainer, "callback_handler", None)
    found = list(getattr(handler or trainer, "callbacks", None) or ())
    return found + [getattr(trainer, name, None) for name in ("lightning_module", "datamodule", "model")]
