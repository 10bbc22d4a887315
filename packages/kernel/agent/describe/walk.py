# The walk over live objects, breadth first from the names that were asked for, so that what the cell touches directly
# is described before what hangs below it. Each object is described once; references count in the order of the walk.
from collections import deque

from ..objects.budget import DEPTH
from ..objects.literals import literal
from ..objects.lookup import MISSING, base_names, class_name, defines, find_in_class, is_class, mro
from ..protocol import reasons
from .registry import tables


class Fact:
    """What is being said about one object; describers fill the three categories."""

    def __init__(self, obj, depth, hop, walk):
        self.kind = "instance"
        self.structural = {}
        self.representation = {}
        self.values = {}
        self.depth = depth
        self.hop = hop
        self.walk = walk
        self.cls = class_name(type(obj))

    def child(self, obj):
        return self.walk.ref(obj, self.depth + 1, self.hop)

    def to_json(self, bases):
        told = {"kind": self.kind, "class": self.cls}
        if bases:
            told["bases"] = bases
        for category in ("structural", "representation", "values"):
            held = getattr(self, category)
            if held:
                told[category] = held
        return told


class Walk:
    def __init__(self, shell_state, budget, call_depth, labels, known=None):
        self.state = shell_state
        self.budget = budget
        self.call_depth = call_depth
        self.labels = labels
        self.objects = {}
        self.describers, self.resolvers = known or tables()
        self._refs = {}
        self._plain = {}
        self._queue = deque()
        self._kept = []
        self.wanted = {}

    def ref(self, obj, depth=0, hop=0):
        """The reference of an object, described later; `hop` counts the user's functions on the way to it."""
        plain, cut = literal(obj)
        if plain is not MISSING:
            return self._plain_ref(obj, plain, cut)
        key = id(obj)
        known = self._refs.get(key)
        if known is None:
            known = self._refs[key] = self._new_ref()
            self._kept.append(obj)
            self.objects[known] = None
            self._queue.append((known, obj, depth, hop))
        return known

    def _new_ref(self):
        return "o%d" % (len(self.objects) + 1)

    def _plain_ref(self, obj, plain, cut):
        key = (class_name(type(obj)), repr(plain), cut)
        known = self._plain.get(key)
        if known is None:
            known = self._plain[key] = self._new_ref()
            fact = Fact(obj, 0, 0, self)
            fact.kind = PLAIN_KINDS.get(type(obj), "scalar")
            fact.values["literal"] = plain
            if cut:
                fact.values["cut"] = True
            if type(obj) in (str, bytes):
                fact.representation["length"] = len(obj)
            self.objects[known] = fact.to_json(None)
            self.budget.charge(90 + len(key[1]))
        return known

    def want_names(self, names, hop):
        """Global names that a user's function loads, to be looked up as if the cell had loaded them."""
        if hop <= self.call_depth:
            for name in names:
                self.wanted.setdefault(name, hop)

    def run(self):
        while self._queue:
            ref, obj, depth, hop = self._queue.popleft()
            why = self.budget.spent()
            if why is not None:
                self.budget.note(why)
                self.objects[ref] = {"kind": "omitted", "class": class_name(type(obj))}
                continue
            self.objects[ref] = self._describe(obj, depth, hop)

    def _describe(self, obj, depth, hop):
        fact = Fact(obj, depth, hop, self)
        describer = self.describer_of(obj)
        try:
            flags(obj, fact)
            describer(obj, fact, self)
        except Exception as error:
            self.budget.note(reasons.undescribed(fact.cls, type(error).__name__))
        bases = base_names(type(obj)) if depth <= 1 and not is_builtin_kind(obj) else None
        told = fact.to_json(bases)
        self.budget.charge(len(repr(told)))
        return told

    def describer_of(self, obj):
        for base in mro(type(obj)):
            found = self.describers.get(id(base))
            if found is not None:
                return found
        raise LookupError("object has no describer")

    def is_shallow(self, fact):
        return fact.depth > DEPTH


PLAIN_KINDS = {
    type(None): "none",
    bool: "bool",
    int: "int",
    float: "float",
    str: "str",
    bytes: "bytes",
    complex: "complex",
    type(Ellipsis): "ellipsis",
}


def is_builtin_kind(obj):
    cls = type(obj)
    return type(cls) is type and class_name(cls).find(".") < 0


def flags(obj, fact):
    """What the object's class allows, read off its special methods."""
    cls = type(obj)
    told = fact.representation
    told["callable"] = callable(obj)
    told["iterable"] = defines(cls, "__iter__") or (
        find_in_class(cls, "__iter__")[0] is MISSING and defines(cls, "__getitem__")
    )
    told["subscriptable"] = defines(cls, "__getitem__") or (is_class(obj) and _class_subscriptable(obj))
    told["hashable"] = defines(cls, "__hash__")


def _class_subscriptable(obj):
    return defines(obj, "__class_getitem__") or obj is type
