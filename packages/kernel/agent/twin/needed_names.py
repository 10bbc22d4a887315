# Which global names a cell needs: those that its code loads, and those that functions and classes of the notebook among
# them load. No code of the user's runs.
import dis
import inspect
import types

OF_IPYTHON = frozenset(("In", "Out", "get_ipython", "exit", "quit", "open"))
LOOKS_AROUND = frozenset(("globals", "eval", "exec"))
# These look at what is local: in a function that is nothing global.
LOOKS_AROUND_OUTSIDE = LOOKS_AROUND | {"locals", "vars", "dir"}
LOADS = frozenset("LOAD_NAME LOAD_GLOBAL LOAD_FROM_DICT_OR_GLOBALS DELETE_NAME DELETE_GLOBAL".split())
TOP_LEVEL_AWAIT = 0x2000


def needed_names(sources, shell):
    """Name to value, for the names that exist."""
    pieces = []
    for source in sources:
        try:
            text = shell.transform_cell(source)
            pieces.append(compile(text, "<cell>", "exec", flags=TOP_LEVEL_AWAIT, dont_inherit=True))
        except SyntaxError:
            continue
    return loaded_by(pieces, shell.user_ns)


def loaded_by(pending, namespace):
    """What the code loads by name, and what the code in that loads."""
    found, seen = {}, set()
    while pending:
        code = pending.pop()
        if id(code) in seen:
            continue
        seen.add(id(code))
        pending.extend(constant for constant in code.co_consts if isinstance(constant, types.CodeType))
        around = LOOKS_AROUND if code.co_flags & inspect.CO_OPTIMIZED else LOOKS_AROUND_OUTSIDE
        for name in {step.argval for step in dis.get_instructions(code) if step.opname in LOADS}:
            if name in around:
                found.update((other, value) for other, value in namespace.items() if _is_carried(other))
            if name in namespace and name not in found and name not in OF_IPYTHON:
                found[name] = namespace[name]
                pending.extend(_code_in(namespace[name]))
    return found


def _is_carried(name):
    return not name.startswith("_") and name not in OF_IPYTHON


def _code_in(value):
    if isinstance(value, types.FunctionType) and value.__module__ == "__main__":
        return [value.__code__]
    classes = [value] if isinstance(value, type) else type(value).__mro__
    return [
        member.__code__
        for cls in classes
        if cls.__module__ == "__main__"
        for member in vars(cls).values()
        if isinstance(member, types.FunctionType)
    ]
