# A key that no further round can add: `history["valid_acc"]`, where the notebook's code only ever stores under other words.
import ast
import types

from ..objects.lookup import class_dict, is_class

READING = frozenset(("keys", "values", "items", "get", "copy"))
LOOKING_AROUND = frozenset(("globals", "locals", "vars", "eval", "exec"))


def is_never_stored(node, statements, values):
    """Whether this asks a table of the notebook for a word under which no code stores anything in it. The table is made by a
    display with plain words, and nothing but its keys is ever touched: it has no second name."""
    if not (isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name)):
        return False
    name, word = node.value.id, getattr(node.slice, "value", None)
    if type(word) is not str or type(values.get(name)) is not dict:
        return False
    parts = [part for statement in statements for part in ast.walk(statement)]
    if any(isinstance(part, ast.Name) and part.id in LOOKING_AROUND for part in parts):
        return False
    named = [part for part in parts if isinstance(part, ast.Name) and part.id == name]
    allowed = {id(use) for part in parts for use in _harmless(part, word)}
    made_here = any(isinstance(part.ctx, ast.Store) for part in named)
    return made_here and all(id(part) in allowed for part in named) and not _used_elsewhere(name, parts, values)


def _harmless(part, word):
    """The names in this part whose use stores nothing under the word, and gives their table no second name."""
    if isinstance(part, ast.Assign) and _is_display_without(part.value, word):
        return [target for target in part.targets if isinstance(target, ast.Name)][:1] if len(part.targets) == 1 else []
    if isinstance(part, ast.Subscript):
        other = isinstance(part.slice, ast.Constant) and part.slice.value != word
        return [part.value] if other or isinstance(part.ctx, ast.Load) else []
    if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr in READING:
        return [part.func.value]
    if isinstance(part, ast.Compare) and all(isinstance(how, (ast.In, ast.NotIn)) for how in part.ops):
        return part.comparators
    if isinstance(part, (ast.For, ast.comprehension)):
        return [part.iter]
    return []


def _is_display_without(value, word):
    return isinstance(value, ast.Dict) and all(isinstance(key, ast.Constant) and key.value != word for key in value.keys)


def _used_elsewhere(name, parts, values):
    """Whether a function or class of the notebook whose text is not among the parts may use the name."""
    known = {part.name for part in parts if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))}
    return any(
        name in _names_of(code)
        for held, value in list(values.items())
        if held not in known and getattr(value, "__module__", None) == "__main__"
        for code in _code_of(value)
    )


def _code_of(value):
    members = list(class_dict(value).values()) if is_class(value) else [value]
    return [member.__code__ for member in members if type(member) is types.FunctionType]


def _names_of(code):
    inner = [part for part in code.co_consts if type(part) is types.CodeType]
    return {*code.co_names, *(name for part in inner for name in _names_of(part))}
