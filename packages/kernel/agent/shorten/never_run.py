# Blocks that no round of the whole run comes to. A test of nothing but settings, which the loops around it leave alone,
# comes out the same in every round; one of the number of a round can be tried for all of them; and a loop over a generator
# that was used up before anything was left out has no rounds. What such blocks would change stays as it is.
import ast
import dis
import linecache
from typing import Any

from ..objects.callables import codes_within
from . import calls, never_better, never_reached
from .codes import (
    BY_NAMELESS,
    CHANGING,
    SETTING,
    codes_in,
    codes_of,
    globals_bound,
    globals_read,
    may_be_set,
    names_in,
)
from .counted_whiles import own_parts
from .coverage import BLOCKS
from .kinds import MOST_DECIDED, atoms_of
from .things import classes, is_a, is_immutable, is_of_notebook, is_one_of, is_settings
from .units import place_of
from .used_up import taken_from
from .uses import BRANCHES

LOOPS = (ast.For, ast.AsyncFor, ast.While)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
COUNTING = ("enumerate", "zip", "range", "tqdm", "len")
SIZED = classes("torch:Tensor numpy:ndarray torch.utils.data:Dataset")


def settings_of(test, loops, scopes):
    """What a test in loops or functions is made of, for the rewritten code: `still`, the expressions that no code in sight
    changes; `moving`, (name, line, whether it is the first of a pair) of targets and of the loops that they are of; `sized`,
    what says how many rounds these have; `given`, (function, its parameters) that it reads; `part`, (its text, the answer
    with which it decides), where only a part of the test is. None where more has a say."""
    if not loops and not scopes:
        return None
    whole = _made_of(test, loops, scopes)
    if whole is not None or not isinstance(test, ast.BoolOp):
        return None if whole is None else (*whole, None)
    parts = [part for part in test.values if _made_of(part, loops, scopes) is not None]
    part = ast.BoolOp(test.op, parts) if len(parts) > 1 else [*parts, test][0]
    known = _made_of(part, loops, scopes)
    return None if known is None else (*known, (ast.unparse(part), isinstance(test.op, ast.Or)))


def _made_of(test, loops, scopes):
    found = _Settings(loops, scopes)
    atoms = atoms_of(test) or []
    known = bool(atoms) and all(map(found.add, atoms)) and (found.still or found.moving)
    return (tuple(found.still), tuple(found.moving), tuple(found.sized), found.given()) if known else None


class _Settings:
    def __init__(self, loops, scopes):
        self.loops, self.scopes = loops, scopes
        self.stored = _Stored(scopes[0].body if scopes else loops[:1])
        self.parameters = [part.arg for part in ast.walk(scopes[-1].args) if isinstance(part, ast.arg)] if scopes else []
        outer = [part.arg for scope in scopes[:-1] for part in ast.walk(scope.args) if isinstance(part, ast.arg)]
        self.unknown = self.stored.names | set(outer)
        self.still, self.moving, self.sized, self.read = [], [], [], set()

    def add(self, atom):
        if self.stored.in_secret:
            return False
        loop = next((one for one in reversed(self.loops) if _is_target(atom, one)), None)
        if loop is None:
            return self._stays(atom, self.still)
        self.moving.append((atom.id, loop.iter.lineno, isinstance(loop.target, ast.Tuple)))
        return atom.id not in _Stored(loop.body).names and self.is_as_long_again(loop.iter)

    def given(self):
        return (self.scopes[-1].name, tuple(self.parameters), tuple(sorted(self.read))) if self.read else None

    def _stays(self, atom, found):
        root, path = _root(atom), _path(atom)
        if not isinstance(root, ast.Name) or root.id in self.unknown or len(path) > 2:
            return False
        if set(path) & self.stored.attributes or (None in path and root.id in self.stored.changed):
            return False
        if root.id in self.parameters:
            # A method may be called by a library, or by another name: nobody sees what it is given.
            if "self" in self.parameters:
                return False
            self.read.add(root.id)
        found.append(ast.unparse(atom))
        return True

    def is_as_long_again(self, made):
        if isinstance(made, ast.Call):
            named = getattr(made.func, "id", None)
            parts = [*made.args, *(word.value for word in made.keywords if word.arg in ("start", "iterable"))]
            return named in COUNTING and bool(parts) and all(map(self.is_as_long_again, parts))
        if isinstance(made, ast.Constant):
            return True
        atoms = [part for part in atoms_of(made) or () if not isinstance(part, ast.Call)]
        return (
            bool(atoms) and len(atoms) == len(atoms_of(made) or ()) and all(self._stays(part, self.sized) for part in atoms)
        )


def is_as_long_every_time(loops, values):
    """Whether the innermost of these loops of a cell has as many rounds whenever it is come to."""
    found = _Settings(loops, [])
    if len(loops) == 1:
        return True
    known = not found.stored.in_secret and found.is_as_long_again(loops[-1].iter)
    return known and _are_still(((), (), found.sized, None), values)


def _is_target(atom, loop):
    if not isinstance(loop, ast.For) or not isinstance(atom, ast.Name):
        return False
    first = loop.target.elts[0] if isinstance(loop.target, ast.Tuple) and loop.target.elts else loop.target
    return getattr(first, "id", None) == atom.id


def _root(node) -> Any:
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node


def _path(node):
    """The attributes on the way to it; None for a key."""
    found = []
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        found.append(node.attr if isinstance(node, ast.Attribute) else None)
        node = node.value
    return found


def _keys(node):
    """The constant keys on the way to it."""
    return {getattr(part.slice, "value", None) for part in ast.walk(node) if isinstance(part, ast.Subscript)}


class _Stored:
    """What statements bind, set and may change."""

    def __init__(self, statements):
        parts = [part for statement in statements for part in ast.walk(statement)]
        stores = [part for part in parts if isinstance(getattr(part, "ctx", None), (ast.Store, ast.Del))]
        self.names = {part.id for part in stores if isinstance(part, ast.Name)}
        self.names |= {getattr(part, "name", None) for part in parts}
        self.attributes = {part.attr for part in stores if isinstance(part, ast.Attribute)}
        given = [node for part in parts if isinstance(part, ast.Call) for node in (*part.args, *part.keywords)]
        # Tables that are stored into, told to change or handed on.
        keyed = [part for part in stores if isinstance(part, ast.Subscript)]
        self.keys = {getattr(part.slice, "value", None) for part in keyed if not isinstance(part.slice, ast.Slice)}
        changed = [part.value for part in keyed]
        changed += [part.value for part in parts if isinstance(part, ast.Attribute) and part.attr in CHANGING]
        changed += [getattr(node, "value", node) for node in given]
        self.changed = {getattr(_root(node), "id", None) for node in changed}
        self.in_secret = any(
            getattr(part, "id", None) in SETTING | BY_NAMELESS or getattr(part, "attr", None) in SETTING for part in parts
        )


class Decided:
    """The tests that come out the same in every round of the whole run, as they are come to."""

    def __init__(self):
        # Sites to (answer, what the test is made of); None where nothing is known of them.
        self.tests = {}
        self.ranges = {}

    def note(self, site, text, answer, settings, loops, frame):
        """`loops`: those that are going on."""
        known = self.tests.get(site, settings)
        if known is None:
            self.tests[site] = None
            return
        text, decides = settings[-1] or (text, bool(answer))
        ranges = {name: _values_of((site[0], line), pair, loops) for name, line, pair in settings[1]}
        if site not in self.tests:
            self.ranges[site] = ranges
            names = {**frame.f_globals, **frame.f_locals}
            certain = _are_still(settings, names) and _is_always(text, decides, ranges, names) and decides is bool(answer)
            self.tests[site] = (bool(answer), settings, _attributes_of(settings, names)) if certain else None
        elif self.ranges[site] != ranges or known[0] is not bool(answer):
            self.tests[site] = None

    def answers(self, trees, later):
        """Sites to answers. `trees`: all code of the notebook that may still run; `later`: what it may change once rounds
        were left out."""
        known = {site: test for site, test in self.tests.items() if test is not None and not later.in_secret}
        return {
            site: answer
            for site, (answer, settings, sizing) in known.items()
            if not sizing & later.attributes and _holds(settings, trees, later)
        }


def _attributes_of(settings, names):
    """Those of the data whose size says how many rounds there are."""
    sized = [_value(ast.parse(text, mode="eval").body, names) for text in settings[2]]
    return {name for value in sized for held in _data_of(value) for name in vars(held)}


def _values_of(site, pair, loops):
    """The values that a target takes in all rounds; None where they are not known."""
    plans = [loop.plan for loop in loops if loop.site == site]
    return (plans[0].firsts if pair else plans[0].values) if len(plans) == 1 else None


def _is_always(text, answer, ranges, names):
    (name, values), *others = ranges.items() or [("", [0])]
    if others or values is None or len(values) > MOST_DECIDED:
        return False
    code = compile(text, "<grus test>", "eval")
    try:
        return all(bool(eval(code, names, {name: value})) is answer for value in values)
    except Exception:
        return False


def _are_still(settings, names):
    """Whether nothing out of sight changes what a test is made of either."""
    still, _, sized, *_ = settings
    codes = codes_in(names)
    bound = {name for code in codes for name in globals_bound(code)}
    if any(BY_NAMELESS & globals_read(code) for code in codes):
        return False
    try:
        return all(
            _is_still(ast.parse(text, mode="eval").body, text in sized, names, codes, bound) for text in (*still, *sized)
        )
    except Exception:
        return False


def _is_still(node: Any, sized, names, codes, bound):
    value = _value(node, names)
    if not (value is None or is_immutable(value) or (_keeps_size(value, names) if sized else _is_true(value))):
        return False
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        owner = _value(node.value, names)
        if isinstance(node, ast.Subscript):
            key = getattr(node.slice, "value", None)
            if type(owner) is not dict or any(_may_change(code, _root(node).id, key) for code in codes):
                return False
        elif not _is_set_by_notebook(owner, node.attr) or may_be_set(_root(node).id, node.attr, names):
            return False
        node = node.value
    return node.id not in bound


def _value(node, names):
    return eval(compile(ast.Expression(node), "<grus test>", "eval"), names)


def _is_true(value):
    """Whether it counts as true, and as equal to itself alone, whatever it holds."""
    kind = type(value)
    plain = all(getattr(kind, name) is getattr(object, name) for name in ("__eq__", "__lt__", "__gt__"))
    return plain and not any(hasattr(kind, name) for name in ("__bool__", "__len__", "__contains__"))


def _keeps_size(value, names):
    chain = _data_of(value)
    changes = any(CHANGING & names_in(code) for held in chain for code in codes_of(held))
    drawn = [getattr(value, name, None) for name in ("sampler", "batch_sampler")]
    set_later = any(may_be_set(None, name, names) for held in chain for name in vars(held))
    known = is_one_of(chain[-1] if chain else value, SIZED)
    return known and not (changes or set_later or any(map(is_of_notebook, drawn)))


def _data_of(value):
    """A loader, and the data sets that it is of, one in the other; nothing of arrays."""
    found = []
    while is_a(value, "torch.utils.data", "DataLoader") or is_a(value, "torch.utils.data", "Dataset"):
        found.append(value)
        value = getattr(value, "dataset", None)
    return found


def _is_set_by_notebook(owner, attribute):
    """Whether it holds this attribute, and no code but the notebook's sets those."""
    if attribute not in vars(owner) or hasattr(getattr(type(owner), attribute, None), "__get__"):
        return False
    return is_settings(owner) or all(base.__module__ == "__main__" for base in type(owner).__mro__ if base is not object)


def _may_change(code, name, key):
    """Whether a function may change what a table of this name holds, or one of another name under this key."""
    for each in codes_within(code):
        stores = any(step.opname in ("STORE_SUBSCR", "DELETE_SUBSCR") for step in dis.get_instructions(each))
        changes = name in each.co_names and CHANGING & set(each.co_names)
        if changes or (stores and (name in each.co_names or key in each.co_consts)):
            return True
    return False


def _holds(settings, trees, later):
    """Whether nothing changes later what a test reads, and whether every call gives it the same."""
    still, _, sized, given, _ = settings
    nodes = [ast.parse(text, mode="eval").body for text in (*still, *sized)]
    read = set(given[2]) if given is not None else set()
    return all(_root(node).id in read or _is_left(node, later) for node in nodes) and (
        given is None or _is_given_the_same(given, trees, later)
    )


def _is_left(node, later):
    root, path = _root(node), _path(node)
    return (
        root.id not in later.names
        and not set(path) & later.attributes
        and not (None in path and (root.id in later.changed or _keys(node) & later.keys))
    )


def _is_given_the_same(given, trees, later):
    function, parameters, read = given
    seen = False
    local = {name for tree in trees for part in ast.walk(tree) if isinstance(part, FUNCTIONS) for name in _locals_of(part)}
    for part in (part for tree in trees for part in ast.walk(tree)):
        if isinstance(part, ast.Call) and function == calls.called_in(part):
            bound = calls.bound(part, parameters)
            if bound is None or not all(_is_setting(bound[name], local, later) for name in read if name in bound):
                return False
            seen = True
    called = {id(part.func) for tree in trees for part in ast.walk(tree) if isinstance(part, ast.Call)}
    # One that is handed on may be called by anybody.
    return seen and not any(
        function in (getattr(part, "id", None), getattr(part, "attr", None)) and id(part) not in called
        for tree in trees
        for part in ast.walk(tree)
    )


def _locals_of(function):
    arguments = [part.arg for part in ast.walk(function.args) if isinstance(part, ast.arg)]
    return {*arguments, *_Stored(function.body).names}


def _is_setting(node, local, later):
    if isinstance(node, ast.Constant):
        return True
    root = _root(node)
    return isinstance(root, ast.Name) and root.id not in local and _is_left(node, later)


class Idle:
    """Such blocks of the code in a copy. `texts`: its cells."""

    def __init__(self, cuts, texts):
        codes = {code for value in list(cuts.names.values()) for code in codes_of(value)}
        files = {code.co_filename for code in codes}
        places: dict[str, Any] = {"".join(linecache.getlines(name)): name for name in files}
        places.update((text, number) for number, text in enumerate(texts))
        placed = {place: ast.parse(text) for text, place in places.items()}
        trees = list(placed.values())
        later = [part for tree in trees for part in ast.walk(tree) if isinstance(part, (*LOOPS, *BRANCHES))]
        if cuts.first is not None:
            later += _after(cuts.first, texts)
        found = _Stored(later)
        self.names = cuts.names
        self.trees, self.later, self.answers = trees, found, cuts.decided.answers(trees, found)
        if not found.in_secret:
            self.answers.update(never_better.answers(placed, cuts.ran))
            self.answers.update(never_reached.answers(placed, cuts.ran, cuts.names, self._is_left))
        self.used_up = cuts.used_up

    def leave_out(self, statements, place, values):
        """The statements without them, in place."""
        names = {name for name, value in list(values.items()) if id(value) in self.used_up}
        without(statements, place, self.answers, names - self.later.names)
        return statements

    def are_left(self, texts, values):
        """Whether these names and attributes keep what they hold."""
        nodes = [ast.parse(text, mode="eval").body for text in texts]
        left = not self.later.in_secret and all(_is_left(node, self.later) for node in nodes)
        return left and _are_still((tuple(texts), (), (), None), values)

    def _is_left(self, name):
        return self.are_left([name], self.names)

    def is_as_before(self, node, values):
        """Whether what this is made of, and its size, is the same as before anything was cut."""
        names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
        sizing = {name for one in names for held in _data_of(values.get(one)) for name in vars(held)}
        return not (self.later.in_secret or names & self.later.names or sizing & self.later.attributes)


def _after(first, texts):
    """The statements of cells that come after something was cut, at (file, line): what they bind may hang on that."""
    bodies = [ast.parse(text).body for text in texts]
    names = [part for body in bodies for part in own_parts(body) if isinstance(part, ast.Name)]
    stores = [part.id for part in names if isinstance(part.ctx, ast.Store)]
    place = place_of(first[0], texts)
    for number, body in enumerate(bodies):
        for statement in body:
            passed = number < place if isinstance(place, int) else False
            if not (passed or (number == place and statement.end_lineno < first[1]) or _is_plain(statement, stores)):
                yield statement


def _is_plain(statement, stores):
    """Whether it gives the only value to a name, as it is written there, or defines something."""
    if isinstance(statement, (*FUNCTIONS, ast.ClassDef, ast.Import, ast.ImportFrom)):
        return True
    if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Constant):
        return False
    return all(stores.count(getattr(target, "id", None)) == 1 for target in statement.targets)


def without(statements, place, answers, used_up=()):
    """Take such blocks out of the statements, in place. `answers`: of tests, by site; `used_up`: names of generators. What
    always runs takes the place of its branch, behind a mark that keeps its line."""
    kept = []
    for statement in statements:
        cell = getattr(statement, "earlier_cell", place)
        for block in _blocks(statement):
            without(block, cell, answers, used_up)
        answer = answers.get((cell, statement.lineno)) if isinstance(statement, ast.If) else None
        if isinstance(statement, ast.If) and answer is not None:
            live = statement.body if answer else statement.orelse
        elif isinstance(statement, ast.For) and taken_from(statement.iter) in used_up:
            live = statement.orelse
        else:
            kept.append(statement)
            continue
        if not live or live[0].lineno > statement.lineno:
            live = [_mark(statement), *live]
        if hasattr(statement, "earlier_cell"):
            for part in live:
                vars(part)["earlier_cell"] = cell
        kept += live
    statements[:] = kept


def _mark(statement):
    mark = ast.copy_location(ast.Pass(), statement)
    mark.end_lineno = mark.lineno
    return mark


def _blocks(statement):
    inner = [statement, *getattr(statement, "handlers", ()), *getattr(statement, "cases", ())]
    blocks = [getattr(part, field, None) for part in inner for field in BLOCKS]
    return [block for block in blocks if isinstance(block, list)]
