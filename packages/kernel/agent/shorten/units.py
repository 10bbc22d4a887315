# The pieces of the notebook's code that were on the way to an exception: a cell's own level, then the functions that it went
# through. What is only come to behind the failing line is left out of them.
import ast
import linecache

from . import coverage
from .failing_part import cut_behind, failing_in, position_of

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Unit:
    """A piece of the notebook's code that was on the way to the exception: a cell's own level, or one function."""

    def __init__(self, statements, place, step, values, parameters=(), name=None):
        self.statements = statements
        self.position = position_of(step)
        self.parameters = parameters
        self.name = name
        self.place = place
        self.line = step.tb_lineno
        self.values = values

    def holds_failure(self, node):
        if hasattr(node, "earlier_cell") or isinstance(node, DEFINITIONS):
            return False
        return node.lineno <= self.line <= node.end_lineno

    def is_within(self, site):
        """Whether the failure is in the loop at that site."""
        loops = [part for statement in self.statements if self.holds_failure(statement) for part in ast.walk(statement)]
        return self.place == site[0] and any(
            isinstance(part, (ast.For, ast.While)) and part.lineno == site[1] and self.holds_failure(part) for part in loops
        )

    def failing_in(self, nodes):
        """The part of these that failed; None where it is not known."""
        return None if self.position is None else failing_in(nodes, self.position)


def units_of(error, clipper, texts, idle):
    """Outermost first: the cells of this copy up to the failing line, then the functions that it went through. `idle`: what
    no round comes to."""
    shell, index = clipper.shell, len(texts) - 1
    units, cell_file = [], None
    for step in steps_of(error):
        frame, code = step.tb_frame, step.tb_frame.f_code
        text = "".join(linecache.getlines(code.co_filename))
        if frame.f_globals is not shell.user_ns:
            continue
        if not text:
            # Code that a magic compiled.
            return None
        place = place_of(code.co_filename, texts)
        if cell_file is None:
            if code.co_name != "<module>" and not code.co_name.startswith("<cell line"):
                return None
            cell_file = code.co_filename
            body = ast.parse(text).body
            cut_behind(body, step.tb_lineno, coverage.times_of(index, clipper.cuts.ran))
            statements = idle.leave_out(_earlier(texts[:index]) + body, index, shell.user_ns)
            units.append(Unit(statements, index, step, shell.user_ns))
            continue
        if code.co_name.startswith("<"):
            # A comprehension or a lambda: the statement around it is in the frame before.
            continue
        function = _function_at(ast.parse(text), code.co_name, step.tb_lineno)
        if function is None:
            return None
        parameters = [argument.arg for argument in ast.walk(function.args) if isinstance(argument, ast.arg)]
        values = {**frame.f_globals, **frame.f_locals}
        times_of = coverage.times_of(place, clipper.cuts.ran)
        cut_behind(function.body, step.tb_lineno, times_of, times_of(function.body))
        statements = idle.leave_out(function.body, place, values)
        units.append(Unit(statements, place, step, values, parameters, function.name))
    return units or None


def steps_of(error):
    step = error.__traceback__
    while step is not None:
        yield step
        step = step.tb_next


def _earlier(texts):
    """Statements of the cells that this copy ran before, each knowing its cell."""
    statements = []
    for number, text in enumerate(texts):
        for statement in ast.parse(text).body:
            statement.earlier_cell = number
            statements.append(statement)
    return statements


def _function_at(tree, name, line):
    """The innermost function of that name around the line."""
    functions = (node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)))
    around = [node for node in functions if node.name == name and node.lineno <= line <= (node.end_lineno or 0)]
    return max(around, key=lambda node: node.lineno, default=None)


def place_of(name, texts):
    """The number of the cell that the code is of, or else its file."""
    text = "".join(linecache.getlines(name))
    return texts.index(text) if text in texts else name


def definition_of(function):
    text = "".join(linecache.getlines(function.__code__.co_filename))
    return _function_at(ast.parse(text), function.__name__, function.__code__.co_firstlineno) if text else None
