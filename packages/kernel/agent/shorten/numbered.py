# Keys and names that are made of the number of a round: `losses[step]`, `f"net_{epoch}.pt"`. Which values that number takes
# in the whole run is written in the head of its loop, and branches around it let some of them through. What it never is, no
# round makes.
import ast
from typing import Any

from .kinds import MOST_DECIDED
from .things import NUMBERS
from .uses import blocks_of

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
# What reckons and writes, and does nothing else.
RECKONING = (
    *(ast.Constant, ast.Name, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.JoinedStr, ast.FormattedValue),
    *(ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context),
)
MOST_TESTED = 300_000


class Numbered:
    """Of these statements. `values`: what names hold; `is_left(name)`: whether that is the same in the whole run."""

    def __init__(self, statements, values, is_left):
        self.values, self.is_left = values, is_left
        self.above = {}
        pending = list(statements)
        for node in pending:
            for child in ast.iter_child_nodes(node):
                self.above[child] = node
                pending.append(child)

    def may_be(self, node, wanted):
        """Whether this expression may be one of the wanted values, in any round."""
        try:
            return self._may_be(node, wanted)
        except Exception:
            return True

    def _may_be(self, node, wanted):
        code, numbers, names, tests = self._read(node)
        if numbers is None:
            return eval(code, dict(names)) in wanted
        name, values = numbers
        if isinstance(values, int):
            # Counted from here on, nobody knows how far: it is one of the wanted or it is not.
            if not isinstance(node, ast.Name):
                return True
            values = [one for one in wanted if type(one) is int and one >= values]
        if len(values) > (MOST_TESTED if tests else MOST_DECIDED):
            return True
        for value in values:
            held = {**names, name: value}
            if all(bool(eval(test, dict(held))) is answer for test, answer in tests) and eval(code, dict(held)) in wanted:
                return True
        return False

    def _read(self, node):
        """What an expression is made of: its code, (name, values) of the number of the round, settings, and what is asked of
        that number before it is come to."""
        found = self._names_in(node)
        loops = {name: loop for name in found if (loop := self._loop_of(name, node)) is not None}
        if len(loops) > 1:
            raise LookupError
        names = {name: self._setting(name, node) for name in found if name not in loops}
        tests, numbers = [], None
        for name, loop in loops.items():
            numbers = (name, self.values_of(loop))
            for test, answer in self._tests_on_the_way(node, loop):
                try:
                    read = self._names_in(test) - {name}
                    settings = {one: self._setting(one, test) for one in read}
                except LookupError:
                    # What it hangs on is not known: it may let any through.
                    continue
                tests.append((_compiled(test), answer))
                names.update(settings)
        return _compiled(node), numbers, names, tests

    def _names_in(self, node):
        parts = list(ast.walk(node))
        if not all(isinstance(part, RECKONING) for part in parts):
            raise LookupError
        return {part.id for part in parts if isinstance(part, ast.Name)}

    def _setting(self, name, node):
        """The value of a name that is the same wherever it is read."""
        if any(name in _bound_in(scope) for scope in self.around(node) if isinstance(scope, (*SCOPES, *COMPREHENSIONS))):
            raise LookupError
        value = self.values[name]
        if type(value) not in NUMBERS or not self.is_left(name):
            raise LookupError
        return value

    def around(self, node):
        """What it is in, innermost first."""
        while node in self.above:
            node = self.above[node]
            yield node

    def _loop_of(self, name, node):
        """The loop around whose target this name is; None where it is none of them."""
        for outer in self.around(node):
            if isinstance(outer, (*SCOPES, *COMPREHENSIONS)) and name in _bound_in(outer) - _targets_in(outer):
                raise LookupError
            if isinstance(outer, ast.For) and name in _names(outer.target):
                stored = [one for one in _stores(outer.body) if one == name]
                first = outer.target.elts[0] if isinstance(outer.target, ast.Tuple) else outer.target
                if stored or getattr(first, "id", None) != name:
                    raise LookupError
                return outer
            if isinstance(outer, SCOPES):
                return None
        return None

    def values_of(self, loop):
        """The values of its (first) target: a range, or where it is counted from without a known end."""
        made: Any = loop.iter
        while isinstance(made, ast.Call) and made.args and self._shows_progress(made.func):
            made = made.args[0]
        called = getattr(made.func, "id", None) if isinstance(made, ast.Call) and made.args else None
        if called is None or called in self.values:
            raise LookupError
        if called == "range" and not isinstance(loop.target, ast.Tuple):
            return range(*[self.number(part) for part in made.args])
        if called == "enumerate" and isinstance(loop.target, ast.Tuple):
            start = made.args[1:] or [word.value for word in made.keywords if word.arg == "start"]
            return self.number(start[0]) if start else 0
        raise LookupError

    def _shows_progress(self, function):
        """Whether it gives back what it is given, one by one."""
        held = self.values.get(getattr(function, "id", None))
        return isinstance(held, type) and held.__module__.partition(".")[0] == "tqdm"

    def number(self, node):
        """What it always is."""
        value = eval(_compiled(node), {name: self._setting(name, node) for name in self._names_in(node)})
        if type(value) is not int:
            raise LookupError
        return value

    def _tests_on_the_way(self, node, loop):
        inner = node
        for outer in self.around(node):
            if outer is loop:
                return
            if isinstance(outer, (ast.If, ast.IfExp)) and inner is not outer.test:
                yes = outer.body if isinstance(outer.body, list) else [outer.body]
                yield outer.test, inner in yes
            inner = outer


def _compiled(node):
    return compile(ast.Expression(node), "<grus number>", "eval")


def _names(node):
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _stores(statements):
    """Names that these bind, as often as they do."""
    parts = [part for statement in statements for part in ast.walk(statement)]
    named = [part.id for part in parts if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)]
    return named + [part.name for part in parts if isinstance(part, (ast.FunctionDef, ast.ClassDef, ast.ExceptHandler))]


def _targets_in(scope):
    """Of the loops of a function."""
    inner = blocks_of(scope)
    loops = [part for block in inner for one in block for part in ast.walk(one) if isinstance(part, ast.For)]
    return {name for loop in loops for name in _names(loop.target)}


def _bound_in(scope):
    """Names that are the scope's own."""
    if isinstance(scope, COMPREHENSIONS):
        return {name for part in scope.generators for name in _names(part.target)}
    arguments = {part.arg for part in ast.walk(scope) if isinstance(part, ast.arg)}
    return arguments | set(_stores(getattr(scope, "body", []) if not isinstance(scope, ast.Lambda) else []))
