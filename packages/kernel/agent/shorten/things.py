# What kind of thing a value is, and what more rounds would change of it.
import itertools
import sys
import types

from .codes import adds_keys, codes_of

# How far cut rounds decide about something: not at all; about the numbers in it; about its size or kind, as far as rounds
# that ran can show, or those that go through branches which did not run; about a size that no copy can give it, so that
# only what is the same with every size counts; about things that nobody can try.
NOTHING, VALUE, FORM, UNRUN, GROWN, LOST = 0, 1, 2, 3, 4, 5
NUMBERS = (int, float, complex, bool, str)
IMMUTABLE = (*NUMBERS, bytes, tuple, frozenset, range, type(None))


def classes(text):
    """Pairs of module and name, of "module:name module:name"."""
    return tuple(tuple(one.split(":")) for one in text.split())


IMMUTABLE_OF_LIBRARIES = classes("pandas:Index pathlib:PurePath torch:dtype torch:device torch:Size numpy:dtype")
# What is in a file is followed as a file.
FORM_KEPT = classes(
    "torch:Tensor torch:Generator torch.nn:Module torch.optim:Optimizer torch.optim.lr_scheduler:LRScheduler "
    "torch.utils.data:DataLoader torch.utils.data:Dataset numpy:ndarray numpy:generic numpy.random:Generator "
    "numpy.random:RandomState random:Random pandas:DataFrame pandas:Series sklearn.base:BaseEstimator lightgbm:Booster "
    "xgboost:Booster lightning.pytorch:Trainer pytorch_lightning:Trainer transformers.trainer:Trainer "
    "transformers.trainer_utils:EvalPrediction keras:Model keras:Optimizer keras.callbacks:History tensorflow:Tensor "
    "tensorflow:Variable io:IOBase"
)
TRAINED = classes("torch:Tensor torch.nn:Module torch.optim:Optimizer numpy:ndarray keras:Model")
# What keeps its form whatever is called on it, but for what gives it another shape.
FORM_FIXED = classes(
    "torch:Tensor torch:Generator numpy:ndarray numpy:generic numpy.random:Generator numpy.random:RandomState"
)
# Which of its candidates a search chooses decides about what it is afterwards.
SEARCHES = ("sklearn.model_selection._search", "BaseSearchCV")
WITHOUT_STATE = frozenset(
    "numpy torch pandas polars scipy sklearn math json re itertools functools collections copy os pathlib time datetime "
    "statistics string operator random transformers lightning pytorch_lightning xgboost lightgbm torchvision "
    "typing".split()
)
# What holds nothing but what it was given.
SETTINGS = classes("types:SimpleNamespace argparse:Namespace")
REACH_LIMIT = 2_000


def is_a(value, module, name):
    """An instance of a class that some module holds, if that is loaded."""
    kind = getattr(sys.modules.get(module), name, None)
    return isinstance(kind, type) and isinstance(value, kind)


def is_one_of(value, kinds):
    return any(is_a(value, module, name) for module, name in kinds)


def is_code(value):
    return isinstance(value, (types.ModuleType, types.FunctionType, types.BuiltinFunctionType, type))


def is_of_notebook(value):
    return any(base.__module__ == "__main__" for base in type(value).__mro__)


def is_of_library(value):
    return type(value).__module__ not in ("builtins", "collections", "__main__")


def is_settings(value):
    return any(type(value) is getattr(sys.modules.get(module), kind, None) for module, kind in SETTINGS)


def has_state(value):
    """Whether a module remembers what was done with it."""
    return isinstance(value, types.ModuleType) and value.__name__.partition(".")[0] not in WITHOUT_STATE


def is_immutable(value):
    """Whether nothing that it is handed to can change it. A None stands for what is still to come."""
    if type(value) in (tuple, frozenset):
        return all(map(is_immutable, value))
    if type(value) in (*NUMBERS, bytes, range):
        return True
    return is_one_of(value, IMMUTABLE_OF_LIBRARIES) and not is_of_notebook(value)


def keeps_form(value):
    """Whether it stays what it is, whatever is called on it: only its numbers change."""
    return is_one_of(value, FORM_FIXED) and not is_of_notebook(value)


def is_trained(value):
    """Whether it holds numbers, and nothing that gets longer."""
    held = _own_parts(value) or ()
    return is_one_of(value, TRAINED) and not any(
        isinstance(part, (list, dict, set)) or is_of_notebook(part) for part in held
    )


def holds_keys(value):
    """A dict or a set, or something that holds one."""
    if isinstance(value, (dict, set)):
        return True
    parts = value[:20] if isinstance(value, (list, tuple)) else _own_parts(value) or []
    return any(isinstance(part, (dict, set)) for part in parts)


def level_of(value, irregular=(), of_none=LOST, settled=(), of_keys=LOST, depth=0):
    """What more rounds would change of such a value: only what it holds, or perhaps what it is. `irregular`: identities of
    things whose size is not known, `settled`: of tables that have all their keys; `of_none`: the level of parts that are
    None, `of_keys`: of what gets new keys."""
    if is_immutable(value):
        return VALUE
    if value is None:
        return of_none if depth > 0 else LOST
    if is_a(value, *SEARCHES) and _chooses_kinds(value):
        return LOST
    if id(value) in irregular or depth > 4:
        return FORM
    if is_one_of(value, FORM_KEPT) and not _own_parts(value):
        return VALUE
    if holds_keys(value) and any(map(adds_keys, codes_of(value))):
        return of_keys
    if isinstance(value, (list, tuple)):
        parts = list(value)
    else:
        parts = list(value.values()) if _is_table(value) or id(value) in settled else _own_parts(value)
    if parts is None:
        return FORM
    return max(
        [level_of(part, irregular, of_none, settled, of_keys, depth + 1) for part in parts[:: max(1, len(parts) // 200)]],
        default=VALUE,
    )


def _chooses_kinds(search):
    """Whether the candidates of a search are of more than one class, or have parts of more than one."""
    grids = getattr(search, "param_grid", getattr(search, "param_distributions", None))
    for grid in grids if isinstance(grids, list) else [grids]:
        for choices in grid.values() if isinstance(grid, dict) else [[None]]:
            if isinstance(choices, (list, tuple)) and any(not isinstance(one, NUMBERS) for one in choices):
                return True
    return False


def _is_table(value):
    """A dict of which every key was written down: what training fills round by round has numbers for keys."""
    return isinstance(value, dict) and all(type(key) is str for key in value)


def _own_parts(value):
    """What an object of a class of the notebook holds, or one of settings; None of other objects."""
    if not (is_of_notebook(value) or is_settings(value)):
        return None
    return [part for name, part in getattr(value, "__dict__", {}).items() if not name.startswith("_") and not is_code(part)]


def reach(values):
    """Identities of the containers and objects that can be got at from these, a few steps deep."""
    found, pending = set(), [(value, 0) for value in values]
    while pending and len(found) < REACH_LIMIT:
        value, depth = pending.pop()
        if value is None or isinstance(value, (*NUMBERS, bytes)) or is_code(value) or id(value) in found:
            continue
        found.add(id(value))
        if depth >= 3:
            continue
        if isinstance(value, dict):
            pending.extend((held, depth + 1) for held in itertools.islice(value.values(), 200))
        elif isinstance(value, (list, tuple, set)):
            pending.extend((held, depth + 1) for held in itertools.islice(value, 200))
        elif type(value).__module__ == "__main__" or is_settings(value):
            pending.extend((held, depth + 1) for held in list(getattr(value, "__dict__", {}).values())[:200])
    return found
