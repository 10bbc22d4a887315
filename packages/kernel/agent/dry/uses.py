# What a statement reads, binds and may change, and what kind of thing a value is: the vocabulary of the question whether
# an exception depends on loops that were cut short.
import ast
import sys
import types

NOTHING, VALUE, FORM = 0, 1, 2
BRANCHES = (ast.If, ast.While, ast.Try, ast.IfExp) + tuple(
    getattr(ast, name) for name in ("Match", "TryStar") if hasattr(ast, name)
)
NUMBERS = (int, float, complex, bool, str)
FORM_KEPT = (
    ("torch", "Tensor"), ("torch.nn", "Module"), ("torch.optim", "Optimizer"), ("torch.utils.data", "DataLoader"),
    ("numpy", "ndarray"), ("numpy", "generic"), ("sklearn.base", "BaseEstimator"), ("lightgbm", "Booster"),
    ("xgboost", "Booster"), ("torch.optim.lr_scheduler", "LRScheduler"),
)
REACH_LIMIT = 2_000


class Touch:
    """A name that a statement binds or may change. `perhaps`: only on some paths; `carried`: its new value is made of
    what an earlier round left."""

    def __init__(self, name, bound, perhaps, carried):
        self.name = name
        self.bound = bound
        self.perhaps = perhaps
        self.carried = carried


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


def names_read(nodes, values):
    """Names that the nodes load, and those that functions and classes of the notebook among them load."""
    found, pending = set(), []
    for node in nodes:
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
                found.add(part.id)
            elif isinstance(part, ast.AugAssign):
                found.update(_roots(part.target))
    pending, seen = list(found), set()
    while pending:
        value = values.get(pending.pop())
        for code in _codes_of(value):
            if code not in seen:
                seen.add(code)
                fresh = _global_names(code) - found
                found |= fresh
                pending.extend(fresh)
    return found


def _codes_of(value):
    if isinstance(value, types.FunctionType):
        return [value.__code__] if value.__module__ == "__main__" else []
    kind = value if isinstance(value, type) else type(value)
    classes = [base for base in kind.__mro__ if base.__module__ == "__main__"]
    members = [member for base in classes for member in vars(base).values()]
    return [member.__code__ for member in members if isinstance(member, types.FunctionType)]


def _global_names(code):
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= _global_names(constant)
    return names


def calls_notebook(statement, values):
    """Whether code of the notebook's own may run in the statement."""
    names = {part.id for part in ast.walk(statement) if isinstance(part, ast.Name)}
    calls = any(isinstance(part, ast.Call) for part in ast.walk(statement))
    return calls and any(_codes_of(values.get(name)) for name in names)


def touches(statement, values):
    found = []
    _collect(statement, False, set(), _bound_in(statement), found, values)
    # What functions and classes of the notebook do out of sight: they may change every global that they name.
    seen = {part.id for part in ast.walk(statement) if isinstance(part, ast.Name)}
    if any(isinstance(part, ast.Call) for part in ast.walk(statement)):
        for name in names_read([statement], values) - seen:
            if name in values and not _is_code(values[name]):
                found.append(Touch(name, False, False, False))
    return found


def _bound_in(statement):
    """In a loop: the names that its body binds; a name read before it is bound comes from the round before."""
    if not isinstance(statement, (ast.For, ast.AsyncFor, ast.While)):
        return set()
    return {
        part.id for part in ast.walk(statement) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    }


def _collect(node, perhaps, done, bound_in_loop, found, values):
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
        return
    if isinstance(node, BRANCHES):
        perhaps = True
    reads = {part.id for part in _expressions(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)}
    carried = bool(reads & (bound_in_loop - done))
    for part in _expressions(node):
        if isinstance(part, ast.Call):
            for name in _call_roots(part):
                if name in values and not _is_code(values[name]):
                    found.append(Touch(name, False, perhaps, False))
            for name in _roots(part.func) if isinstance(part.func, ast.Attribute) else ():
                if getattr(values.get(name), "__module__", None) == "__main__":
                    # A class or function of the notebook that keeps something.
                    found.append(Touch(name, False, True, False))
        elif isinstance(part, (ast.Attribute, ast.Subscript)) and isinstance(part.ctx, (ast.Store, ast.Del)):
            for name in _roots(part):
                found.append(Touch(name, False, perhaps, False))
        elif isinstance(part, ast.Name) and isinstance(part.ctx, (ast.Store, ast.Del)):
            own = carried or isinstance(node, ast.AugAssign)
            number = type(values.get(part.id)) in NUMBERS
            found.append(Touch(part.id, True, perhaps, own and not number))
            done.add(part.id)
    for block in blocks_of(node):
        for inner in block:
            _collect(inner, perhaps, done, bound_in_loop, found, values)


def _expressions(node):
    """The statement's own expressions, without the statements inside it."""
    inside = {id(inner) for block in blocks_of(node) for inner in block}
    pending = [node]
    while pending:
        part = pending.pop()
        yield part
        pending.extend(child for child in ast.iter_child_nodes(part) if id(child) not in inside)


def _call_roots(call):
    roots = _roots(call.func) if isinstance(call.func, ast.Attribute) else []
    for argument in [*call.args, *(keyword.value for keyword in call.keywords)]:
        roots += [part.id for part in ast.walk(argument) if isinstance(part, ast.Name)]
    return roots


def _roots(node):
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Starred, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return [node.id] if isinstance(node, ast.Name) else []


def _is_code(value):
    return isinstance(value, (types.ModuleType, types.FunctionType, types.BuiltinFunctionType, type))


def leaves_early(loop):
    """Whether the loop can be left before its last round."""
    return any(isinstance(part, (ast.Break, ast.Return, ast.Raise)) for part in ast.walk(loop))


def level_of(value):
    """What more rounds would change of such a value: only what it holds, or perhaps what it is."""
    if type(value) in NUMBERS:
        return VALUE
    for module, name in FORM_KEPT:
        kind = getattr(sys.modules.get(module), name, None)
        if isinstance(kind, type) and isinstance(value, kind):
            return VALUE
    return FORM


def reach(values):
    """Identities of the containers and objects that can be got at from these, a few steps deep."""
    found, pending = set(), [(value, 0) for value in values]
    while pending and len(found) < REACH_LIMIT:
        value, depth = pending.pop()
        if value is None or isinstance(value, (*NUMBERS, bytes)) or _is_code(value) or id(value) in found:
            continue
        found.add(id(value))
        if depth >= 3:
            continue
        if isinstance(value, dict):
            pending.extend((held, depth + 1) for held in list(value.values())[:200])
        elif isinstance(value, (list, tuple, set)):
            pending.extend((held, depth + 1) for held in list(value)[:200])
        elif type(value).__module__ == "__main__":
            pending.extend((held, depth + 1) for held in list(getattr(value, "__dict__", {}).values())[:200])
    return found
