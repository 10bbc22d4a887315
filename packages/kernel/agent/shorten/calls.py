# Which call of a statement leads into a function of the notebook, and what its parameters are given there.
import ast


def call_of(nodes, name):
    """The one call of a function or method of that name; None where there are several or none. One that is all there is
    comes before those in its arguments."""
    if len(nodes) == 1 and called_in(nodes[0]) == name:
        return nodes[0]
    found = [part for node in nodes for part in ast.walk(node) if called_in(part) == name]
    return found[0] if len(found) == 1 else None


def bound(call, parameters):
    """Parameters to the expressions that they get; None where that cannot be read off. Defaults are left out."""
    names = list(parameters)
    unclear = any(isinstance(node, ast.Starred) for node in call.args) or any(word.arg is None for word in call.keywords)
    positional = list(call.args)
    if isinstance(call.func, ast.Attribute):
        positional.insert(0, call.func.value)
        unclear = unclear or names[:1] != ["self"]
    if unclear or len(positional) > len(names) or any(word.arg not in names for word in call.keywords):
        return None
    return {**dict(zip(names, positional)), **{word.arg: word.value for word in call.keywords}}


def called_in(node):
    """The name of what a call calls; None of anything else."""
    called = node.func if isinstance(node, ast.Call) else None
    return getattr(called, "attr", getattr(called, "id", None))
