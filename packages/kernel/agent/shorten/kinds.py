# Kinds of rounds. A branch that hangs on the number of the round alone, as every thousandth or the last one, is decided for
# every round beforehand, also where a function is handed that number. So rounds of each kind can be run, not the first and
# the last alone.
import ast

# A kind with so few rounds has all of them run; of others so many are enough.
RARE, ENOUGH = 4, 2
MOST_CHOSEN, MOST_SECONDS = 12, 4.0
MOST_DECIDED = 1_500_000
# So many rounds show how a number moves.
SHOWN = 3
MOST_NOTES = 50
PLAIN = (ast.Compare, ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.Constant, ast.Set, ast.Tuple, ast.List)
MARKS = (ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context)
ROUND = "__round__"


def atoms_of(test):
    """The names, attributes and lengths that a test is made of; None where it does more than compare and reckon."""
    found, pending = [], [test]
    while pending:
        part = pending.pop()
        if _is_atom(part):
            found.append(part)
        elif isinstance(part, PLAIN):
            pending.extend(ast.iter_child_nodes(part))
        elif not isinstance(part, MARKS):
            return None
    return found or None


def _is_atom(part):
    if isinstance(part, ast.Call):
        of_length = getattr(part.func, "id", None) == "len" and len(part.args) == 1 and not part.keywords
        return of_length and _is_atom(part.args[0])
    while isinstance(part, ast.Attribute) or (isinstance(part, ast.Subscript) and isinstance(part.slice, ast.Constant)):
        part = part.value
    return isinstance(part, ast.Name)


class Test:
    """What a test was made of in the first rounds that came to it."""

    def __init__(self, text):
        self.tree = ast.parse(text, mode="eval")
        self.atoms = {ast.dump(part): part for part in atoms_of(self.tree.body) or ()}
        self.codes = {key: compile(ast.Expression(part), "<grus test>", "eval") for key, part in self.atoms.items()}
        self.seen, self.notes, self.is_over = {}, 0, False

    def note(self, number, frame):
        self.notes += 1
        if len(self.seen) == SHOWN and number not in self.seen:
            self.is_over = True
            return
        try:
            found = {key: eval(code, frame.f_globals, frame.f_locals) for key, code in self.codes.items()}
        except Exception:
            found = {}
        if self.notes > MOST_NOTES or not found or not _same(self.seen.setdefault(number, found), found):
            self.seen, self.is_over = {}, True

    def by_round(self):
        """The test as an expression of the round's number; None where it hangs on other things too."""
        if len(self.seen) < ENOUGH:
            return None
        moved = {}
        for key in self.atoms:
            found = _moved([(number, seen[key]) for number, seen in self.seen.items()])
            if found is None:
                return None
            moved[key] = found
        if not any(by for by, _ in moved.values()):
            return None
        _Moving(moved).visit(self.tree)
        return ast.UnaryOp(ast.Not(), self.tree.body)


class _Moving(ast.NodeTransformer):
    def __init__(self, moved):
        self.moved = moved

    def visit(self, node):
        found = self.moved.get(ast.dump(node)) if isinstance(node, ast.expr) else None
        if found is None:
            return self.generic_visit(node)
        by, start = found
        if not by:
            return ast.Constant(start)
        number = ast.Name(ROUND, ast.Load())
        return ast.BinOp(ast.BinOp(number, ast.Mult(), ast.Constant(by)), ast.Add(), ast.Constant(start))


def _same(one, other):
    return all(type(other[key]) is type(value) and _equal(value, other[key]) for key, value in one.items())


def _equal(one, other):
    return one is other or (type(one) in (int, float, str, bool) and one == other)


def _moved(seen):
    """(by how much a round moves the number, where it would be in round 0), or (0, what stays as it is); None for others."""
    (first, value), *others = seen
    if all(_equal(value, found) for _, found in others):
        return 0, value
    if any(type(found) is not int for _, found in seen):
        return None
    by, rest = divmod(others[-1][1] - value, others[-1][0] - first)
    start = value - by * first
    return (by, start) if not rest and all(found == start + by * number for number, found in seen) else None


class Loop:
    """A `for` that is going on, and the tests that its rounds come to."""

    def __init__(self):
        self.number = 0
        self.tests = {}

    def note(self, site, text, frame):
        test = self.tests.get(site)
        if test is None:
            test = self.tests[site] = Test(text)
        if not test.is_over:
            test.note(self.number, frame)

    def chosen(self, done, length, seconds):
        """Numbers of rounds after `done` and before the last, of kinds that have not been run or that are rare."""
        tests = [test for test in (one.by_round() for one in self.tests.values()) if test is not None]
        if not tests or length - done > MOST_DECIDED:
            return []
        numbers = ast.comprehension(ast.Name(ROUND, ast.Store()), ast.Name("numbers", ast.Load()), [], 0)
        decided = ast.Expression(ast.GeneratorExp(ast.Tuple(tests, ast.Load()), [numbers]))
        code = compile(ast.fix_missing_locations(decided), "<grus kinds>", "eval")
        kinds = {}
        try:
            known = set(eval(code, {"numbers": range(1, done + 1)}))
            for number, kind in enumerate(eval(code, {"numbers": range(done + 1, length)}), done + 1):
                held = kinds.setdefault(kind, [])
                if len(held) <= RARE:
                    held.append(number)
        except Exception:
            return []
        first = [held[0] for kind, held in kinds.items() if kind not in known]
        more = [
            number
            for kind, held in kinds.items()
            for number in (held if len(held) <= RARE else () if kind in known else held[:ENOUGH])
            if number not in first
        ]
        most = min(MOST_CHOSEN, max(1, int(MOST_SECONDS / max(seconds, 1e-6))))
        return sorted((first + sorted(more))[:most])
