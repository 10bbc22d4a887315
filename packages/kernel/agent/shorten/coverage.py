# Which branches ran. Rounds that were left out may go through branches that the others did not: what these would change is
# not known. What ran at least once is known to do the same kind of thing again.
import ast

from .calls import called_in

RAN = "__grus_ran__"
BLOCKS = ("body", "orelse", "finalbody")
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
BRANCHING = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.Try, ast.ExceptHandler, *FUNCTIONS)
# What only shows something.
HARMLESS = frozenset("print format round len str float int write set_postfix set_description item".split())


def mark_blocks(node, place):
    """Have the blocks of a statement say that they ran; they are known by the line of their first statement."""
    if not isinstance(node, BRANCHING) and type(node).__name__ != "match_case":
        return
    for field in BLOCKS:
        block = getattr(node, field, None)
        if isinstance(block, list) and block:
            first = block[0]
            site = ast.Tuple([ast.Constant(place), ast.Constant(first.lineno)], ast.Load())
            mark = ast.Expr(ast.Call(ast.Name(RAN, ast.Load()), [site], []))
            at = 1 if _is_text(first) and isinstance(node, FUNCTIONS) else 0
            block.insert(at, ast.fix_missing_locations(ast.copy_location(mark, first)))


def _is_text(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def times_of(place, ran):
    """A function that says how often a block ran."""
    return lambda block: ran.get((place, block[0].lineno), 0)


def untouched(tree, place, ran, inside=None):
    """Blocks that did not run, of functions that did, and of the statements at these lines."""
    pending = [(node, False) for node in tree]
    while pending:
        node, entered = pending.pop()
        if isinstance(node, FUNCTIONS):
            entered = (place, node.body[0].lineno) in ran
        elif inside is not None and isinstance(node, ast.stmt):
            entered = entered or any(node.lineno <= line <= (node.end_lineno or 0) for line in inside)
        if _is_interrupted(node):
            continue
        for block in (getattr(node, field, None) for field in BLOCKS if entered and isinstance(node, BRANCHING)):
            if isinstance(block, list) and block and (place, block[0].lineno) not in ran:
                yield block
        pending.extend((child, entered) for child in ast.iter_child_nodes(node))


def _is_interrupted(node):
    """Nobody's hand is part of the run."""
    return isinstance(node, ast.ExceptHandler) and getattr(node.type, "id", None) == "KeyboardInterrupt"


def may_change(block):
    """Whether a block does more than tell something."""
    for part in (part for statement in block for part in ast.walk(statement)):
        if isinstance(part, (ast.Attribute, ast.Subscript, ast.Name)) and not isinstance(part.ctx, ast.Load):
            return True
        if isinstance(part, ast.Call) and called_in(part) not in HARMLESS:
            return True
    return False


def may_call_another(tree):
    """Whether something that is computed chooses what is called, other than by a branch."""
    for part in ast.walk(tree):
        if isinstance(part, ast.Call) and not isinstance(part.func, (ast.Name, ast.Attribute)):
            return True
        chosen = [part.body, part.orelse] if isinstance(part, ast.IfExp) else []
        chosen = part.values[1:] if isinstance(part, ast.BoolOp) else chosen
        if may_change([ast.Expr(one) for one in chosen]):
            return True
    return False
