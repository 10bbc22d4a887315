# Words that no round can make: keys of tables, and names of files. Rounds that were left out run the code that is there:
# what it neither says nor puts together, what no data holds, and what no library says whose call was cut, comes in none.
import ast
import os
import re
import sys
import types

from ..objects.callables import texts_in
from ..twin.needed_names import OF_IPYTHON
from .calls import called_in
from .file_checks import OF_PYTHON

# Tables that answer for any key, archives, and code that nobody can read.
ANSWERING = frozenset(("defaultdict", "Counter", "__missing__", "__getitem__"))
UNPACKING = frozenset("extractall unpack_archive copytree copyfile copy2 move system Popen urlretrieve".split())
UNREAD = frozenset(("exec", "eval", "globals", "vars", "setattr"))
# What is only shown is no key.
SHOWING = frozenset("print set_postfix set_description info debug warning".split())
# Methods that make another word of one.
MAKING = frozenset(
    "replace removeprefix removesuffix strip lstrip rstrip lower upper title capitalize sub translate with_suffix with_stem "
    "group findall decode".split()
)
# These cut texts to pieces, and tensors too; and these read them, perhaps more in every round.
CUTTING = frozenset(("split", "rsplit", "partition", "rpartition", "splitlines"))
READING = frozenset(("reader", "DictReader", "readline", "readlines", "read", "read_text", "loads"))
AGAIN = (ast.For, ast.AsyncFor, ast.While, ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
# These record what the notebook names, and call nothing by a name of theirs alone.
NAMING_NOTHING = frozenset(("lightning",))
# What libraries put between the parts of a word.
BETWEEN = "_/.- "
TOKEN = re.compile(r"[\w./-]+")
FIELD = re.compile(r"%(?:\(\w*\))?[-+ #0-9.]*[a-zA-Z]|\{[^{}]*\}")
# What a field with a format for numbers becomes.
OF_NUMBERS, NUMBER = tuple("deEfFgGn%"), r"[-+\d.,eE%naif ]*"
PLAIN = (int, float, bool, type(None))
MOST_HELD, DEPTH = 300_000, 5


class Words:
    """Of `nodes`, all code of the notebook that may have run, and of `values`, what its names hold. `numbered`: what texts
    that are made of the number of a round may be."""

    def __init__(self, nodes, values, numbered=None):
        self.numbered = numbered
        values = {name: value for name, value in values.items() if name not in OF_IPYTHON and not name.startswith("_")}
        parts = [part for node in nodes for part in ast.walk(node)]
        shown = {id(part) for call in parts if called_in(call) in SHOWING for part in ast.walk(call)}
        self.making = [part for part in parts if id(part) not in shown]
        self.names = {name for part in parts for name in _names_in(part)}
        # Names that a library can learn: not those of variables.
        named = [(part, name) for part in parts for name in _names_in(part)]
        self.learnt = {name for part, name in named if not isinstance(part, ast.Name) or name[:1].isupper()}
        self.texts = {part.value for part in parts if isinstance(part, ast.Constant) and type(part.value) is str}
        self.held = _held_by(values)
        unread = any(isinstance(part, ast.Name) and part.id in UNREAD for part in parts)
        self.is_read = not unread and not any(map(_is_from_own_file, values.values()))
        again = [part for loop in parts if isinstance(loop, AGAIN) for part in ast.walk(loop)]
        # Whether words come in that nobody has seen: from files, or put together of what is not written here.
        self.is_open = any(called_in(part) in READING for part in again) or _adds_unseen(parts)

    def never_has(self, word, libraries):
        """Whether no table can get this key. `libraries`: whose calls were cut."""
        said = self.names | self.texts
        if not self.is_read or self.is_open or said & ANSWERING or self._may_make(word):
            return False
        if self.held is None or any(word in text and word in TOKEN.findall(text) for text in said | self.held):
            return False
        # Names of attributes are parts of the words that torch and others know them by.
        if "." in word and said & set(word.split(".")):
            return False
        of_libraries = {text for library in libraries for text in _said_in(library)}
        if libraries and NAMING_NOTHING.issuperset(libraries) and word not in of_libraries:
            return not _adds_to(word, self.learnt | self.texts | self.held, of_libraries)
        return not libraries or not _is_put_together(word, said | self.held | of_libraries)

    def never_writes(self, path):
        """Whether no code can give a file this name. What writes one may add its ending."""
        name = os.path.basename(path)
        stem = os.path.splitext(name)[0]
        if not name or not self.is_read or self.held is None or self.names & UNPACKING:
            return False
        said = self.texts | self.held
        return not (
            any(name in text or os.path.basename(text) == stem for text in said)
            or any(self._may_make(one) for one in {name, stem, path, os.path.realpath(path)})
        )

    def _may_make(self, word):
        return any(_may_make(part, word) and self._may_become(part, word) for part in self.making)

    def _may_become(self, part, word):
        whole = isinstance(part, ast.JoinedStr) or (isinstance(part, ast.BinOp) and isinstance(part.op, ast.Mod))
        return not whole or self.numbered is None or self.numbered.may_be(part, {word})


def _is_put_together(word, texts):
    """Whether it is one of these, or several."""
    return word in texts or any(
        word[:place] in texts and _is_put_together(word[place + 1 :], texts)
        for place, letter in enumerate(word)
        if letter in BETWEEN
    )


def _adds_to(word, own, others):
    """Whether it is one of the notebook's own words, or one with others before or behind it."""
    return word in own or any(
        (word[:place] in own and _is_put_together(word[place + 1 :], own | others))
        or (word[:place] in others and _adds_to(word[place + 1 :], own, others))
        for place, letter in enumerate(word)
        if letter in BETWEEN
    )


def _is_from_own_file(value):
    """Whether it is a module of the user's, or came out of one: nobody reads those here."""
    name = value.__name__ if isinstance(value, types.ModuleType) else getattr(value, "__module__", None)
    module = sys.modules.get(name) if type(name) is str and name != "__main__" else None
    path = getattr(module, "__file__", None)
    return type(path) is str and not path.startswith(OF_PYTHON)


def _adds_unseen(parts):
    """Whether a key is a sum of things that are not written there: these may be texts."""
    stored = [part.slice for part in parts if isinstance(part, ast.Subscript) and not isinstance(part.ctx, ast.Load)]
    keys: list[ast.AST] = [*stored, *(part.key for part in parts if isinstance(part, ast.DictComp))]
    keys += [key for part in parts if isinstance(part, ast.Dict) for key in part.keys if key is not None]
    keys += [part.args[0] for part in parts if called_in(part) == "setdefault" and part.args]
    names = {part.id for key in keys for part in ast.walk(key) if isinstance(part, ast.Name)}
    for part in parts:
        if isinstance(part, (ast.Assign, ast.AugAssign)):
            targets = part.targets if isinstance(part, ast.Assign) else [part.target]
            if any(getattr(target, "id", None) in names for target in targets):
                keys.append(part if isinstance(part, ast.AugAssign) else part.value)
    return any(_is_open_sum(part) for key in keys for part in ast.walk(key))


def _is_open_sum(part):
    if isinstance(part, ast.AugAssign):
        return isinstance(part.op, ast.Add) and not isinstance(part.value, ast.Constant)
    sides = [part.left, part.right] if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Add) else []
    return bool(sides) and not any(isinstance(side, ast.Constant) for side in sides)


def _names_in(part):
    names = [getattr(part, field, None) for field in ("id", "attr", "arg", "name", "asname")]
    return [name for name in names if type(name) is str]


def _may_make(part, word):
    """Whether this may put the word together."""
    if isinstance(part, ast.JoinedStr):
        return re.fullmatch("".join(map(_pattern_of, part.values)), word, re.DOTALL) is not None
    if isinstance(part, ast.BinOp) and isinstance(part.op, (ast.Add, ast.Mod)):
        sides = [side.value for side in (part.left, part.right) if isinstance(side, ast.Constant)]
        texts = [side for side in sides if type(side) is str]
        return any(text in word if isinstance(part.op, ast.Add) else _matches(text, word) for text in texts)
    if not isinstance(part, ast.Call) or not isinstance(part.func, ast.Attribute):
        return False
    called = part.func
    text = getattr(called.value, "value", None) if isinstance(called.value, ast.Constant) else None
    if called.attr == "join" and len(part.args) > 1:
        # Of a path.
        return False
    if called.attr in ("join", "format"):
        # Of a text that nobody knows anything may come.
        return type(text) is not str or (text in word if called.attr == "join" else _matches(text, word))
    cuts = called.attr in CUTTING and not any(type(getattr(one, "value", 0)) is not str for one in part.args)
    return called.attr in MAKING or (cuts and type(text) is not str)


def _pattern_of(part):
    if isinstance(part, ast.Constant):
        return re.escape(str(part.value))
    last = part.format_spec.values[-1:] if part.format_spec is not None else []
    is_number = any(str(getattr(one, "value", "")).endswith(OF_NUMBERS) for one in last)
    return NUMBER if is_number else ".*"


def _matches(text, word):
    """Whether a text with fields may become the word."""
    return re.fullmatch(".*".join(map(re.escape, FIELD.split(text))), word, re.DOTALL) is not None


def _held_by(values):
    """The texts that variables hold; None where they hold too much to say."""
    found, seen, pending = set(), set(), [(list(values.values()), 0)]
    for value, depth in pending:
        if len(pending) > MOST_HELD:
            return None
        try:
            parts = _parts_of(value)
        except Exception:
            return None
        for part in parts:
            if type(part) is str:
                found.add(part)
            elif depth < DEPTH and type(part) not in PLAIN and id(part) not in seen:
                seen.add(id(part))
                pending.append((part, depth + 1))
    return found


def _parts_of(value):
    root = type(value).__module__.partition(".")[0]
    if isinstance(value, (type, types.ModuleType, types.FunctionType)) or root == "torch":
        return []
    if isinstance(value, dict):
        return [*value, *value.values()]
    if isinstance(value, (list, tuple, set, frozenset)):
        return value
    if root == "numpy":
        return value.ravel().tolist() if getattr(value, "dtype", None) is not None and value.dtype.kind in "USO" else []
    if root == "pandas":
        columns = [value[name] for name in value.columns] if hasattr(value, "columns") else [value]
        rows = [*columns, getattr(value, "columns", ()), getattr(value, "index", ())]
        return [list(one) for one in rows if getattr(getattr(one, "dtype", None), "kind", "O") not in "iufbmMc"]
    return list(getattr(value, "__dict__", {}).values())


def _said_in(library):
    """The texts that the code of a library says by itself."""
    found = set()
    for name, module in list(sys.modules.items()):
        if library in name.partition(".")[0]:
            for value in list(getattr(module, "__dict__", {}).values()):
                for member in vars(value).values() if isinstance(value, type) else [value]:
                    # Nothing else is asked: a module that is loaded when it is asked may not be there.
                    if type(member) is types.FunctionType:
                        found.update(texts_in(member.__code__))
    return found
