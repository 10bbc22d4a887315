# Which part of a statement failed. Python 3.11 and later say it; what the statement does beside or after that part has no
# say in the exception, and neither has what is only come to behind it.
import ast

from .uses import blocks_of

INNER_SCOPES = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda)


def position_of(step):
    """(line, end line, column, end column) of what a frame of a traceback was at; None where it is not known."""
    positions = getattr(step.tb_frame.f_code, "co_positions", None)
    if positions is None or step.tb_lasti < 0:
        return None
    for index, found in enumerate(positions()):
        if index == step.tb_lasti // 2:
            return found if None not in found else None
    return None


class Failing:
    """`node`: the smallest expression that is known to have failed; `path`: what it is in, outermost first."""

    def __init__(self, node, path):
        self.node, self.path = node, path

    def decisions(self):
        """What decides whether this part is come to."""
        found = []
        for outer, inner in zip(self.path, [*self.path[1:], self.node]):
            if isinstance(outer, ast.IfExp) and inner is not outer.test:
                found.append(outer.test)
            elif isinstance(outer, ast.BoolOp):
                found += outer.values[: outer.values.index(inner)]
        return found


def failing_in(parts, position):
    """The part of these nodes at the position; None where no expression is exactly there."""
    for part in parts:
        found = _search(part, position, [])
        if found is not None:
            return found
    return None


def subscript_at(nodes, position):
    """The subscript in these, comprehensions included, that is exactly there; None where there is none."""
    parts = [part for node in nodes for part in ast.walk(node) if isinstance(part, ast.Subscript)]
    places = ((part.lineno, part.end_lineno, part.col_offset, part.end_col_offset) for part in parts)
    return next((part for part, place in zip(parts, places) if place == position), None)


def _search(node, position, path):
    if isinstance(node, ast.expr):
        context = getattr(node, "ctx", None)
        here = (node.lineno, node.end_lineno, node.col_offset, node.end_col_offset) == position
        # What a comprehension or a lambda reads of its own has no name outside.
        if (here and not isinstance(context, (ast.Store, ast.Del))) or (
            isinstance(node, INNER_SCOPES) and _is_within(position, node)
        ):
            return Failing(node, path)
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.expr) or _is_within(position, child):
            found = _search(child, position, [*path, node])
            if found is not None:
                return found
    return None


def _is_within(position, node):
    first, last, column, end = position
    return (node.lineno, node.col_offset) <= (first, column) and (last, end) <= (node.end_lineno, node.end_col_offset)


def cut_behind(statements, line, times_of, times=1):
    """Take away what is only come to behind the failing line, in place, unless it was come to before. `times_of(block)`: how
    often a block of a branch, a loop or a function ran."""
    for number, statement in enumerate(statements):
        if not statement.lineno <= line <= (statement.end_lineno or 0):
            continue
        blocks = blocks_of(statement)
        inner = [block for block in blocks if block[0].lineno <= line <= (block[-1].end_lineno or 0)]
        if inner:
            counted = not isinstance(statement, (ast.With, ast.AsyncWith, ast.ClassDef))
            cut_behind(inner[0], line, times_of, times_of(inner[0]) if counted else times)
        elif times == 1:
            del statements[number + 1 :]
            for block in blocks if isinstance(statement, (ast.If, ast.While, ast.For)) else ():
                block[:] = [ast.copy_location(ast.Pass(), block[0])]
        return
