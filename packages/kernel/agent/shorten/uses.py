# What a statement reads, binds and may change, and what kind of thing a value is: the vocabulary of the question whether
# an exception depends on loops that were cut short.
import ast
import dis
import itertools
import sys
import types

# How far cut rounds decide about something: not at all; about the numbers in it; about its size or kind, as far as rounds
# that ran can show, or those that go through branches which did not run; about a size that no copy can give it, so that
# only what is the same with every size counts; about things that nobody can try.
NOTHING, VALUE, FORM, UNRUN, GROWN, LOST = 0, 1, 2, 3, 4, 5
NEWER_BRANCHES = [getattr(ast, name) for name in ("Match", "TryStar") if hasattr(ast, name)]
BRANCHES = (ast.If, ast.While, ast.Try, ast.IfExp, *NEWER_BRANCHES)
NUMBERS = (int, float, complex, bool, str)
IMMUTABLE = (*NUMBERS, bytes, tuple, frozenset, range, type(None))
IMMUTABLE_OF_LIBRARIES = (
    ("pandas", "Index"),
    ("pathlib", "PurePath"),
    ("torch", "dtype"),
    ("torch", "device"),
    ("torch", "Size"),
    ("numpy", "dtype"),
)
FORM_KEPT = (
    ("torch", "Tensor"),
    ("torch.nn", "Module"),
    ("torch.optim", "Optimizer"),
    ("torch.utils.data", "DataLoader"),
    ("torch.utils.data", "Dataset"),
    ("numpy", "ndarray"),
    ("numpy", "generic"),
    ("sklearn.base", "BaseEstimator"),
    ("lightgbm", "Booster"),
    ("xgboost", "Booster"),
    ("torch.optim.lr_scheduler", "LRScheduler"),
    ("lightning.pytorch", "Trainer"),
    ("pytorch_lightning", "Trainer"),
    ("transformers.trainer", "Trainer"),
    ("transformers.trainer_utils", "EvalPrediction"),
    ("keras", "Model"),
    ("keras", "Optimizer"),
    ("keras.callbacks", "History"),
    ("tensorflow", "Tensor"),
    ("tensorflow", "Variable"),
    ("pandas", "DataFrame"),
    ("pandas", "Series"),
    ("numpy.random", "Generator"),
    ("numpy.random", "RandomState"),
    ("random", "Random"),
    ("torch", "Generator"),
    # What is in it is followed as a file.
    ("io", "IOBase"),
)
TRAINED = (
    ("torch", "Tensor"),
    ("torch.nn", "Module"),
    ("torch.optim", "Optimizer"),
    ("numpy", "ndarray"),
    ("keras", "Model"),
)
# What keeps its form whatever is called on it, but for what is said in RESHAPING.
FORM_FIXED = (
    ("torch", "Tensor"),
    ("numpy", "ndarray"),
    ("numpy", "generic"),
    ("numpy.random", "Generator"),
    ("numpy.random", "RandomState"),
    ("torch", "Generator"),
)
# Which of its candidates a search chooses decides about what it is afterwards.
SEARCHES = ("sklearn.model_selection._search", "BaseSearchCV")
CHANGING = frozenset("append appendleft extend insert add update pop popitem remove clear setdefault".split())
SETTING = frozenset("setattr add_module register_module register_buffer register_parameter __setattr__ __dict__".split())
RESHAPING = frozenset("resize resize_ squeeze_ unsqueeze_ transpose_ t_ set_ requires_grad_ detach_".split())
STRUCTURAL = CHANGING | SETTING | RESHAPING | {"delattr"}
# What adds one thing after the other; everything else that changes may add what no round that ran did.
ADDING = frozenset(("append", "appendleft", "extend"))
WITHOUT_STATE = frozenset(
    "numpy torch pandas polars scipy sklearn math json re itertools functools collections copy os pathlib time datetime "
    "statistics string operator random transformers lightning pytorch_lightning xgboost lightgbm torchvision "
    "typing".split()
)
# What holds nothing but what it was given.
SETTINGS = (("types", "SimpleNamespace"), ("argparse", "Namespace"))
BY_NAMELESS = frozenset(("exec", "eval", "globals", "locals", "vars"))
REACH_LIMIT = 2_000


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
                found.update(_roots(part.target))
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
        if is_immutable(value) and read.attr not in _set_later(values):
            found.add(id(read.value))
    return found


def attributes_set(texts):
    """Attributes that code sets; all, where it does not say."""
    parts = [part for text in texts for part in ast.walk(ast.parse(text))]
    if any(getattr(part, "id", None) in SETTING | BY_NAMELESS or getattr(part, "attr", None) in SETTING for part in parts):
        return Everything()
    return {part.attr for part in parts if isinstance(part, ast.Attribute) and not isinstance(part.ctx, ast.Load)}


def _set_later(values):
    """Attributes that code of the notebook sets in other places than where an object is made; all, where it does not say."""
    codes = {code for value in list(values.values()) for code in codes_of(value)}
    if any(SETTING & names_in(code) or BY_NAMELESS & globals_read(code) for code in codes):
        return Everything()
    return {name for code in codes if code.co_name != "__init__" for name in _named_by(code, ("STORE_ATTR", "DELETE_ATTR"))}


def may_be_set(name, attribute, values):
    """Whether code of the notebook may set this attribute, or without one what is in this table, out of sight."""
    if attribute is not None:
        return attribute in _set_later(values)
    return any(name in names_in(code) for value in list(values.values()) for code in codes_of(value))


class Everything:
    def __contains__(self, _name):
        return True


def _codes_in(kind):
    return [member.__code__ for member in vars(kind).values() if isinstance(member, types.FunctionType)]


def codes_of(value):
    wrapped = getattr(value, "__wrapped__", None) if callable(value) and not isinstance(value, type) else None
    if isinstance(wrapped, types.FunctionType) and wrapped.__module__ == "__main__":
        # What a decorator made of a function of the notebook.
        return [wrapped.__code__]
    if isinstance(value, types.FunctionType):
        return [value.__code__] if value.__module__ == "__main__" else []
    kind: type = value if isinstance(value, type) else type(value)
    classes = [base for base in kind.__mro__ if base.__module__ == "__main__"]
    members = [getattr(member, "__wrapped__", member) for base in classes for member in vars(base).values()]
    return [member.__code__ for member in members if isinstance(member, types.FunctionType)]


def names_in(code):
    """Every name that a code object and the code nested in it mention, those of attributes among them."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= names_in(constant)
    return names


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
        keyed = any(map(_adds_keys, codes))
        found += [Touch(name, False, False, False, keyed=keyed and holds_keys(values[name])) for name in data]
        found += [Touch(name, True, True, False) for code in codes for name in globals_bound(code)]
    return found


def globals_bound(code):
    """Global names that the code binds or removes."""
    return _named_by(code, ("STORE_GLOBAL", "DELETE_GLOBAL"))


def globals_read(code):
    """Global names that the code reads, not those of attributes."""
    return _named_by(code, ("LOAD_GLOBAL", "LOAD_NAME"))


def _named_by(code, operations):
    names = {step.argval for step in dis.get_instructions(code) if step.opname in operations}
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= _named_by(constant, operations)
    return names


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
            called = getattr(part.func, "attr", getattr(part.func, "id", ""))
            # A name that the notebook gave says nothing: `level_of` reads the code.
            structural = called in STRUCTURAL and not _is_own_method(part.func, values)
            keyed = structural and called not in ADDING
            receivers = _roots(part.func) if isinstance(part.func, ast.Attribute) else _call_roots(part)
            for name in _call_roots(part):
                if name in values and (not is_code(values[name]) or has_state(values[name])):
                    added = keyed and not is_of_library(values[name])
                    found.append(Touch(name, False, perhaps, False, structural, was_run, added))
                    found[-1].replaced = structural and name in receivers
            if isinstance(part.func, ast.Attribute):
                for name in _roots(part.func):
                    held = values.get(name)
                    own_class = isinstance(held, type) and held.__module__ == "__main__"
                    if own_class or _keeps_something(held, part.func.value):
                        found.append(Touch(name, False, True, False, True, was_run))
        elif isinstance(part, (ast.Attribute, ast.Subscript)) and isinstance(part.ctx, (ast.Store, ast.Del)):
            for name in _roots(part):
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
    roots = _roots(call.func)
    for argument in [*call.args, *(keyword.value for keyword in call.keywords)]:
        roots += [part.id for part in ast.walk(argument) if isinstance(part, ast.Name)]
    return roots


def _roots(node):
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Starred, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return [node.id] if isinstance(node, ast.Name) else []


def is_code(value):
    return isinstance(value, (types.ModuleType, types.FunctionType, types.BuiltinFunctionType, type))


def has_state(value):
    """Whether a module remembers what was done with it."""
    return isinstance(value, types.ModuleType) and value.__name__.partition(".")[0] not in WITHOUT_STATE


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


def level_of(value, irregular=(), of_none=LOST, settled=(), of_keys=LOST, depth=0):
    """What more rounds would change of such a value: only what it holds, or perhaps what it is. `irregular`: identities of
    things whose size is not known, `settled`: of tables that have all their keys; `of_none`: the level of parts that are
    None, `of_keys`: of what gets new keys."""
    if is_immutable(value):
        return VALUE
    if value is None:
        return of_none if depth > 0 else LOST
    if is_a(value, *SEARCHES) and _chooses_kinds(value):
        return LOST
    if id(value) in irregular or depth > 4:
        return FORM
    if any(is_a(value, module, name) for module, name in FORM_KEPT) and not _own_parts(value):
        return VALUE
    if holds_keys(value) and any(map(_adds_keys, codes_of(value))):
        return of_keys
    if isinstance(value, (list, tuple)):
        parts = list(value)
    else:
        parts = list(value.values()) if _is_table(value) or id(value) in settled else _own_parts(value)
    if parts is None:
        return FORM
    return max(
        [level_of(part, irregular, of_none, settled, of_keys, depth + 1) for part in parts[:: max(1, len(parts) // 200)]],
        default=VALUE,
    )


def keeps_form(value):
    """Whether it stays what it is, whatever is called on it: only its numbers change."""
    return any(is_a(value, module, name) for module, name in FORM_FIXED) and not is_of_notebook(value)


def is_trained(value):
    """Whether it holds numbers, and nothing that gets longer."""
    held = _own_parts(value) or ()
    return any(is_a(value, module, name) for module, name in TRAINED) and not any(
        isinstance(part, (list, dict, set)) or is_of_notebook(part) for part in held
    )


def is_immutable(value):
    """Whether nothing that it is handed to can change it. A None stands for what is still to come."""
    if type(value) in (tuple, frozenset):
        return all(map(is_immutable, value))
    if type(value) in (*NUMBERS, bytes, range):
        return True
    return any(is_a(value, module, name) for module, name in IMMUTABLE_OF_LIBRARIES) and not is_of_notebook(value)


def _is_own_method(called, values):
    """Whether a class of the notebook defines the method that is called."""
    if not (isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name)):
        return False
    kinds = type(values.get(called.value.id)).__mro__
    return next((kind.__module__ == "__main__" for kind in kinds if called.attr in vars(kind)), False)


def is_of_library(value):
    return type(value).__module__ not in ("builtins", "collections", "__main__")


def holds_keys(value):
    """A dict or a set, or something that holds one."""
    if isinstance(value, (dict, set)):
        return True
    parts = value[:20] if isinstance(value, (list, tuple)) else _own_parts(value) or []
    return any(isinstance(part, (dict, set)) for part in parts)


def _adds_keys(code):
    """Whether the code may put something under a key, or into a set."""
    if (CHANGING - ADDING) & set(code.co_names):
        return True
    if any(step.opname == "STORE_SUBSCR" for step in dis.get_instructions(code)):
        return True
    return any(isinstance(constant, types.CodeType) and _adds_keys(constant) for constant in code.co_consts)


def may_lengthen(code):
    """Whether the code may add to something that it did not make."""
    steps = list(dis.get_instructions(code))
    adds = [step.opname.startswith(("INPLACE", "STORE_SUBSCR")) for step in steps]
    adds += ["=" in step.argrepr for step in steps if step.opname == "BINARY_OP"]
    if any(adds) or CHANGING & set(code.co_names):
        return True
    return any(isinstance(constant, types.CodeType) and may_lengthen(constant) for constant in code.co_consts)


def _is_table(value):
    """A dict of which every key was written down: what training fills round by round has numbers for keys."""
    return isinstance(value, dict) and all(type(key) is str for key in value)


def is_settings(value):
    return any(type(value) is getattr(sys.modules.get(module), kind, None) for module, kind in SETTINGS)


def is_of_notebook(value):
    return any(base.__module__ == "__main__" for base in type(value).__mro__)


def _own_parts(value):
    """What an object of a class of the notebook holds, or one of settings; None of other objects."""
    if not (is_of_notebook(value) or is_settings(value)):
        return None
    return [part for name, part in getattr(value, "__dict__", {}).items() if not name.startswith("_") and not is_code(part)]


def _chooses_kinds(search):
    """Whether the candidates of a search are of more than one class, or have parts of more than one."""
    grids = getattr(search, "param_grid", getattr(search, "param_distributions", None))
    for grid in grids if isinstance(grids, list) else [grids]:
        for choices in grid.values() if isinstance(grid, dict) else [[None]]:
            if isinstance(choices, (list, tuple)) and any(not isinstance(one, NUMBERS) for one in choices):
                return True
    return False


def is_a(value, module, name):
    """An instance of a class that some module holds, if that is loaded."""
    kind = getattr(sys.modules.get(module), name, None)
    return isinstance(kind, type) and isinstance(value, kind)


def may_store(values, owner, name):
    """Whether code of the notebook, or of the object's class, sets an attribute of this name somewhere; in the notebook's
    also one of a name that is not spelled out."""
    pending = [code for value in list(values.values()) for code in codes_of(value)]
    of_notebook = set(pending)
    pending += [code for base in type(owner).__mro__ for code in _codes_in(base)]
    found, seen = set(), set()
    while pending:
        code = pending.pop()
        if code in seen:
            continue
        seen.add(code)
        if code in of_notebook and SETTING & set(code.co_names):
            return True
        found |= {step.argval for step in dis.get_instructions(code) if step.opname == "STORE_ATTR"}
        pending += [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
    return name in found


def reach(values):
    """Identities of the containers and objects that can be got at from these, a few steps deep."""
    found, pending = set(), [(value, 0) for value in values]
    while pending and len(found) < REACH_LIMIT:
        value, depth = pending.pop()
        if value is None or isinstance(value, (*NUMBERS, bytes)) or is_code(value) or id(value) in found:
            continue
        found.add(id(value))
        if depth >= 3:
            continue
        if isinstance(value, dict):
            pending.extend((held, depth + 1) for held in itertools.islice(value.values(), 200))
        elif isinstance(value, (list, tuple, set)):
            pending.extend((held, depth + 1) for held in itertools.islice(value, 200))
        elif type(value).__module__ == "__main__" or is_settings(value):
            pending.extend((held, depth + 1) for held in list(getattr(value, "__dict__", {}).values())[:200])
    return found
