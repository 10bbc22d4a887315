# Which `while` loops count: one name goes up or down in every round until it meets a bound. If its step is always the same,
# the loop has a last round that can be named, like a `for` over a range. So has one that fills a list up to a length. Of
# every other `while` nobody knows the last round: it can only be ended, and only where nothing waits for its answer.
import ast

TOWARDS = {ast.Lt: (1, False), ast.LtE: (1, True), ast.Gt: (-1, False), ast.GtE: (-1, True)}
LEFT_AT = {ast.GtE: (1, False), ast.Gt: (1, True), ast.LtE: (-1, False), ast.Lt: (-1, True)}
# A step that is no constant.
SEEN = 0
LOOPS = (ast.For, ast.AsyncFor, ast.While)
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
ENDS = (ast.Return, ast.Yield, ast.YieldFrom, ast.Await)
SIMPLE = (ast.Constant, ast.Name, ast.Attribute, ast.BinOp, ast.operator, ast.expr_context)


class Counted:
    """`name`, perhaps of an attribute, moves by `step` (None: seen only when it runs) until it meets `bound`, which itself
    is still part of the loop when `inclusive`. `exact`: once a round and until then, so that the values which it takes are
    known."""

    def __init__(self, name, direction, step, bound, inclusive, exact):
        self.name = name
        self.direction = direction
        self.step = step
        self.bound = bound
        self.inclusive = inclusive
        self.exact = exact


def filled(loop):
    """(name of a list, the length at which the loop is over) of `while len(name) < bound`, or None."""
    test = loop.test
    if not (isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Lt)):
        return None
    bound, call = test.comparators[0], test.left
    if not (isinstance(call, ast.Call) and _is(call.func, "len") and len(call.args) == 1):
        return None
    held = call.args[0]
    if not isinstance(held, ast.Name) or not all(isinstance(part, SIMPLE) for part in ast.walk(bound)):
        return None
    return held.id, bound


def may_be_ended(loop):
    """Whether the code after the loop comes after every end of it: nothing returns from it, or hands something out."""
    parts = list(own_parts(loop.body))
    has_end = not isinstance(loop.test, ast.Constant) or any(isinstance(part, ast.Break) for part in parts)
    return has_end and not loop.orelse and not any(isinstance(part, ENDS) for part in parts)


def counted(loop):
    """What the loop counts, or None."""
    for test, meanings, alone in _tests(loop):
        found = _counted_by(loop, test, meanings, alone)
        if found is not None:
            return found
    return None


def _tests(loop):
    if isinstance(loop.test, ast.Constant) and loop.test.value:
        for statement in loop.body:
            if isinstance(statement, ast.If) and not statement.orelse and isinstance(statement.body[-1], ast.Break):
                yield statement.test, LEFT_AT, True
    elif isinstance(loop.test, ast.BoolOp) and isinstance(loop.test.op, ast.And):
        for test in loop.test.values:
            yield test, TOWARDS, False
    else:
        yield loop.test, TOWARDS, True


def _counted_by(loop, test, meanings, alone):
    if not (isinstance(test, ast.Compare) and len(test.ops) == 1 and _is_named(test.left)):
        return None
    direction, inclusive = meanings.get(type(test.ops[0]), (0, False))
    bound, name = test.comparators[0], ast.unparse(test.left)
    parts = list(ast.walk(bound))
    if direction == 0 or not all(isinstance(part, SIMPLE) for part in parts):
        return None
    stored = [ast.unparse(part) for part in own_parts(loop.body) if _is_named(part) and isinstance(part.ctx, ast.Store)]
    read = [ast.unparse(part) for part in parts if _is_named(part)]
    if stored.count(name) != 1 or name.partition(".")[0] in {*stored} - {name} or any(part in stored for part in read):
        return None
    step, path = _moved(loop.body, name, direction)
    if step is None or step * direction < 0 or any(_continues(body) for body in [loop.body, *path]):
        return None
    if isinstance(test.left, ast.Attribute):
        # What the object does by itself may move it too.
        step = SEEN
    exact = alone and not path and step != SEEN
    return Counted(name, direction, step or None, bound, inclusive, exact)


def _moved(body, name, direction):
    """(by how much the name moves wherever these statements run, the bodies of the loops that this is in)."""
    for statement in body:
        if isinstance(statement, ast.AugAssign) and _is(statement.target, name):
            return _signed(statement.op, statement.value, direction), []
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and _is(statement.targets[0], name):
            value = statement.value
            if isinstance(value, ast.BinOp) and _is(value.left, name):
                return _signed(value.op, value.right, direction), []
            return None, []
        if isinstance(statement, (ast.For, ast.With)):
            step, path = _moved(statement.body, name, direction)
            if step is not None:
                return step, [statement.body, *path] if isinstance(statement, ast.For) else path
    return None, []


def _signed(operator, value, direction):
    if not (isinstance(value, ast.Constant) and type(value.value) is int):
        return SEEN if isinstance(operator, ast.Add if direction > 0 else ast.Sub) else None
    return {ast.Add: value.value, ast.Sub: -value.value}.get(type(operator)) or None


def _is(node, name):
    return _is_named(node) and ast.unparse(node) == name


def _is_named(node):
    return isinstance(node, ast.Name) or (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name))


def _continues(body):
    return any(isinstance(part, ast.Continue) for part in own_parts(body, LOOPS))


def own_parts(body, without=()):
    """All nodes of the statements, but not inside functions and classes, nor inside what is left out."""
    pending = list(body)
    while pending:
        part = pending.pop()
        yield part
        if not isinstance(part, (*SCOPES, *without)):
            pending.extend(ast.iter_child_nodes(part))


def last_value(value, step, bound, inclusive):
    """What the name holds when the last round begins; the value itself when that is this round."""
    if not all(type(number) is int for number in (value, step, bound)):
        return value
    left = (bound - value) * (1 if step > 0 else -1) - (0 if inclusive else 1)
    return value + max(0, left // abs(step)) * step
