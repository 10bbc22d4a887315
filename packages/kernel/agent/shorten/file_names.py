# How code of the notebook names the files that it writes. A name that is made of constants and of settings is the same in
# every round: rounds that are left out write no others.
import ast
import functools
import inspect
import linecache
import operator
import os
import pathlib
import types
from typing import Any

from . import calls
from .codes import codes_of
from .things import NUMBERS

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
JOINING: dict[type, Any] = {ast.Add: operator.add, ast.Div: operator.truediv, ast.Mod: operator.mod}
OF_NAMES = (*NUMBERS, pathlib.PurePath)
IN_FUNCTION = inspect.CO_OPTIMIZED
DEEPEST = 4


class _Unknown(Exception):
    pass


def settings_of(path, frame, namespace):
    """Texts of the names and attributes that decide what this file is called, as the notebook's innermost code has it; None
    where more has a say. `path`: as the system knows it."""
    try:
        place = _Place(_of_notebook(frame, namespace), namespace)
        for node in place.expressions():
            if _is_path(node, place, path):
                return frozenset(place.settings(node))
    except Exception:
        # Whatever the notebook's things answer.
        return None
    return None


def _of_notebook(frame, namespace):
    while frame is not None and frame.f_globals is not namespace:
        frame = frame.f_back
    if frame is None:
        raise _Unknown
    return frame


def _is_path(node, place, path):
    try:
        value = place.value(node)
        return isinstance(value, (str, pathlib.PurePath)) and os.path.realpath(value) == path
    except Exception:
        return False


@functools.lru_cache(maxsize=64)
def _tree_of(text):
    return ast.parse(text)


class _Place:
    """The statement that a frame of the notebook is at."""

    def __init__(self, frame, namespace, depth=0):
        self.frame, self.namespace, self.depth = frame, namespace, depth
        self.names = {**frame.f_globals, **frame.f_locals}
        code = frame.f_code
        tree = _tree_of("".join(linecache.getlines(code.co_filename)))
        around = [node for node in ast.walk(tree) if isinstance(node, ast.stmt) and _holds(node, frame.f_lineno)]
        self.function = None
        if code.co_flags & IN_FUNCTION:
            functions = [node for node in around if isinstance(node, FUNCTIONS) and node.name == code.co_name]
            if not functions:
                raise _Unknown
            self.function = functions[-1]
        if not around or depth > DEEPEST:
            raise _Unknown
        self.statement = max(around, key=lambda node: node.lineno)

    def expressions(self):
        """What the statement calls and hands to libraries, outermost first."""
        pending = [part for part in ast.iter_child_nodes(self.statement) if not isinstance(part, ast.stmt)]
        for node in pending:
            if isinstance(node, ast.expr):
                yield node
            if isinstance(node, (ast.withitem, ast.keyword, ast.Attribute)) or (
                isinstance(node, ast.Call) and not codes_of(self.names.get(_root_of(node)))
            ):
                pending += ast.iter_child_nodes(node)

    def value(self, node):
        """What an expression is that does nothing but make a name."""
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            return self.names[node.id]
        if isinstance(node, ast.Attribute):
            return _attribute(self.value(node.value), node.attr)
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            owner = self.value(node.value)
            return owner[node.slice.value] if type(owner) is dict else _unknown()
        if isinstance(node, ast.BinOp) and type(node.op) in JOINING:
            return JOINING[type(node.op)](_plain(self.value(node.left)), _plain(self.value(node.right)))
        if isinstance(node, ast.JoinedStr):
            for part in node.values:
                if isinstance(part, ast.FormattedValue):
                    _plain(self.value(part.value))
            return eval(compile(ast.Expression(node), "<grus name>", "eval"), self.names)
        if isinstance(node, ast.Call) and not node.keywords:
            called: Any = self._called(node.func)
            return called(*[_plain(self.value(argument)) for argument in node.args])
        return _unknown()

    def _called(self, func):
        owner = self.value(func.value) if isinstance(func, ast.Attribute) else None
        if type(owner) is str or isinstance(owner, pathlib.PurePath):
            kind = str if type(owner) is str else pathlib.PurePath
            return getattr(owner, func.attr) if hasattr(kind, func.attr) else _unknown()
        called = self.value(func)
        of_paths = isinstance(called, types.FunctionType) and called.__module__ == os.path.__name__
        of_names = isinstance(called, type) and issubclass(called, (str, pathlib.PurePath))
        return called if of_paths or of_names else _unknown()

    def settings(self, node):
        """The names and attributes that it is made of, followed to where they are set; nothing else may make it."""
        self.value(node)
        found, pending = set(), [node]
        while pending:
            part = pending.pop()
            if isinstance(part, (ast.Name, ast.Attribute, ast.Subscript)) and isinstance(self.value(part), OF_NAMES):
                root: Any = part
                while isinstance(root, (ast.Attribute, ast.Subscript)):
                    root = root.value
                found |= self._set(root.id, part) if isinstance(root, ast.Name) else self.settings(root)
            else:
                pending.extend(ast.iter_child_nodes(part))
        return found

    def _set(self, name, part):
        local = self.function is not None and name in self.frame.f_code.co_varnames
        if not local and name in self.frame.f_code.co_freevars:
            return _unknown()
        if not local:
            return {ast.unparse(part)}
        assert self.function is not None
        stores = [
            found
            for found in ast.walk(self.function)
            if isinstance(found, ast.Name) and found.id == name and not isinstance(found.ctx, ast.Load)
        ]
        parameters = [argument.arg for argument in ast.walk(self.function.args) if isinstance(argument, ast.arg)]
        if not isinstance(part, ast.Name):
            return _unknown()
        if name in parameters and not stores:
            return self._given(name, parameters)
        assigned = [
            found.value
            for found in ast.walk(self.function)
            if isinstance(found, ast.Assign) and len(found.targets) == 1 and found.targets[0] in stores
        ]
        return self.settings(assigned[0]) if len(stores) == len(assigned) == 1 and name not in parameters else _unknown()

    def _given(self, name, parameters):
        """What the caller gives."""
        assert self.function is not None
        caller = _Place(_of_notebook(self.frame.f_back, self.namespace), self.namespace, self.depth + 1)
        call = calls.call_of([caller.statement], self.function.name)
        bound = None if call is None else calls.bound(call, parameters)
        if bound is None:
            return _unknown()
        # A default is what it is.
        return caller.settings(bound[name]) if name in bound else set()


def _holds(node, line):
    return node.lineno <= line <= (node.end_lineno or node.lineno)


def _root_of(call):
    node = call.func
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return getattr(node, "id", None)


def _attribute(owner, name):
    """Without code of the object's own."""
    if isinstance(owner, types.ModuleType) or (isinstance(owner, pathlib.PurePath) and hasattr(pathlib.PurePath, name)):
        return getattr(owner, name)
    held = getattr(owner, "__dict__", {})
    return held[name] if name in held and not isinstance(owner, type) else _unknown()


def _plain(value):
    return value if isinstance(value, OF_NAMES) else _unknown()


def _unknown():
    raise _Unknown
