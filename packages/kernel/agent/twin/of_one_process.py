# Checks of the notebook's own that ask for what may differ in another process though all values are equal: which object it
# is, where it lies, what it is a view of, what its class is made of inside. Where such a check fails in a twin, it may hold
# in the kernel.
import dis
import linecache
import re

OF_ONE_PROCESS = frozenset(
    "data_ptr is_pinned is_shared _base grad_fn next_functions untyped_storage _version _cdata ctypes __array_interface__ "
    "may_share_memory shares_memory is_set_to getrefcount get_referrers get_referents get_objects getweakrefcount "
    "getweakrefs __dict__ __slots__ __weakref__ __code__ __closure__ __globals__ cache_info get_ident getpid".split()
)
ADDRESS = "id"
ASKS_FOR_NAMES = frozenset(("hasattr", "getattr", "vars", "dir"))
CONDITION = re.compile("POP_JUMP.*_IF_")
ATTRIBUTES, GLOBALS = ("LOAD_ATTR", "LOAD_METHOD"), ("LOAD_GLOBAL", "LOAD_NAME")


def is_asked_by(error):
    """Whether the notebook's own code raised it, behind a check that asks for such a thing."""
    step = error.__traceback__
    while step is not None and step.tb_next is not None:
        step = step.tb_next
    if step is None or step.tb_frame.f_globals.get("__name__") != "__main__":
        return False
    if not linecache.getlines(step.tb_frame.f_code.co_filename):
        # Code that a library wrote for the notebook, as that of frozen dataclasses.
        return False
    steps = list(dis.get_instructions(step.tb_frame.f_code))
    at = next((number for number, one in enumerate(steps) if one.offset == step.tb_lasti), None)
    if at is None or steps[at].opname != "RAISE_VARARGS":
        return False
    return _asks(_check_before(steps, at))


def _check_before(steps, at):
    """The steps of the statement that raises, and of the condition that led there."""
    lines = _lines(steps)
    start = next((number for number in range(at, -1, -1) if CONDITION.match(steps[number].opname)), at)
    least = min(lines[start], lines[at])
    while start > 0 and lines[start - 1] >= least:
        start -= 1
    return steps[start : at + 1]


def _lines(steps):
    """The line of each. `starts_line` is its number where one begins, or says that one does and `line_number` has it."""
    lines, line = [], 0
    for one in steps:
        if one.starts_line not in (None, False):
            line = (one.line_number if one.starts_line is True else one.starts_line) or 0
        lines.append(line)
    return lines


def _asks(steps):
    called = {one.argval for one in steps if one.opname.startswith(GLOBALS)}
    named = called | {one.argval for one in steps if one.opname.startswith(ATTRIBUTES)}
    if ADDRESS in called or not named.isdisjoint(OF_ONE_PROCESS):
        return True
    texts = {one.argval for one in steps if one.opname == "LOAD_CONST" and type(one.argval) is str}
    if called & ASKS_FOR_NAMES and any(text.startswith("__") or text in OF_ONE_PROCESS for text in texts):
        return True
    return any(_compares_objects(one, before) for before, one in zip(steps, steps[1:]))


def _compares_objects(one, before):
    """Whether two objects are one. `is None`, and the like, asks for a value."""
    return one.opname == "IS_OP" and before.opname != "LOAD_CONST"
