"""Which statements in front of the target cell must be run again: those whose objects the target needs and the record does
not describe well enough. Imports are all kept: what is loaded decides how a kernel can be judged."""

import ast
import builtins

from . import objects

DEFINITIONS = (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)


def needed(statements, target, facts):
    """The indices of the statements to run, in order."""
    trees = [_tree(text) for text in statements]
    settled = set(dir(builtins)).union(*(_defined(tree) for tree in trees))
    made = {name for name, fact in facts.items() if isinstance(fact, dict) and objects.is_told(fact)}
    wanted = _loads(_tree(target))
    kept = {index for index, tree in enumerate(trees) if _is_import(tree)}
    before = None
    while before != (len(wanted), len(kept)):
        before = (len(wanted), len(kept))
        for index in range(len(trees) - 1, -1, -1):
            if (_binds(trees[index]) | (_may_change(trees[index]) - settled)) & (wanted - made):
                kept.add(index)
                wanted |= _loads(trees[index])
    return sorted(kept)


def _tree(text):
    try:
        return ast.parse(text)
    except SyntaxError:
        return ast.parse("")


def _is_import(tree):
    return any(isinstance(node, (ast.Import, ast.ImportFrom)) for node in tree.body)


def _loads(tree):
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def _defined(tree):
    """Names of modules, functions and classes: calling them does not change them."""
    names = {node.name for node in tree.body if isinstance(node, DEFINITIONS)}
    for node in tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names.update((alias.asname or alias.name).split(".")[0] for alias in node.names)
    return names


def _binds(tree):
    stored = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return stored | {node.name for node in tree.body if isinstance(node, DEFINITIONS)}


def _may_change(tree):
    """Names whose object a statement outside of functions may change."""
    names = set()
    if any(isinstance(node, DEFINITIONS) for node in tree.body):
        return names
    for node in ast.walk(tree):
        if isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, ast.Store):
            names.add(_root(node))
        elif isinstance(node, ast.Call):
            names.update(_root(one) for one in (node.func, *node.args) if isinstance(one, (ast.Name, ast.Attribute)))
    return names - {None}


def _root(node):
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None
