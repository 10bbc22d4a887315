# Branches that a count never comes to: `if waited > PATIENCE`, where `waited` gets one more at most once in a round, and
# there are no more rounds than PATIENCE. No number that training computes has a say in how far it can come.
import ast
from typing import Any

from .numbered import Numbered

REACHING = {ast.Gt: 1, ast.GtE: 0, ast.Eq: 0}
TURNED = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Eq: ast.Eq}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
BINDING = (*FUNCTIONS, ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal, ast.ExceptHandler)


def answers(trees, ran, values, is_left):
    """(place, line) of the tests of such branches to their answer. `trees`: all code of the notebook, by its place; `ran`:
    (place, line) of the blocks that were seen to run; `is_left(name)`: whether it keeps what it holds."""
    numbered = Numbered(trees.values(), values, is_left)
    counts = _Counts(trees, numbered)
    found = {}
    for place, tree in trees.items():
        for branch in [part for part in ast.walk(tree) if isinstance(part, ast.If)]:
            if (place, branch.body[0].lineno) not in ran and any(map(counts.is_never, _parts_of(branch.test))):
                found[place, branch.lineno] = False
    return found


def _parts_of(test):
    return test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]


class _Counts:
    def __init__(self, trees, numbered):
        self.numbered = numbered
        self.places = {tree: place for place, tree in trees.items()}
        self.stores, self.unknown = {}, set()
        parts = [part for tree in trees.values() for part in ast.walk(tree)]
        for part in parts:
            if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load):
                self.stores.setdefault(part.id, []).append(part)
            elif isinstance(part, ast.arg):
                self.unknown.add(part.arg)
            elif isinstance(part, BINDING):
                named = [getattr(part, "name", None), *getattr(part, "names", ())]
                self.unknown.update(getattr(one, "asname", None) or getattr(one, "name", one) for one in named)

    def is_never(self, test):
        """Whether it asks for more than a count can come to."""
        if not isinstance(test, ast.Compare) or len(test.ops) != 1:
            return False
        (how,), (other,) = map(type, test.ops), test.comparators
        return self._is_short_of(test.left, how, other) or self._is_short_of(other, TURNED.get(how), test.left)

    def _is_short_of(self, name, kind, limit):
        if not isinstance(name, ast.Name) or kind not in REACHING:
            return False
        try:
            return self._most(name) < self.numbered.number(limit) + REACHING[kind]
        except Exception:
            return False

    def _most(self, name):
        """How far a count can come that begins with numbers that are written there, and is only added to."""
        scope, most, added = self._scope_of(name), [], 0
        if name.id in self.unknown or any(self._scope_of(store) is not scope for store in self.stores[name.id]):
            raise LookupError
        begun, counted = [], []
        for store in self.stores[name.id]:
            statement = self.numbered.above[store]
            if isinstance(statement, ast.AugAssign) and isinstance(statement.op, ast.Add):
                by = self.numbered.number(statement.value)
                added += max(0, by) * self._times(statement)
                counted.append(self._order_of(statement))
            else:
                assigned = self.numbered.above[statement] if isinstance(statement, ast.Tuple) else statement
                most.append(self.numbered.number(_given(store, statement, assigned)))
                begun += [self._order_of(assigned)] if self._always_runs(assigned, scope) else []
        if not begun or min(begun) > min(counted, default=min(begun)):
            # It may go on from what an earlier run left.
            raise LookupError
        return max(most) + added

    def _order_of(self, statement):
        *_, tree = self.numbered.around(statement)
        place = self.places[tree]
        return (place if isinstance(place, int) else -1, statement.lineno)

    def _always_runs(self, statement, scope):
        outer = self.numbered.above[statement]
        return outer is scope if scope is not None else isinstance(self.places.get(outer), int)

    def _times(self, statement):
        """How often a statement runs at most, once its function is called or its cell run."""
        times = 1
        for outer in self.numbered.around(statement):
            if isinstance(outer, FUNCTIONS):
                break
            if isinstance(outer, ast.For):
                times *= len(self.numbered.values_of(outer))
            elif isinstance(outer, (ast.While, ast.AsyncFor)):
                raise LookupError
        return times

    def _scope_of(self, node):
        return next((outer for outer in self.numbered.around(node) if isinstance(outer, FUNCTIONS)), None)


def _given(store, target, statement):
    """What an assignment gives to this name."""
    if not isinstance(statement, ast.Assign):
        raise LookupError
    value: Any = statement.value
    if isinstance(target, ast.Tuple):
        return next(part for one, part in zip(target.elts, value.elts) if one is store)
    return value
