# Which global names a cell needs: those that its code loads before it binds them, and those that functions and classes of
# the notebook among them load. No code of the user's runs.
import ast
import dis
import inspect
import types

from ..objects import cell_text
from ..objects.lookup import class_dict, class_module, is_class, mro, plain_names
from .read_first import read_first

OF_IPYTHON = frozenset(("In", "Out", "get_ipython", "exit", "quit", "open"))
LOOKS_AROUND = frozenset(("globals", "eval", "exec"))
# These look at what is local: in a function that is nothing global.
LOOKS_AROUND_OUTSIDE = LOOKS_AROUND | {"locals", "vars", "dir"}
LOADS = frozenset("LOAD_NAME LOAD_GLOBAL LOAD_FROM_DICT_OR_GLOBALS DELETE_NAME DELETE_GLOBAL".split())
TOP_LEVEL_AWAIT = 0x2000


def needed_names(sources, shell):
    """Name to value, for the names that exist."""
    pieces, first = [], {}
    for source in sources:
        try:
            text, _ = cell_text.python_of(source, shell)
            tree = compile(text, "<cell>", "exec", flags=TOP_LEVEL_AWAIT | ast.PyCF_ONLY_AST, dont_inherit=True)
            piece = compile(tree, "<cell>", "exec", flags=TOP_LEVEL_AWAIT, dont_inherit=True)
            first[piece] = read_first(tree)
        except (SyntaxError, ValueError, RecursionError, cell_text.OwnReading):
            continue
        pieces.append(piece)
    return loaded_by(pieces, plain_names(shell.user_ns), first)


def loaded_by(pending, namespace, first=None):
    """What the code loads by name, and what the code in that loads. `first`: for some of the code, the names that matter."""
    found, seen = {}, set()
    while pending:
        code = pending.pop()
        if id(code) in seen:
            continue
        seen.add(id(code))
        pending.extend(constant for constant in code.co_consts if type(constant) is types.CodeType)
        around = LOOKS_AROUND if code.co_flags & inspect.CO_OPTIMIZED else LOOKS_AROUND_OUTSIDE
        loaded = {step.argval for step in dis.get_instructions(code) if step.opname in LOADS}
        for name in loaded & (first or {}).get(code, loaded):
            if name in around:
                found.update((other, value) for other, value in namespace.items() if _is_carried(other))
            if name in namespace and name not in found and name not in OF_IPYTHON:
                found[name] = namespace[name]
                pending.extend(_code_in(namespace[name]))
    return found


def _is_carried(name):
    return not name.startswith("_") and name not in OF_IPYTHON


def _code_in(value):
    if type(value) is types.FunctionType:
        return [value.__code__] if type(value.__module__) is str and value.__module__ == "__main__" else []
    return [
        member.__code__
        for cls in mro(value if is_class(value) else type(value))
        if class_module(cls) == "__main__"
        for member in list(class_dict(cls).values())
        if type(member) is types.FunctionType
    ]
