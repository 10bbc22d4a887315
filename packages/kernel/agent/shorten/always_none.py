# A None that no further round can replace: what a call gives that never gives anything else.
import ast
import types

from .counted_whiles import own_parts
from .things import is_of_notebook
from .uses import roots_of

# Methods and functions that change something in place, and are known to answer None for that.
IN_PLACE = frozenset("sort append extend insert remove clear update reverse shuffle fill add discard print seed".split())


def certainly_none(node, statements, values, source_of):
    """Whether the None that this expression failed for is one that a call always gives. `statements`: where names are bound;
    `source_of(function)`: its definition."""
    found = False
    for part in _operands(node):
        if isinstance(part, ast.Call):
            found = found or _gives_none(part, values, source_of)
        elif isinstance(part, ast.Name):
            if values.get(part.id, part) is None:
                if not is_bound_to_none(part.id, statements, values, source_of):
                    return False
                found = True
        elif isinstance(part, (ast.Attribute, ast.Subscript, ast.IfExp, ast.BoolOp)):
            # May be another None.
            return False
    return found


def _operands(node):
    if isinstance(node, ast.Call):
        return [*node.args, *(keyword.value for keyword in node.keywords)]
    if isinstance(node, (ast.Attribute, ast.Subscript)):
        return [node.value]
    return (
        [node] if isinstance(node, ast.Name) else [part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr)]
    )


def is_bound_to_none(name, statements, values, source_of):
    """Whether the name gets its value from such calls alone."""
    bindings = [part for part in own_parts(statements) if name in bound_by(part)]
    return bool(bindings) and all(
        isinstance(part, ast.Assign)
        and len(part.targets) == 1
        and isinstance(part.targets[0], ast.Name)
        and isinstance(part.value, ast.Call)
        and _gives_none(part.value, values, source_of)
        for part in bindings
    )


def bound_by(part):
    if not isinstance(part, ast.stmt):
        return {part.target.id} if isinstance(part, ast.NamedExpr) else ()
    fields = [getattr(part, field, None) for field in ("targets", "target", "name", "items")]
    nodes = [node for field in fields for node in (field if isinstance(field, list) else [field])]
    return {
        one.id if isinstance(one, ast.Name) else one
        for node in nodes
        if node is not None
        for one in ([node] if isinstance(node, str) else ast.walk(node))
        if isinstance(one, str) or (isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load))
    }


def _gives_none(call, values, source_of):
    if isinstance(call.func, ast.Attribute):
        return call.func.attr in IN_PLACE and not any(is_of_notebook(values.get(name)) for name in roots_of(call.func))
    name = getattr(call.func, "id", None)
    function = values.get(name)
    if not isinstance(function, types.FunctionType):
        return name in IN_PLACE and name not in values
    definition = source_of(function)
    return definition is not None and not _returns(definition.body)


def _returns(body):
    """Whether a function with this body may give something."""
    return any(
        isinstance(part, (ast.Yield, ast.YieldFrom)) or (isinstance(part, ast.Return) and part.value is not None)
        for part in own_parts(body)
    )
