# Which names of a body of code may hold what came of an answer that changes, and where such a value decides. Read off the
# code of the cell, and of the functions of the notebook that it calls. A value is touched whole, or only what lies inside a
# container whose form is known: a list of measured times has a known length. What a thing is stays known where no decision
# hangs on the answer: a measured time is a number, however long it was.
import ast
import builtins
import collections
import linecache
import math
import types

from ..shorten.failing_part import failing_in

DECISIONS = (ast.If, ast.While, ast.IfExp, ast.Assert)
LEAVING = (ast.Return, ast.Raise, ast.Break, ast.Continue)
BODIES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
# What a container is by its form alone.
FORM = frozenset("shape ndim size columns index dtypes dtype empty keys".split())
KEEP_FORM = tuple(getattr(builtins, name) for name in "list tuple dict enumerate zip reversed iter".split())
TABLES = ("DataFrame", "Series", "array", "asarray", "Index")
# Show a value, or make text of it, and cannot fail for what it is.
SHOWING = frozenset("print str repr format display round int float info debug warning error write append".split())
# Stands for what is drawn at random after a seed that changes. No name of Python's.
SEEDED = "seed()"
# Answers that a function of a library may fail for.
REFUSED = ("process", "temporary-folder")


# Functions that give the same kind of thing for any value of a kind; classes do too.
KEEP_KIND = tuple(getattr(builtins, name) for name in "round abs sum min max sorted divmod format repr".split())
# What answered, whether only what the container holds came of it, and whether it also decided what the thing is.
Touched = collections.namedtuple("Touched", ("source", "inside", "decided"), defaults=(False, False))
# What a function of the notebook does with what it is given: what it returns and decides on, the parameters it changes, the
# global names it leaves.
Call = collections.namedtuple("Call", ("returns", "decides", "changed", "left"), defaults=(None, None, {}, {}))


class Reading:
    """Of a cell, or with `function` of its body. `asks(call, name, value)` says what a call asks for. `tainted`: names to
    what they may have come of."""

    def __init__(self, statements, namespace, asks, function=None, tainted=None, known=None):
        self.statements = statements
        self.namespace = namespace
        self.asks = asks
        self.function = function
        self.local = _local(function)
        self.tainted = dict(tainted or {})
        self.known = {} if known is None else known
        self.follows = True
        while self._spread():
            pass

    def at(self, line, column, follows, kinds_at=None):
        """What the statement of a place, or whether it is come to, may depend on. `follows` is false when the functions that
        it calls are looked at themselves. `kinds_at`: where it failed for what a thing is; values alone do not count."""
        self.follows = follows
        try:
            for node in self._nodes():
                if isinstance(node, ast.stmt) and _is_at(node, line, column):
                    found = self._first(*_heads(node)) or _whole(self.of(getattr(node, "iter", None)))
                    if found and (kinds_at is None or hasattr(node, "body") or self._decides_kinds(node, kinds_at)):
                        return found.source
            return self._left_early(line)
        finally:
            self.follows = True

    def _decides_kinds(self, statement, position):
        """Whether an answer decides what the things are that the part at the position is made of, or if it is come to."""
        failing = failing_in([statement], position)
        if failing is None or self._first(*failing.decisions()):
            return True
        node = failing.node
        parts = [node.func, *_arguments(node)] if isinstance(node, ast.Call) else [node]
        found = self._first(*parts)
        return found is not None and found.decided

    def decides(self):
        """What a decision of this code depends on, of those that may make it fail."""
        for node in self._nodes():
            found = None
            if isinstance(node, DECISIONS):
                found = None if _fails_neither_way(node) else self.of(node.test)
            elif isinstance(node, (ast.For, ast.AsyncFor)):
                found = _whole(self.of(node.iter))
            elif isinstance(node, ast.comprehension):
                found = self._first(*node.ifs) or _whole(self.of(node.iter))
            elif isinstance(node, ast.Subscript):
                found = self.of(node.slice)
            elif hasattr(ast, "Match") and isinstance(node, ast.Match):
                found = self.of(node.subject)
            elif isinstance(node, ast.Call):
                found = self._call_decides(node)
            if found:
                return found.source
        return None

    def of(self, node):
        """What the value of an expression may depend on, or None."""
        if node is None or isinstance(node, ast.Constant):
            return None
        if isinstance(node, ast.Name):
            return self.tainted.get(node.id) if isinstance(node.ctx, ast.Load) else None
        if isinstance(node, ast.Call):
            return self._of_call(node)
        if isinstance(node, (ast.List, ast.Tuple)):
            return _inside(self._first(*node.elts))
        if isinstance(node, ast.Dict):
            return self._first(*node.keys) or _inside(self._first(*node.values))
        if isinstance(node, (ast.ListComp, ast.GeneratorExp)):
            return self._of_comprehension(node)
        if isinstance(node, (ast.IfExp, ast.BoolOp, ast.Subscript)):
            return self._of_choice(node)
        if isinstance(node, ast.Attribute):
            asked = self.asks(None, node.attr, None)
            held = self.of(node.value)
            return Touched(asked) if asked else None if held and held.inside and node.attr in FORM else _all_of(held)
        return _all_of(self._first(*ast.iter_child_nodes(node)))

    def _first(self, *nodes):
        found = None
        for node in nodes:
            found = _both(found, self.of(node))
        return found

    def _of_choice(self, node):
        """What is chosen by an answer may be of another kind."""
        if isinstance(node, ast.IfExp):
            return _both(_decided(self.of(node.test)), self._first(node.body, node.orelse))
        if isinstance(node, ast.BoolOp):
            return _both(_decided(_all_of(self._first(*node.values[:-1]))), _all_of(self.of(node.values[-1])))
        return _both(_decided(_all_of(self.of(node.slice))), _all_of(self.of(node.value)))

    def _of_comprehension(self, node):
        ifs = _decided(self._first(*(test for part in node.generators for test in part.ifs)))
        over = self._first(*(part.iter for part in node.generators))
        return ifs or _whole(over) or _inside(self.of(node.elt) or over)

    def _of_call(self, call):
        value, name = self.value(call.func), _name(call)
        asked = self.asks(call, name, value)
        if asked:
            return Touched(asked)
        given = self._first(*_arguments(call))
        if SEEDED in self.tainted and _draws(name, value):
            return self.tainted[SEEDED]
        if given and given.inside:
            if value is len:
                return None
            if value in KEEP_FORM or name in TABLES:
                return given
        function = self.function_of(call)
        if function is not None:
            told = self._called(function, call)
            changed = next(iter(told.changed.values()), None) if isinstance(value, type) else None
            return (told.returns or changed) if self.follows else _all_of(given)
        receiver = self.of(call.func.value) if isinstance(call.func, ast.Attribute) else self.of(call.func)
        handed = (self._called(one, None).returns for one in self._handed(call)) if self.follows else ()
        if not isinstance(value, type) and not any(value is one for one in KEEP_KIND):
            given = _decided(given)
        return _both(_all_of(given), _all_of(receiver)) or next((one for one in handed if one), None)

    def _call_decides(self, call):
        """Whether a call may do something else for what it is given."""
        function = self.function_of(call)
        if function is not None:
            decides = self._called(function, call).decides
            return Touched(decides) if decides else None
        for one in self._handed(call):
            decides = self._called(one, None).decides
            if decides:
                return Touched(decides)
        found, name = self._first(*_arguments(call)), _name(call)
        return found if found and (name == "sleep" or (found.source in REFUSED and name not in SHOWING)) else None

    def _handed(self, call):
        """Functions of the notebook that are given to a library."""
        for node in _arguments(call):
            value = self.value(node)
            if _is_of_the_notebook(value):
                yield value

    def function_of(self, call):
        """The function of the notebook that is called, or None."""
        value = self.value(call.func)
        if isinstance(value, type) and value.__module__ == "__main__":
            value = vars(value).get("__init__")
        elif value is None and isinstance(call.func, ast.Attribute):
            held = self.value(call.func.value)
            owner = type(held) if type(held).__module__ == "__main__" else None
            value = getattr(owner, call.func.attr, None) if owner is not None else None
        return value if _is_of_the_notebook(value) else None

    def value(self, node):
        """The object that a name or a member of a module stands for now, where that is known without running anything."""
        if isinstance(node, ast.Name):
            if node.id in self.local:
                return _of_closure(self.function, node.id)
            return self.namespace.get(node.id, vars(builtins).get(node.id))
        if isinstance(node, ast.Attribute):
            held = self.value(node.value)
            return vars(held).get(node.attr) if type(held) is types.ModuleType else None
        return None

    def within(self, function, given=None):
        """The reading of a function of the notebook, or None where its code cannot be found."""
        tree = _tree(function.__code__)
        if tree is None:
            return None
        body = tree.body if isinstance(tree.body, list) else [ast.copy_location(ast.Return(tree.body), tree.body)]
        local = _local(function)
        around = {name: one for name, one in self._global().items() if name not in local}
        return Reading(body, self.namespace, self.asks, function, {**around, **(given or {})}, self.known)

    def _global(self):
        return {name: one for name, one in self.tainted.items() if name not in self.local}

    def _called(self, function, call):
        given = {} if call is None else self._given(function, call)
        key = (id(function.__code__), frozenset(given.items()), frozenset(self._global().items()))
        if key not in self.known:
            self.known[key] = Call()
            self.known[key] = self._read(function, given)
        return self.known[key]

    def _read(self, function, given):
        inner = self.within(function, given)
        if inner is None:
            found = self.asks(None, None, function) or next((one.source for one in given.values()), None)
            return Call(Touched(found, decided=True) if found else None, found)
        returned = [node.value for node in inner._nodes() if isinstance(node, (ast.Return, ast.Yield))]
        changed = {name: one for name, one in inner.tainted.items() if name in inner.local and name not in given}
        left = {name: one for name, one in inner._global().items() if self.tainted.get(name) != one}
        early = inner._left_early(math.inf)
        chosen = Touched(early, decided=True) if early else None
        return Call(_both(inner._first(*returned), chosen), inner.decides(), changed, left)

    def _given(self, function, call):
        """Parameters to what they are given, of what is touched."""
        return {name: one for name, node in self._bound(function, call) for one in [self.of(node)] if one}

    def _bound(self, function, call):
        code = function.__code__
        names = list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
        bound = []
        if isinstance(call.func, ast.Attribute) and type(self.value(call.func.value)) is not types.ModuleType:
            bound.append((names.pop(0) if names else "", call.func.value))
        rest = code.co_varnames[len(bound) + len(names) :][:2]
        for position, node in enumerate(call.args):
            if isinstance(node, ast.Starred) or position >= len(names):
                bound.extend((name, node) for name in (*names, *rest))
            else:
                bound.append((names[position], node))
        for word in call.keywords:
            known = word.arg in names
            bound.extend((name, word.value) for name in ([word.arg] if known else [*names, *rest]))
        return bound

    def _spread(self):
        """Whether one more name was found to hold what came of an answer."""
        before = dict(self.tainted)
        for node in self._nodes():
            if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.NamedExpr)):
                self._taint(self.of(node.value), *(node.targets if isinstance(node, ast.Assign) else [node.target]))
            elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
                self._taint(_all_of(self.of(node.iter)), node.target)
            elif isinstance(node, ast.withitem) and node.optional_vars is not None:
                self._taint(self.of(node.context_expr), node.optional_vars)
            elif isinstance(node, (ast.If, ast.While)):
                found = self.of(node.test)
                for part in ast.walk(node) if found else ():
                    if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                        self._hold(part.id, _decided(_all_of(found)))
                    elif _is_part(part):
                        self._taint_owner(_decided(_inside(found)), part)
            elif isinstance(node, ast.Call):
                self._change(node)
        return self.tainted != before

    def _change(self, call):
        """What a call leaves in the things that it is given."""
        function = self.function_of(call)
        if function is not None:
            told = self._called(function, call)
            for name, node in self._bound(function, call):
                self._taint(told.changed.get(name), node)
            for name, one in told.left.items():
                self._hold(name, one)
        elif isinstance(call.func, ast.Attribute):
            if call.func.attr in ("seed", "manual_seed", "set_seed"):
                seed = self.of(call) or self._first(*_arguments(call))
                if seed:
                    self._hold(SEEDED, seed)
            grows = call.func.attr in ("append", "add", "insert", "extend", "update", "setdefault")
            found = self._first(*_arguments(call))
            self._taint(_inside(found) if grows else found, call.func.value)

    def _taint(self, found, *targets):
        for target in targets if found else ():
            if isinstance(target, (ast.Tuple, ast.List)):
                self._taint(_all_of(found), *target.elts)
            elif isinstance(target, ast.Name) and isinstance(target.ctx, ast.Store):
                self._hold(target.id, found)
            else:
                self._taint_owner(_inside(found) if _is_part(target) else found, target)

    def _taint_owner(self, found, node):
        """The name behind `rows[i].time`."""
        while isinstance(node, (ast.Attribute, ast.Subscript, ast.Starred)):
            node = node.value
        if isinstance(node, ast.Name) and type(self.value(node)) is not types.ModuleType:
            self._hold(node.id, found)

    def _hold(self, name, found):
        self.tainted[name] = _both(self.tainted.get(name), found)

    def _left_early(self, line):
        """A decision before the line after which it may not be come to."""
        for node in self._nodes():
            if isinstance(node, (ast.If, ast.While)) and node.lineno < line:
                found = self.of(node.test)
                if found and any(isinstance(part, LEAVING) for part in ast.walk(node)):
                    return found.source
        return None

    def _nodes(self):
        """Every node but those of functions that are looked at when they are called."""
        pending = list(reversed(self.statements))
        while pending:
            node = pending.pop()
            yield node
            if self.function is None and isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                pending.extend([*node.decorator_list, *node.args.defaults])
            else:
                pending.extend(reversed(list(ast.iter_child_nodes(node))))


def _is_at(node, line, column):
    if column is None:
        return node.lineno <= line <= node.end_lineno
    return (node.lineno, node.col_offset) <= (line, column) < (node.end_lineno, node.end_col_offset)


def _both(one, other):
    """What came of either."""
    if one is None or other is None:
        return one or other
    first = other if one.inside and not other.inside else one
    return Touched(first.source, first.inside, one.decided or other.decided)


def _all_of(found):
    return found and found._replace(inside=False)


def _inside(found):
    return found and found._replace(inside=True)


def _decided(found):
    return found and found._replace(decided=True)


def _is_part(target):
    return isinstance(target, (ast.Attribute, ast.Subscript)) and isinstance(target.ctx, ast.Store)


def _whole(found):
    return None if found is None or found.inside else found


def _name(call):
    return call.func.attr if isinstance(call.func, ast.Attribute) else str(getattr(call.func, "id", ""))


def _draws(name, value):
    return name.startswith("rand") or type(getattr(value, "__self__", None)).__name__ in ("Random", "RandomState")


def _arguments(call):
    return [*call.args, *(word.value for word in call.keywords)]


def _is_of_the_notebook(value):
    return type(value) is types.FunctionType and value.__module__ == "__main__"


def _local(function):
    if function is None:
        return frozenset()
    code = function.__code__
    return frozenset((*code.co_varnames, *code.co_cellvars, *code.co_freevars))


def _of_closure(function, name):
    if function is None or function.__closure__ is None:
        return None
    cells = dict(zip(function.__code__.co_freevars, function.__closure__))
    try:
        return cells[name].cell_contents if name in cells else None
    except ValueError:
        return None


def _tree(code):
    """The definition that a function was made of. Cells are in the cache of lines."""
    try:
        whole = ast.parse("".join(linecache.getlines(code.co_filename)))
    except (SyntaxError, ValueError):
        return None
    found = [node for node in ast.walk(whole) if isinstance(node, BODIES) and _starts(node) == code.co_firstlineno]
    found = [node for node in found if getattr(node, "name", "<lambda>") == code.co_name]
    return found[0] if len(found) == 1 else None


def _starts(node):
    return min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])


def _heads(node):
    """What a statement evaluates itself; of a compound one what comes before its blocks."""
    if isinstance(node, ast.AugAssign):
        return [node.value, ast.Name(getattr(node.target, "id", ""), ast.Load())]
    if not hasattr(node, "body"):
        return [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
    heads = [getattr(node, field, None) for field in ("test", "subject")]
    return [head for head in heads if head is not None] + [item.context_expr for item in getattr(node, "items", ())]


def _fails_neither_way(node):
    """Whether a decision only chooses between things that cannot fail, and leaves the same names of the same kinds."""
    if not isinstance(node, (ast.If, ast.While)):
        return False
    ways = [_left_by(node.body), _left_by(node.orelse)]
    return None not in ways and (ways[0] == ways[1] if isinstance(node, ast.If) else not ways[0])


def _left_by(block):
    """Names to the classes of what they are set to; None when something else is done."""
    left = {}
    for node in block:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            names = [target.id for target in node.targets if isinstance(target, ast.Name)]
            if len(names) < len(node.targets):
                return None
            left.update(dict.fromkeys(names, type(node.value.value)))
        elif not isinstance(node, ast.Pass) and not _only_shows(node):
            return None
    return left


def _only_shows(node):
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.func.id != "print":
        return False
    return all(isinstance(one, ast.Constant) for one in call.args) and not call.keywords
