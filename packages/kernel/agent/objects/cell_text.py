# What IPython makes of a cell before Python reads it. For a cell of one line IPython asks the objects that the line names
# what they are, which runs their code: that part is answered here, from the names alone.
import keyword
import sys
import types

from .lookup import MISSING, class_module, entry, is_a, is_class, module_dict

# Characters read for each millisecond that a request may take: IPython's reading is the slow part.
READ_PER_MS = 1_000
DEFAULT_MS = 50
CALLED_BY_NAME = (("IPython.core.autocall", "IPyAutocall"), ("IPython.core.macro", "Macro"))


class OwnReading(Exception):
    """The session reads cells in a way of its own, which is not asked."""


def is_too_long(source, ms=DEFAULT_MS):
    return len(source) > READ_PER_MS * ms


def python_of(source, shell):
    """(the Python that IPython would compile, whether it takes the cell for a magic without its escape). Raises OwnReading,
    and SyntaxError as IPython would."""
    if has_own_transformers(shell):
        raise OwnReading
    text = shell.input_transformer_manager.transform_cell(source)
    lines = text.splitlines()
    if len(lines) != 1 or not lines[0].strip():
        return text, False
    rewritten = _rewritten(lines[0], shell)
    return (text, False) if rewritten is None else (rewritten + "\n", True)


def has_own_transformers(shell):
    manager = shell.input_transformer_manager
    transforms = [*manager.cleanup_transforms, *manager.line_transforms, *manager.token_transformers]
    prefilter = shell.prefilter_manager
    parts = [*prefilter.checkers, *prefilter.transformers]
    return bool(
        list(shell.input_transformers_post)
        or list(shell.ast_transformers)
        or not all(_module_of(transform).startswith("IPython.") for transform in transforms)
        or not all(class_module(type(part)) == "IPython.core.prefilter" for part in parts)
    )


def _module_of(transform):
    """Where a function, a method, a class, or the class of anything else comes from."""
    function = transform.__func__ if type(transform) is types.MethodType else transform
    if type(function) is types.FunctionType:
        return function.__module__ if type(function.__module__) is str else ""
    return class_module(transform if is_class(transform) else type(transform))


def _rewritten(line, shell):
    """The line as a call, where it names a magic, or an object of IPython's that is called by being named."""
    split = (module_dict(sys.modules.get("IPython.core.splitinput")) or {}).get("split_user_input")
    if split is None:
        raise OwnReading
    before, _, word, rest = split(line)
    rest = rest.lstrip()
    named = entry(shell.user_ns, word)
    if named is not MISSING and any(_is_of(named, *where) for where in CALLED_BY_NAME):
        return None if rest.startswith("(") else "%s(%s)" % (word.rstrip(), rest)
    if shell.autocall:
        raise OwnReading
    if rest[:1] in ("=", ",") and rest:
        return None
    magics = shell.magics_manager.magics["line"]
    head = word.partition(".")[0]
    is_shadowed = (
        entry(shell.user_ns, head) is not MISSING
        or entry(vars(sys.modules["builtins"]), head) is not MISSING
        or keyword.iskeyword(head)
    )
    if not shell.automagic or type(magics) is not dict or entry(magics, word) is MISSING or is_shadowed:
        return None
    return "%sget_ipython().run_line_magic(%r, %r)" % (before, word, rest)


def _is_of(obj, module, name):
    cls = (module_dict(sys.modules.get(module)) or {}).get(name)
    return cls is not None and is_a(obj, cls)
