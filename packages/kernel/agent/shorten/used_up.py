# What a `for` took to its end has nothing left, after however many rounds.
import ast
import types

from .always_none import bound_by
from .counted_whiles import own_parts
from .uses import leaves_early

PASSING_ON = frozenset(("enumerate", "tqdm"))


def is_used_up(node, statements, values):
    """Whether this is `next` of something that a loop of the notebook always goes through whole."""
    if not (isinstance(node, ast.Call) and getattr(node.func, "id", None) == "next" and len(node.args) == 1):
        return False
    name = getattr(node.args[0], "id", None)
    held = values.get(name)
    if not isinstance(held, types.GeneratorType) or held.gi_frame is not None:
        return False
    bindings = [part for part in own_parts(statements) if name in bound_by(part)]
    loops = [part for part in statements if isinstance(part, ast.For) and taken_from(part.iter) == name]
    return len(bindings) <= 1 and any(not leaves_early(loop) for loop in loops)


def taken_from(made):
    if isinstance(made, ast.Call) and getattr(made.func, "id", None) in PASSING_ON and made.args:
        made = made.args[0]
    return getattr(made, "id", None)


def generators_without_rest(values):
    """By identity."""
    held = [value for value in list(values.values()) if isinstance(value, types.GeneratorType)]
    return {id(value): value for value in held if value.gi_frame is None}
