# What a statement reads, binds and may change: the vocabulary of the question whether an exception depends on loops that
# were cut short.
import ast
import types

from .calls import called_in
from .codes import ADDING, CHANGING, SETTING, adds_keys, codes_of, globals_bound, names_in, set_later
from .things import NUMBERS, has_state, holds_keys, is_code, is_immutable, is_of_library, is_of_notebook, is_settings

NEWER_BRANCHES = [getattr(ast, name) for name in ("Match", "TryStar") if hasattr(ast, name)]
BRANCHES = (ast.If, ast.While, ast.Try, ast.IfExp, *NEWER_BRANCHES)
RESHAPING = frozenset("resize resize_ squeeze_ unsqueeze_ transpose_ t_ set_ requires_grad_ detach_".split())
STRUCTURAL = CHANGING | SETTING | RESHAPING | {"delattr"}


class Touch:
    """A name that a statement binds or may change. `perhaps`: only on some paths, `ran`: which were seen to run;
    `carried`: its new value is made of what an earlier round left; `structural`: something is added or taken away, `keyed`:
    under keys that hang on the round. `line`: where; None where that is out of sight."""

    def __init__(self, name, bound, perhaps, carried, structural=False, ran=True, keyed=False):
        self.name = name
        # By an assignment to an attribute, or a call that may give it another shape.
        self.replaced = False
        self.line = None
        self.bound = bound
        self.perhaps = perhaps
        self.carried = carried
        self.structural = structural
        self.ran = ran
        self.keyed = keyed


def blocks_of(statement):
    """The statements inside a compound statement, block by block."""
    blocks = [getattr(statement, field, None) for field in ("body", "orelse", "finalbody")]
    blocks += [part.body for part in getattr(statement, "handlers", ())] + [
        part.body for part in getattr(statement, "cases", ())
    ]
    return [block for block in blocks if isinstance(block, list) and block]


def heads_of(statement):
    """What a compound statement itself evaluates."""
    heads = [getattr(statement, field, None) for field in ("test", "iter", "subject")]
    heads += [item.context_expr for item in getattr(statement, "items", ())]
    return [head for head in heads if head is not None]


def names_read(nodes, values, settled=()):
    """Names that the nodes load, and those that functions and classes of the notebook among them load. `settled`: identities
    of nodes that do not count."""
    found, pending = set(), []
    for node in nodes:
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load) and id(part) not in settled:
                found.add(part.id)
            elif isinstance(part, ast.AugAssign):
                found.update(roots_of(part.target))
    pending, seen = list(found), set()
    while pending:
        value = values.get(pending.pop())
        for code in codes_of(value):
            if code not in seen:
                seen.add(code)
                fresh = names_in(code) - found
                found |= fresh
                pending.extend(fresh)
    return found


def settled_in(nodes, values, stored):
    """Identities of the names in these of which only an attribute is read that is set when the object is made, and cannot
    change. `stored`: attributes that statements set."""
    reads = [part for node in nodes for part in ast.walk(node) if isinstance(part, ast.Attribute)]
    found = set()
    for read in reads:
        held = values.get(read.value.id) if isinstance(read.value, ast.Name) else None
        if not (is_of_notebook(held) or is_settings(held)) or not isinstance(read.ctx, ast.Load) or read.attr in stored:
            continue
        value = getattr(held, "__dict__", {}).get(read.attr)
        if is_immutable(value) and read.attr not in set_later(values):
            found.add(id(read.value))
    return found


def calls_notebook(statement, values):
    """Whether code of the notebook's own may run in the statement."""
    names = {part.id for part in ast.walk(statement) if isinstance(part, ast.Name)}
    calls = any(isinstance(part, ast.Call) for part in ast.walk(statement))
    return calls and any(codes_of(values.get(name)) for name in names)


def touches(statement, values, known_to_run, ran):
    """`known_to_run`: lines of `while` loops that certainly had rounds; `ran(block)`: whether a block was seen to run."""
    found = []
    _collect(statement, False, True, set(), _bound_in(statement), found, values, known_to_run, ran)
    # What functions and classes of the notebook do out of sight: they may change every global that they name.
    seen = {part.id for part in ast.walk(statement) if isinstance(part, ast.Name)}
    if any(isinstance(part, ast.Call) for part in ast.walk(statement)):
        read = names_read([statement], values)
        data = [name for name in read - seen if name in values and not is_code(values[name])]
        codes = [code for name in read for code in codes_of(values.get(name))]
        keyed = any(map(adds_keys, codes))
        found += [Touch(name, False, False, False, keyed=keyed and holds_keys(values[name])) for name in data]
        found += [Touch(name, True, True, False) for code in codes for name in globals_bound(code)]
    return found


def _bound_in(statement):
    """In a loop: the names that its body binds; a name read before it is bound comes from the round before."""
    if not isinstance(statement, (ast.For, ast.AsyncFor, ast.While)):
        return set()
    return {part.id for part in ast.walk(statement) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}


def _collect(node, perhaps, was_run, done, bound_in_loop, found, values, known_to_run, ran):
    own = len(found)
    _collect_own(node, perhaps, was_run, done, bound_in_loop, found, values, known_to_run, ran)
    for touch in found[own:]:
        touch.line = touch.line or node.lineno


def _collect_own(node, perhaps, was_run, done, bound_in_loop, found, values, known_to_run, ran):
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        found.append(Touch(node.name, True, perhaps, False, ran=was_run))
        return
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        found += [
            Touch((part.asname or part.name).partition(".")[0], True, perhaps, False, ran=was_run) for part in node.names
        ]
        return
    if isinstance(node, BRANCHES) and not (isinstance(node, ast.While) and node.lineno in known_to_run):
        perhaps = True
    reads = {part.id for part in _expressions(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)}
    carried = bool(reads & (bound_in_loop - done))
    grows = isinstance(node, ast.Assign) and {part.id for part in ast.walk(node.value) if isinstance(part, ast.Name)}
    inside = _of_comprehensions(node)
    for part in _expressions(node):
        if isinstance(part, ast.Call):
            called = called_in(part)
            # A name that the notebook gave says nothing: `level_of` reads the code.
            structural = called in STRUCTURAL and not _is_own_method(part.func, values)
            keyed = structural and called not in ADDING
            receivers = roots_of(part.func) if isinstance(part.func, ast.Attribute) else _call_roots(part)
            for name in _call_roots(part):
                if name in values and (not is_code(values[name]) or has_state(values[name])):
                    added = keyed and not is_of_library(values[name])
                    found.append(Touch(name, False, perhaps, False, structural, was_run, added))
                    found[-1].replaced = structural and name in receivers
            if isinstance(part.func, ast.Attribute):
                for name in roots_of(part.func):
                    held = values.get(name)
                    own_class = isinstance(held, type) and held.__module__ == "__main__"
                    if own_class or _keeps_something(held, part.func.value):
                        found.append(Touch(name, False, True, False, True, was_run))
        elif isinstance(part, (ast.Attribute, ast.Subscript)) and isinstance(part.ctx, (ast.Store, ast.Del)):
            for name in roots_of(part):
                key = getattr(part, "slice", None)
                added = key is not None and not isinstance(key, (ast.Constant, ast.Slice)) and holds_keys(values.get(name))
                found.append(Touch(name, False, perhaps, bool(grows) and name in grows, added, was_run, added))
                found[-1].replaced = isinstance(part, ast.Attribute)
        elif isinstance(part, ast.Name) and isinstance(part.ctx, (ast.Store, ast.Del)) and id(part) not in inside:
            own = carried or isinstance(node, ast.AugAssign)
            number = type(values.get(part.id)) in NUMBERS
            found.append(Touch(part.id, True, perhaps, own and not number, False, was_run))
            done.add(part.id)
    for block in blocks_of(node):
        inner_ran = was_run and (not perhaps or isinstance(node, (ast.With, ast.AsyncWith)) or ran(block))
        for inner in block:
            _collect(inner, perhaps, inner_ran, done, bound_in_loop, found, values, known_to_run, ran)


def _keeps_something(function, asked):
    """Whether a function of the notebook may keep what is changed here: an attribute of its own, or something that it holds
    and gives away. `asked`: what the changing method is of."""
    if not isinstance(function, types.FunctionType) or function.__module__ != "__main__":
        return False
    if not any(isinstance(part, ast.Call) for part in ast.walk(asked)):
        return True
    own = getattr(function, "__wrapped__", function)
    if not isinstance(own, types.FunctionType):
        return True
    given = [*(own.__defaults__ or ()), *(own.__kwdefaults__ or {}).values()]
    return bool(own.__closure__ or own.__dict__) or not all(one is None or is_immutable(one) for one in given)


def _of_comprehensions(node):
    """Identities of the names that comprehensions bind: these have no name outside."""
    targets = (part.target for part in ast.walk(node) if isinstance(part, ast.comprehension))
    return {id(part) for target in targets for part in ast.walk(target)}


def own_of_comprehensions(nodes):
    """Identities of the names in these that are read of a comprehension's own: what they hold comes from what it goes
    through."""
    found = set()
    for part in (part for node in nodes for part in ast.walk(node)):
        generators = getattr(part, "generators", ())
        bound = {one.id for step in generators for one in ast.walk(step.target) if isinstance(one, ast.Name)}
        outside = {id(one) for step in generators[:1] for one in ast.walk(step.iter)}
        found |= {
            id(one)
            for one in (ast.walk(part) if generators else ())
            if isinstance(one, ast.Name) and one.id in bound and id(one) not in outside
        }
    return found


def _expressions(node):
    """The statement's own expressions, without the statements inside it."""
    inside = {id(inner) for block in blocks_of(node) for inner in block}
    pending = [node]
    while pending:
        part = pending.pop()
        yield part
        pending.extend(child for child in ast.iter_child_nodes(part) if id(child) not in inside)


def _call_roots(call):
    """What a call may change: the thing that is called too, as in `stopper(loss)`."""
    roots = roots_of(call.func)
    for argument in [*call.args, *(keyword.value for keyword in call.keywords)]:
        roots += [part.id for part in ast.walk(argument) if isinstance(part, ast.Name)]
    return roots


def roots_of(node):
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Starred, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return [node.id] if isinstance(node, ast.Name) else []


def leaves_early(loop):
    """Whether the loop can be left before its last round."""
    return any(isinstance(part, (ast.Break, ast.Return, ast.Raise)) for part in ast.walk(loop))


def may_skip(loop):
    """Whether a round may be left in the middle, or the loop before its last."""
    return leaves_early(loop) or any(isinstance(part, ast.Continue) for part in ast.walk(loop))


def decisions_in(nodes):
    """What decides which parts of these run: tests, all but the last part of `and` and `or`, `if` in comprehensions."""
    found = []
    for part in (part for node in nodes for part in ast.walk(node)):
        if isinstance(part, (ast.If, ast.While, ast.IfExp)):
            found.append(part.test)
        elif isinstance(part, ast.BoolOp):
            found += part.values[:-1]
        elif isinstance(part, ast.comprehension):
            found += part.ifs
        elif type(part).__name__ == "Match":
            found.append(vars(part)["subject"])
    return found


def may_leave(statement):
    """Whether what comes after the statement in its block may not be reached, other than by an exception."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return False
    leaving = (ast.Return, ast.Break, ast.Continue)
    if isinstance(statement, (ast.For, ast.AsyncFor, ast.While)):
        leaving = (ast.Return,)
    return any(isinstance(part, leaving) for part in ast.walk(statement))


def counters_of(loop, values):
    """Targets of a `for` that are numbers or texts and that its body leaves alone: a cut loop ends with their last value."""
    targets = {part.id for part in ast.walk(loop.target) if isinstance(part, ast.Name)}
    body = {
        part.id
        for statement in loop.body
        for part in ast.walk(statement)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    }
    return {name for name in targets - body if type(values.get(name)) in NUMBERS}


def _is_own_method(called, values):
    """Whether a class of the notebook defines the method that is called."""
    if not (isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name)):
        return False
    kinds = type(values.get(called.value.id)).__mro__
    return next((kind.__module__ == "__main__" for kind in kinds if called.attr in vars(kind)), False)
