# Lists, tuples, sets, dicts and the containers of the standard library. Always through the builtin's own methods, so
# that a subclass with its own `__iter__` or `__getitem__` is neither called nor trusted.
from ..objects.budget import ITEMS, KEYS, MEMBERS
from ..objects.literals import label, literal
from ..objects.lookup import MISSING, class_name, defines, find_in_class, has_dynamic_attributes, is_a, mro, static_names
from ..objects.sampling import of_objects
from ..protocol import reasons
from .builtins import is_user_class, tell_attributes
from .registry import answers, describes

NESTED_ENTRIES = 8
"""Below a requested name, dict values and elements are described more sparingly."""


def items_limit(fact):
    return ITEMS if fact.depth <= 1 else NESTED_ENTRIES


def cut_note(walk, fact, shown, total):
    if fact.depth == 0:
        walk.budget.note(reasons.items_cut(fact.cls, shown, total))


@describes("builtins:list", "builtins:tuple")
def describe_sequence(obj, fact, walk):
    base = tuple if is_a(obj, tuple) else list
    fact.kind = "tuple" if base is tuple else "list"
    length = base.__len__(obj)
    fact.representation["length"] = length
    told = tell_subclass(obj, fact, walk, base)
    limit = items_limit(fact)
    complete = length <= limit
    if not walk.is_shallow(fact):
        items = [base.__getitem__(obj, position) for position in range(min(length, limit))]
        fact.structural["items"] = [fact.child(item) for item in items]
        fact.structural["complete"] = complete
        if not complete:
            cut_note(walk, fact, limit, length)
    if told and length:
        pick = base.__getitem__
        of_objects(lambda positions: [pick(obj, at) for at in positions], length, walk.budget, fact.values)


def tell_subclass(obj, fact, walk, base):
    """Subclasses keep their own attributes; returns False when iteration is the subclass's own."""
    cls = type(obj)
    if cls is base:
        return True
    fields, _ = find_in_class(cls, "_fields")
    if base is tuple and type(fields) is tuple:
        fact.kind = "namedtuple"
        tell_members(obj, fact, [name for name in fields if type(name) is str])
    if is_user_class(cls):
        fact.structural["related"] = {"class": fact.child(cls)}
        tell_attributes(obj, fact, walk)
    return find_in_class(cls, "__iter__")[1] is base


def tell_members(obj, fact, fields):
    """The fields first. A class that was made of a named tuple may have more, and so may its objects."""
    held = static_names(obj, MEMBERS)
    others = [name for name in held or () if not name.startswith("__") and name not in fields]
    fact.structural["members"] = fields + others
    fact.structural["dynamic_attributes"] = held is None or has_dynamic_attributes(obj)


@describes("builtins:set", "builtins:frozenset")
def describe_set(obj, fact, walk):
    base = frozenset if is_a(obj, frozenset) else set
    fact.kind = base.__name__
    length = base.__len__(obj)
    fact.representation["length"] = length
    if length > 2000:
        fact.structural["complete"] = False
        return
    plain = []
    for value in base.__iter__(obj):
        told, _ = literal(value)
        if told is not MISSING:
            plain.append((class_name(type(value)), repr(told), told))
    plain.sort(key=lambda entry: entry[:2])
    fact.structural["keys"] = [entry[2] for entry in plain[:KEYS]]
    fact.structural["complete"] = len(plain) == length and length <= KEYS


@describes("builtins:dict")
def describe_dict(obj, fact, walk):
    fact.kind = "dict"
    length = dict.__len__(obj)
    fact.representation["length"] = length
    if type(obj) is not dict:
        fact.structural["default"] = defines(type(obj), "__missing__")
        own_lookup = find_in_class(type(obj), "__getitem__")[1]
        fact.structural["dynamic_keys"] = own_lookup is not dict and not _is_standard(own_lookup)
        if is_user_class(type(obj)):
            tell_attributes(obj, fact, walk)
    keys_limit = KEYS if fact.depth <= 1 else items_limit(fact)
    keys, entries = [], []
    for key, value in dict.items(obj):
        if len(keys) >= keys_limit:
            break
        keys.append(label(key))
        if len(entries) < items_limit(fact) and not walk.is_shallow(fact):
            entries.append(fact.child(value))
    fact.structural["keys"] = keys
    fact.structural["entries"] = entries
    fact.structural["complete"] = len(keys) == length
    if len(keys) < length:
        cut_note(walk, fact, len(keys), length)


def _is_standard(cls):
    return class_name(cls) in ("collections.OrderedDict", "collections.Counter", "collections.defaultdict")


@describes("collections:deque")
def describe_deque(obj, fact, walk):
    deque = next(base for base in mro(type(obj)) if class_name(base) == "collections.deque")
    fact.kind = "list"
    length = deque.__len__(obj)
    fact.representation["length"] = length
    if not walk.is_shallow(fact):
        shown = min(length, items_limit(fact))
        fact.structural["items"] = [fact.child(deque.__getitem__(obj, position)) for position in range(shown)]
        fact.structural["complete"] = shown == length


KEYS_CHECKED = 2_000_000
PLAIN_KEY_TYPES = frozenset(id(kind) for kind in (str, int, float, bool, bytes, type(None)))


@answers("has_key", "builtins:dict")
def has_key(obj, key, budget):
    """Only when all keys are plain: looking one up must not call anyone's `__eq__`."""
    if type(obj) is not dict or len(obj) > KEYS_CHECKED:
        return {"status": "unknown", "reason": reasons.keys_not_plain()}
    if not all(map(PLAIN_KEY_TYPES.__contains__, map(id, map(type, obj)))):
        return {"status": "unknown", "reason": reasons.keys_not_plain()}
    if type(key) is list or type(key) is dict:
        return {"status": "unknown", "reason": reasons.keys_not_plain()}
    return {"status": "yes" if key in obj else "no"}
