# Schedules that count their steps. One that every round moves on by as many is moved on for the rounds that are left out
# too, so that it is where it would be in the whole run. If it then refuses a step, for its count alone, it would there as
# well.
import ast
from typing import Any

from .codes import BY_NAMELESS, codes_of, globals_read, names_in
from .never_run import is_as_long_every_time
from .things import is_a, is_code
from .uses import may_skip


def count_of(value):
    """How many steps a schedule has made; None of other things, and of one that is made of others."""
    if not is_a(value, "torch.optim.lr_scheduler", "LRScheduler") or hasattr(value, "_schedulers"):
        return None
    return getattr(value, "last_epoch", None)


def set_count(schedule, steps):
    schedule.last_epoch = steps


def is_in_step(error, moved_on):
    """Whether one that was moved on raised the exception: of itself it might not have come so far."""
    step = error.__traceback__
    while step is not None:
        if id(step.tb_frame.f_locals.get("self")) in moved_on:
            return True
        step = step.tb_next
    return False


def is_refused(error, unit, moved_on, idle, is_untouched):
    """Whether the exception is of a step that the whole run makes too: in every round of loops of the cell whose rounds are
    known, and nowhere else. `moved_on`: schedules and how far they were when rounds were left out, by identity; `idle`: what
    is known of the notebook's code; `is_untouched(nodes)`: whether training before these loops has no say in these."""
    call = _failing_call(unit)
    if call is None:
        return False
    held: Any = unit.values.get(getattr(call.func.value, "id", None))
    if id(held) not in moved_on or not _asks_what_stays(held, unit.values, idle.later, is_untouched):
        return False
    loops = _loops_of_every_round(unit)
    if not loops or not is_untouched([call.func.value, loops[0].iter]):
        return False
    if not all(idle.is_as_before(loop.iter, unit.values) or is_untouched([loop.iter]) for loop in loops[1:]):
        return False
    parts: list[Any] = [part for tree in idle.trees for part in ast.walk(tree)]
    # One whose name says nothing here may be another one of it.
    if sum(unit.values.get(getattr(part.func.value, "id", None), held) is held for part in parts if _is_step(part)) != 1:
        return False
    if any(_sets_count(part) for part in parts):
        return False
    # All else being equal, it makes a step from where it was before, and none from here.
    _, before = moved_on[id(held)]
    here = held.last_epoch - 1
    return _raised(held, before) is None and type(_raised(held, here)) is type(error)


def _asks_what_stays(schedule, values, later, is_untouched):
    """Whether functions of the notebook that say what the rates are read nothing that training makes or changes. `later`:
    what code stores that may still run."""
    held = [part for value in vars(schedule).values() for part in (value if isinstance(value, list) else [value])]
    codes = [code for part in held for code in codes_of(part)]
    if any(code.co_freevars or BY_NAMELESS & globals_read(code) for code in codes):
        return False
    read = {name for code in codes for name in names_in(code) if name in values and not is_code(values[name])}
    called = any(codes_of(values.get(name)) for code in codes for name in names_in(code))
    nodes = [ast.Name(name, ast.Load(), lineno=0, end_lineno=0) for name in read]
    return not (called or read & (later.names | later.changed) or later.in_secret) and is_untouched(nodes)


def _sets_count(part):
    name = getattr(part, "attr", None)
    return name == "load_state_dict" or (name == "last_epoch" and not isinstance(part.ctx, ast.Load))


def _failing_call(unit) -> Any:
    failing = unit.failing_in([statement for statement in unit.statements if unit.holds_failure(statement)])
    call: Any = failing.node if failing is not None else None
    return call if _is_step(call) and not (call.args or call.keywords) else None


def _is_step(node):
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "step"


def _raised(schedule, count):
    schedule.last_epoch = count
    try:
        schedule.step()
    except Exception as error:
        return error
    return None


def _loops_of_every_round(unit):
    """The loops around what failed, where nothing but loops of known rounds is around it; else None."""
    statements, around = unit.statements, []
    while True:
        found = [statement for statement in statements if unit.holds_failure(statement)]
        if len(found) != 1 or any(may_skip(loop) for loop in around):
            return None
        (statement,) = found
        if isinstance(statement, ast.Expr):
            return around
        if isinstance(statement, ast.For):
            around.append(statement)
            if not is_as_long_every_time(around, unit.values):
                return None
        elif not isinstance(statement, ast.With):
            return None
        statements = statement.body
