# Branches that nothing is good enough for: `if score > best`, where `best` begins as infinity and only this branch gives it
# another value. No round comes to them, whatever training computes.
import ast

LARGER, SMALLER = (ast.Gt, ast.Lt), (ast.Lt, ast.Gt)
WORDS = {"inf": 1, "+inf": 1, "infinity": 1, "-inf": -1, "-infinity": -1}


def answers(trees, ran):
    """(place, line) of the tests of such branches to their answer. `trees`: all code of the notebook, by its place; `ran`:
    (place, line) of the blocks that were seen to run."""
    parts = [part for tree in trees.values() for part in ast.walk(tree)]
    given = _given_in(parts)
    found = {}
    for place, tree in trees.items():
        for branch in [part for part in ast.walk(tree) if isinstance(part, ast.If)]:
            for name, sign in _asked(branch.test) if (place, branch.body[0].lineno) not in ran else ():
                inside = {id(part) for statement in branch.body for part in ast.walk(statement)}
                others = [sign_of(value) for target, value in given.get(name, ()) if id(target) not in inside]
                if others and all(other == sign for other in others):
                    found[place, branch.lineno] = False
    return found


def _asked(test):
    """(name, sign) of what has to be below minus infinity or above infinity for the test to hold."""
    for part in test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]:
        if isinstance(part, ast.Compare) and len(part.ops) == 1:
            for limit, (above, below) in ((part.comparators[0], LARGER), (part.left, SMALLER)):
                name = _name_of(limit)
                if name is not None and isinstance(part.ops[0], (above, below)):
                    yield name, 1 if isinstance(part.ops[0], above) else -1


def _name_of(node):
    """Of attributes the last word: whose they are is not asked."""
    return getattr(node, "id", getattr(node, "attr", None)) if isinstance(node, (ast.Name, ast.Attribute)) else None


def _given_in(parts):
    """Names to (where one is bound, the value that it is given; None where that is not in sight)."""
    found = {}
    for part in parts:
        if isinstance(part, (ast.Assign, ast.AnnAssign)):
            for target in part.targets if isinstance(part, ast.Assign) else [part.target]:
                _pair(target, part.value, found)
        elif isinstance(part, ast.arguments):
            for one in [*part.posonlyargs, *part.args, *part.kwonlyargs, part.vararg, part.kwarg]:
                if one is not None:
                    found.setdefault(one.arg, []).append((one, None))
        elif isinstance(part, ast.keyword) and part.arg is not None:
            found.setdefault(part.arg, []).append((part, part.value))
    known = {id(target) for pairs in found.values() for target, _ in pairs}
    for part in parts:
        bound = getattr(part, "name", None) if isinstance(part, (ast.stmt, ast.ExceptHandler, ast.alias)) else None
        if isinstance(part, (ast.Name, ast.Attribute)) and not isinstance(part.ctx, ast.Load) and id(part) not in known:
            bound = _name_of(part)
        for name in (bound, getattr(part, "asname", None)):
            if type(name) is str:
                found.setdefault(name, []).append((part, None))
    return found


def _pair(target, value, found):
    if isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, (ast.Tuple, ast.List)):
        if len(target.elts) == len(value.elts):
            for one, other in zip(target.elts, value.elts):
                _pair(one, other, found)
    elif _name_of(target) is not None:
        found.setdefault(_name_of(target), []).append((target, value))


def sign_of(node):
    """1 or -1 of what is written as infinity; None of anything else."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        sign = sign_of(node.operand)
        return -sign if sign is not None else None
    if isinstance(node, ast.Call) and getattr(node.func, "id", None) == "float" and len(node.args) == 1:
        word = getattr(node.args[0], "value", None)
        return WORDS.get(word.lower()) if type(word) is str else None
    if isinstance(node, ast.Attribute) and getattr(node.value, "id", None) in ("math", "np", "numpy", "torch"):
        return 1 if node.attr in ("inf", "Inf") else None
    return None
