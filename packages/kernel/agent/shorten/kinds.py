# Kinds of rounds. A branch that hangs on the number of the round alone, as every thousandth or the last one, is decided for
# every round beforehand, also where a function is handed that number. So rounds of each kind can be run, not the first and
# the last alone, and what each kind adds to lists and tables is known of all of them.
import ast
import copy
import math
from collections import Counter
from time import perf_counter

from .codes import CHANGING, codes_of, may_be_set, may_lengthen, names_in
from .things import is_a
from .uses import may_skip

# A kind with so few rounds has all of them run; of others so many are enough.
RARE, ENOUGH = 4, 2
MOST_CHOSEN, MOST_SECONDS = 12, 4.0
MOST_DECIDED = 1_500_000
# So many rounds show how a number moves.
SHOWN = 3
MOST_NOTES, MOST_SEVERAL = 50, 600
PLAIN = (ast.Compare, ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.Constant, ast.Set, ast.Tuple, ast.List)
MARKS = (ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context)
ROUND = "__round__"
LOOPS = (ast.For, ast.While)
LEAVING = (ast.Continue, ast.Break, ast.Return)


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

    def __init__(self, text, is_plain):
        # Nothing that training computes can be in it.
        self.is_plain = is_plain
        self.tree = ast.parse(text, mode="eval")
        self.atoms = {ast.dump(part): part for part in atoms_of(self.tree.body) or ()}
        self.codes = {key: compile(ast.Expression(part), "<grus test>", "eval") for key, part in self.atoms.items()}
        self.notes, self.is_over = 0, False
        # Rounds to what was found, each time that they came to it; `several`: these differ.
        self.seen, self.several = {}, False

    def note(self, number, frame):
        self.notes += 1
        if len(self.seen) == SHOWN and number not in self.seen:
            self.is_over = True
            return
        try:
            found = {key: eval(code, frame.f_globals, frame.f_locals) for key, code in self.codes.items()}
        except Exception:
            found = {}
        times = self.seen.setdefault(number, [])
        self.several = self.several or not (times == [] or (found and _same(times[0], found)))
        times.append(found)
        if not found or self.notes > (MOST_SEVERAL if self.several else MOST_NOTES):
            self.seen, self.is_over = {}, True

    def by_round(self, loop):
        """The test as an expression of the round's number, or how often it comes out false in the round; None where it hangs
        on other things too, or always comes out the same as far as is known."""
        times = {len(found) for found in self.seen.values()}
        if len(self.seen) < ENOUGH or (self.several and (len(times) > 1 or not loop.is_whole_inside or not self.is_plain)):
            return None
        each = times.pop() if self.several else 1
        numbered = [
            ((number - 1) * each + time, one)
            for number, found in self.seen.items()
            for time, one in enumerate(found[:each], 1)
        ]
        moved = {}
        for key in self.atoms:
            found = _moved([(number, one[key]) for number, one in numbered])
            if found is None or not (
                found[0] == 0 or loop.counts or all(loop.has(number, one[key]) for number, one in numbered)
            ):
                return None
            moved[key] = found
        if not any(by for by, _ in moved.values()):
            return ast.Constant(None) if self.is_plain else None
        answers = []
        for time in range(1, each + 1):
            # The number of a time is (round - 1) * each + time.
            placed = {key: (by * each, start + by * (time - each) if by else start) for key, (by, start) in moved.items()}
            tree = copy.deepcopy(self.tree)
            _Moving(placed).visit(tree)
            answers.append(ast.UnaryOp(ast.Not(), tree.body))
        if each == 1:
            return answers[0]
        return ast.Call(ast.Name("sum", ast.Load()), [ast.Tuple(answers, ast.Load())], [])


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


def counted_by(test, loops):
    """(name, attribute) of the objects and tables that a test asks, where it is made of numbers of rounds and of what the
    loops around it leave alone, as far as their code says; None for any other test."""
    parts = [part for statement in loops[0].body for part in ast.walk(statement)]
    targets = [name for loop in loops if isinstance(loop, ast.For) for name in _names_in(loop.target)]
    stored = Counter(ast.unparse(part) for part in parts if not isinstance(getattr(part, "ctx", ast.Load()), ast.Load))
    # Targets of inner loops are stored in the outermost.
    stored.subtract(name for loop in loops[1:] if isinstance(loop, ast.For) for name in _names_in(loop.target))
    handed = {getattr(given, "id", None) for part in parts if isinstance(part, ast.Call) for given in part.args}
    steady = {ast.unparse(part.target) for loop in [*loops, *_inner(loops[0])] for part in loop.body if _counts(part)}
    steady -= set(targets)
    found = []
    for atom in atoms_of(test) or ():
        root = atom
        while isinstance(root, (ast.Attribute, ast.Subscript)):
            root = root.value
        if not isinstance(root, ast.Name) or (isinstance(atom, ast.Subscript) and root.id in handed):
            return None
        own = 1 if root is atom and root.id in steady else 0
        if stored[root.id] > own or (root is not atom and stored[ast.unparse(atom)]):
            return None
        if root is not atom:
            found.append((root.id, getattr(atom, "attr", None)))
    return tuple(found)


def loops_at(text, line):
    """Outermost first."""
    return [node for node in ast.walk(ast.parse(text)) if isinstance(node, LOOPS) and node.lineno <= line <= _end(node)]


def is_as_many_times(loop):
    """Whether nothing that is computed says how often anything inside is done, but for the tests of branches."""
    return not may_skip(loop) and not any(isinstance(part, ast.While) for part in ast.walk(loop))


def counted_in(loops):
    """Names that the innermost of these loops, or one in it, counts on in every round, and nothing else stores in them."""
    stored = Counter(
        part.id for part in ast.walk(loops[0]) if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)
    )
    counted = [part.target for loop in [loops[-1], *_inner(loops[-1])] for part in loop.body if _counts(part)]
    return {target.id for target in counted if isinstance(target, ast.Name) and stored[target.id] == 1}


def _inner(loop):
    """The loops inside whose rounds are all made, whatever is computed there."""
    if may_skip(loop):
        return
    for part in loop.body:
        if isinstance(part, ast.For):
            yield part
            yield from _inner(part)


def _end(node):
    return node.end_lineno or node.lineno


def _names_in(target):
    return [part.id for part in ast.walk(target) if isinstance(part, ast.Name)]


def _counts(statement):
    """`step += 1`, in every round."""
    return isinstance(statement, ast.AugAssign) and type(getattr(statement.value, "value", None)) is int


def grown_in(blocks):
    """What the blocks of a branch may make longer: () where nothing, the names that they call or add to, or True for
    anything."""
    parts = [part for block in blocks for statement in block for part in ast.walk(statement)]
    called = [part.func for part in parts if isinstance(part, ast.Call)]
    adds = any(getattr(part, "attr", None) in CHANGING for part in called)
    keyed = any(isinstance(part, ast.Subscript) and not isinstance(part.ctx, ast.Load) for part in parts)
    added = [part.target for part in parts if isinstance(part, ast.AugAssign)]
    if adds or keyed or not all(isinstance(part, ast.Name) for part in added):
        return True
    if any(isinstance(part, LEAVING) for part in parts):
        return True
    return tuple({part.id for node in (*called, *added) for part in ast.walk(node) if isinstance(part, ast.Name)})


def _may_grow(value, names, seen):
    """Whether it gets longer where a branch adds to it, or makes something longer where one calls it."""
    if isinstance(value, (list, dict, set)) or is_a(value, "collections", "deque"):
        return True
    for code in codes_of(value):
        if code not in seen:
            seen.add(code)
            inner = [names[name] for name in names_in(code) if name in names and codes_of(names[name])]
            if may_lengthen(code) or any(_may_grow(one, names, seen) for one in inner):
                return True
    return False


class Loop:
    """A `for` that is going on, and the tests that its rounds come to."""

    def __init__(self, site, plan):
        self.site, self.plan = site, plan
        self.number = 0
        self.tests = {}
        # Branches that may make something longer.
        self.growing = set()
        self.since, self.goal = perf_counter(), None
        # Whether nothing inside was cut; and whether numbers that it counts beside its own are where they would be.
        self.is_whole_inside, self.counts = True, True

    def has(self, number, value):
        """Whether this is the number of its own in that round."""
        own = self.plan.firsts if self.plan.firsts is not None else self.plan.values
        return isinstance(own, range) and own[number - 1] == value

    def note(self, site, text, grown, counted, frame):
        if site not in self.tests:
            names = {**frame.f_globals, **frame.f_locals}
            plain = counted is not None and not any(may_be_set(name, attribute, names) for name, attribute in counted)
            self.tests[site] = Test(text, plain) if text is not None else None
            if grown is True or any(_may_grow(names.get(name), names, set()) for name in grown):
                self.growing.add(site)
        test = self.tests[site]
        if test is not None and not test.is_over:
            test.note(self.number, frame)

    def goes_on_to(self, done, length, seconds):
        """The number of the last round that is the first of its kind and comes within so many seconds; 0 where none does."""
        if seconds <= 0:
            return 0
        if self.goal is None and done >= ENOUGH:
            kinds = self.kinds(done, length)
            firsts = [held[0] for kind, held in kinds.held.items() if kind not in kinds.known] if kinds is not None else []
            reach = done + seconds / max(1e-6, (perf_counter() - self.since) / done)
            self.goal = max([number for number in firsts if number <= reach], default=0)
        return self.goal or 0

    def kinds(self, done, length):
        """The kinds of the rounds after `done` and before the last; None where that takes too long to say."""
        tests = {site: test.by_round(self) for site, test in self.tests.items() if test is not None}
        tests = {site: test for site, test in tests.items() if test is not None}
        plain = {site for site in tests if self.tests[site].is_plain}
        try:
            return Kinds(list(tests.values()), done, length, self.growing <= plain)
        except Exception:
            return None


class Course:
    """How tests of a round's number come out: between some numbers, `breaks`, they do so again after every `period` rounds.
    Without a period that is not known."""

    def __init__(self, tests):
        self.breaks, self.moduli = set(), [1]
        try:
            for test in tests:
                self._follow(test)
            # So long that a kind which is not rare has more rounds in it than a rare one.
            self.period = math.lcm(*self.moduli) * (RARE + 1)
        except ArithmeticError:
            self.period = None

    def pieces(self, numbers):
        """(rounds of one period, how many there are) of all these, in order."""
        starts = sorted({numbers.start, *(number for number in self.breaks if number in numbers)})
        for start, stop in zip(starts, [*starts[1:], numbers.stop]):
            times = (stop - start) // self.period if self.period is not None else 0
            if times > 0:
                yield range(start, start + self.period), times
            yield range(start + times * (self.period or 0), stop), 1

    def _follow(self, node):
        if _is_still(node):
            return
        if _is_line(node):
            self._break_at_zero(node)
        elif isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            for one, other in zip(sides, sides[1:]):
                for part in other.elts if isinstance(other, (ast.Tuple, ast.List, ast.Set)) else [other]:
                    if _is_line(one) or _is_line(part):
                        self._break_at_zero(ast.BinOp(one, ast.Sub(), part))
                    else:
                        self._follow(one)
                        self._follow(part)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and _is_line(node.left):
            by = getattr(node.right, "value", None)
            if type(by) is not int or by <= 0:
                raise ArithmeticError
            self.moduli.append(by)
        elif isinstance(node, ast.BinOp) and (_is_line(node.left) or _is_line(node.right)):
            raise ArithmeticError
        elif isinstance(node, (ast.BinOp, ast.BoolOp, ast.UnaryOp, ast.Tuple)):
            for part in ast.iter_child_nodes(node):
                self._follow(part)
        elif isinstance(node, ast.Call):
            # The sum of several.
            for part in node.args:
                self._follow(part)
        elif not isinstance(node, MARKS):
            raise ArithmeticError

    def _break_at_zero(self, node):
        if not _is_line(node):
            raise ArithmeticError
        at_zero, at_one = (_at(node, number) for number in (0, 1))
        if at_one != at_zero:
            root = math.floor(-at_zero / (at_one - at_zero))
            self.breaks |= {root, root + 1, root + 2}


def _is_still(node):
    return not any(getattr(part, "id", None) == ROUND for part in ast.walk(node))


def _is_line(node):
    """Whether it is a number that moves by as much in every round."""
    if isinstance(node, ast.Name):
        return node.id == ROUND
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        sides = [node.left, node.right]
        return any(map(_is_line, sides)) and all(_is_line(side) or _is_number(side) for side in sides)
    return (
        isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and _is_line(node.left) and _is_number(node.right)
    )


def _is_number(node):
    value = getattr(node, "value", None) if isinstance(node, ast.Constant) else None
    return type(value) is int or (type(value) is float and math.isfinite(value))


def _at(node, number):
    tree = ast.fix_missing_locations(ast.Expression(copy.deepcopy(node)))
    return eval(compile(tree, "<grus test>", "eval"), {ROUND: number})


class Kinds:
    """`whole`: nothing else than the number of the round decides what a round makes longer."""

    def __init__(self, tests, done, length, whole):
        self.done, self.length, self.whole = done, length, whole
        self.tests = any(not isinstance(test, ast.Constant) for test in tests)
        numbers = ast.comprehension(ast.Name(ROUND, ast.Store()), ast.Name("numbers", ast.Load()), [], 0)
        decided = ast.Expression(ast.GeneratorExp(ast.Tuple(tests, ast.Load()), [numbers]))
        self.code = compile(ast.fix_missing_locations(decided), "<grus kinds>", "eval")
        self.known = Counter(self._of(range(1, done + 1)))
        self.held, self.times = {}, Counter()
        # The rounds of one period are like those of every other.
        pieces = list(Course(tests).pieces(range(done + 1, length)))
        width = max([len(part.elts) for test in tests for part in ast.walk(test) if isinstance(part, ast.Tuple)], default=1)
        if sum(len(piece) for piece, _ in pieces) * max(1, width) > MOST_DECIDED:
            raise OverflowError
        for piece, times in pieces:
            self._decide(piece, times)

    def _decide(self, numbers, times):
        for number, kind in zip(numbers, self._of(numbers)):
            self.times[kind] += times
            held = self.held.setdefault(kind, [])
            if len(held) <= RARE:
                held.append(number)

    def _of(self, numbers):
        return eval(self.code, {"numbers": numbers})

    def of(self, number):
        return next(self._of([number]))

    def left_out(self):
        """(number, kind) of every round between."""
        return enumerate(self._of(range(self.done + 1, self.length)), self.done + 1)

    def chosen(self, seconds, of_each):
        """Numbers of rounds of kinds that have not been run or that are rare; with `of_each`, some of every kind."""
        of_each = of_each and self.whole
        if not (self.tests or of_each):
            return []
        wanted = [
            (place, number)
            for kind, held in self.held.items()
            for place, number in enumerate(
                held if len(held) <= RARE else held[:ENOUGH] if of_each or kind not in self.known else ()
            )
        ]
        most = min(MOST_CHOSEN, max(1, int(MOST_SECONDS / max(seconds, 1e-6))))
        # The first of every kind, then the second ones.
        return sorted(number for _, number in sorted(wanted)[:most])
