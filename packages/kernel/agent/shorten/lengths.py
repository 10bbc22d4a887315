# Lengths that no number of training decides about: `scores[: N // 100]` is as long as N says, whatever the scores are.
import ast

from .always_none import bound_by
from .codes import CHANGING
from .counted_whiles import own_parts

AS_LONG = frozenset(("sorted", "list", "tuple", "reversed", "enumerate", "len"))
READING = AS_LONG | {"sum", "max", "min", "print", "str"}
COMPREHENSIONS = (ast.ListComp, ast.GeneratorExp)


def settled_in(nodes, statements, is_settled):
    """Identities of the names in these that only a length is asked of which is settled. `is_settled(node)`: whether training
    has no part in it; `statements`: where names are bound."""
    asked = [part for node in nodes for part in ast.walk(node) if isinstance(part, ast.Call) and _is_call(part, ("len",))]
    settled = [part for part in asked if _is_known(part.args[0], statements, is_settled, 8)]
    return {id(part) for call in settled for part in ast.walk(call) if isinstance(part, ast.Name)}


def known_in(nodes, values, settled):
    """Identities of the names in these that only the length is asked of which is that of the whole run. `settled`: by
    identity, what has it."""
    calls = [part for node in nodes for part in ast.walk(node) if isinstance(part, ast.Call)] if settled else []
    asked = [part.args[0] for part in calls if _is_call(part, ("len",))]
    known = [node for node in asked if id(_held(node, values)) in settled]
    return {id(part) for node in known for part in ast.walk(node) if isinstance(part, ast.Name)}


def _held(node, values):
    if isinstance(node, ast.Name):
        return values.get(node.id)
    if isinstance(node, ast.Attribute):
        return getattr(_held(node.value, values), "__dict__", {}).get(node.attr)
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        table = _held(node.value, values)
        return table.get(node.slice.value) if type(table) is dict else None
    return None


def _is_call(node, names):
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in names
        and len(node.args) == 1
        and not isinstance(node.args[0], ast.Starred)
    )


def _is_known(node, statements, is_settled, depth):
    def known(part):
        return _is_known(part, statements, is_settled, depth - 1)

    if depth == 0 or is_settled(node):
        return depth > 0
    if _is_call(node, AS_LONG):
        return known(node.args[0])
    if isinstance(node, COMPREHENSIONS):
        return len(node.generators) == 1 and not node.generators[0].ifs and known(node.generators[0].iter)
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        bounds = [part for part in (node.slice.lower, node.slice.upper, node.slice.step) if part is not None]
        return all(map(is_settled, bounds)) and known(node.value)
    bound = _bound_once(node.id, statements) if isinstance(node, ast.Name) else None
    return bound is not None and known(bound)


def _bound_once(name, statements):
    """What the name is bound to, where one statement always does that and none can make it longer or shorter."""
    parts = list(own_parts(statements))
    bindings = [part for part in parts if name in bound_by(part)]
    if len(bindings) != 1 or bindings[0] not in _always_run(statements) or any(_hands_on(part, name) for part in parts):
        return None
    (binding,) = bindings
    plain = isinstance(binding, ast.Assign) and len(binding.targets) == 1 and isinstance(binding.targets[0], ast.Name)
    return binding.value if plain else None


def _always_run(statements):
    inner = [part for statement in statements if isinstance(statement, ast.With) for part in _always_run(statement.body)]
    return [*statements, *inner]


def _hands_on(part, name):
    """Whether the thing may be changed here, or go by another name."""
    if isinstance(part, ast.Attribute):
        return part.attr in CHANGING and getattr(part.value, "id", None) == name
    given = [part.value] if isinstance(part, (ast.Assign, ast.NamedExpr)) else []
    if isinstance(part, ast.Call) and not _is_call(part, READING):
        given = [*part.args, *(keyword.value for keyword in part.keywords)]
    return any(getattr(one, "id", None) == name for one in given)
