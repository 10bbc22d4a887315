# What a twin needs of the kernel: the objects that the cell names, directly or through functions it calls. Pickled in a
# forked child of the kernel, so that no code of the user's runs in the live process; functions and classes of the
# notebook go by value. What cannot be carried faithfully is named, and the twin is given up.
import importlib
import io
import marshal
import pickle
import sys
import types

from ..protocol import reasons
from . import gpu_tensors, keras_graphs, row_samples

MEMBERS_LEFT_OUT = frozenset(("__dict__", "__weakref__", "__module__", "__doc__", "__annotations_cache__"))
LIBRARY = "grus_twin"
OF_IPYTHON = frozenset(("In", "Out", "get_ipython", "exit", "quit", "open"))
LOOKS_AROUND = frozenset(("globals", "locals", "vars", "dir", "eval", "exec"))


class CannotCarry(Exception):
    """`reason` says which name, and why."""

    def __init__(self, reason):
        super().__init__(reason["code"])
        self.reason = reason


def needed_names(sources, shell):
    """Global names that the cells load and those that functions and classes of the notebook load, that exist."""
    pieces = []
    for source in sources:
        try:
            pieces.append(compile(shell.transform_cell(source), "<cell>", "exec", flags=0x2000, dont_inherit=True))
        except SyntaxError:
            continue
    return _loaded_by(pieces, shell.user_ns)


def _loaded_by(pending, namespace):
    """What the code loads, by name, and what the code in that loads."""
    found, seen = {}, set()
    while pending:
        code = pending.pop()
        if id(code) in seen:
            continue
        seen.add(id(code))
        pending.extend(constant for constant in code.co_consts if isinstance(constant, types.CodeType))
        for name in code.co_names:
            if name in LOOKS_AROUND:
                found.update((other, value) for other, value in namespace.items() if _is_carried(other))
            if name in namespace and name not in found and name not in OF_IPYTHON:
                found[name] = namespace[name]
                pending.extend(_code_in(namespace[name]))
    return found


def _is_carried(name):
    return not name.startswith("_") and name not in OF_IPYTHON


def _code_in(value):
    if isinstance(value, types.FunctionType) and value.__module__ == "__main__":
        return [value.__code__]
    classes = [value] if isinstance(value, type) else type(value).__mro__
    return [
        member.__code__
        for cls in classes
        if cls.__module__ == "__main__"
        for member in vars(cls).values()
        if isinstance(member, types.FunctionType)
    ]


def carry(objects, limit, fetched=None, namespace=None):
    """(one pickle of them all, the names of those of which only a sample of the rows is in it). Adds to the objects what
    code that was found in them loads from the namespace. Raises CannotCarry."""
    sys.modules[LIBRARY] = library()
    while True:
        codes = []
        try:
            pickled, names = _pickled(objects, limit, fetched, codes), []
        except TooLarge:
            thinner, names = row_samples.sampled(objects)
            try:
                pickled = _pickled(thinner, limit, fetched, codes)
            except TooLarge:
                raise CannotCarry(reasons.too_large_to_carry(limit >> 20)) from None
        more = _loaded_by(codes, namespace or {})
        if more.keys() <= objects.keys():
            return pickled, names
        objects.update(more)


def _pickled(objects, limit, fetched, codes):
    buffer = _Limited(limit)
    try:
        told = keras_graphs.described(objects)
        pickle.Pickler(buffer, protocol=5).dump(told)
        symbols = {id(tensor): number for number, tensor in enumerate(keras_graphs.symbolic_in(objects))}
        _Carrier(buffer, symbols, codes, fetched).dump(objects)
    except TooLarge:
        raise
    except Exception as error:
        raise CannotCarry(_culprit(objects, error)) from error
    return buffer.getbuffer()


class TooLarge(Exception):
    """More than may be carried."""


class _Limited(io.BytesIO):
    def __init__(self, limit):
        super().__init__()
        self.limit = limit

    def write(self, data):
        if self.tell() + memoryview(data).nbytes > self.limit:
            raise TooLarge()
        return super().write(data)


def _culprit(objects, error):
    for name, value in objects.items():
        try:
            symbols = {id(tensor): 0 for tensor in keras_graphs.symbolic_in(objects)}
            _Carrier(io.BytesIO(), symbols, []).dump(value)
        except Exception as own:
            return reasons.cannot_carry(name, "%s: %s" % (type(own).__name__, str(own)[:200]))
    return reasons.cannot_carry(None, str(error)[:200])


class _Carrier(pickle.Pickler):
    def __init__(self, buffer, symbols, codes, fetched=None):
        super().__init__(buffer, protocol=5)
        self.keras_objects = 0
        self.symbols, self.codes, self.fetched = symbols, codes, fetched

    def reducer_override(self, value):
        self._refuse_shared_parts(value)
        made = sys.modules[LIBRARY]
        if isinstance(value, types.ModuleType):
            return importlib.import_module, (value.__name__,)
        if type(value) is types.FunctionType and _by_value(value):
            self.codes.append(value.__code__)
            arguments = (marshal.dumps(value.__code__), value.__name__, value.__qualname__, value.__module__)
            state = (value.__defaults__, value.__kwdefaults__, value.__closure__, vars(value))
            cells = 0 if value.__closure__ is None else len(value.__closure__)
            return made.make_function, (*arguments, cells), state, None, None, made.fill_function
        if type(value) is types.CellType:
            return made.make_cell, (), value.cell_contents, None, None, made.fill_cell
        if isinstance(value, type) and _by_value(value):
            members = {name: held for name, held in vars(value).items() if name not in MEMBERS_LEFT_OUT}
            return (
                made.make_class,
                (type(value), value.__name__, value.__bases__, value.__module__),
                members,
                None,
                None,
                made.fill_class,
            )
        if type(value) is property:
            return property, (value.fget, value.fset, value.fdel)
        if type(value) is classmethod or type(value) is staticmethod:
            return type(value), (value.__func__,)
        if id(value) in self.symbols:
            return made.symbolic_tensor, (self.symbols[id(value)],)
        return gpu_tensors.reduced(value, self.fetched, made) or NotImplemented

    def _refuse_shared_parts(self, value):
        """Keras rebuilds each object by itself: what two of them share, or a symbolic tensor's history, is lost."""
        if keras_graphs.is_symbolic(value) and id(value) not in self.symbols:
            raise pickle.PicklingError("a symbolic tensor of Keras")
        saving = sys.modules.get("keras.src.saving.keras_saveable")
        if saving is not None and isinstance(value, saving.KerasSaveable) and not keras_graphs.is_symbolic(value):
            self.keras_objects += 1
            if self.keras_objects > (0 if self.symbols else 1):
                raise pickle.PicklingError("several objects of Keras that may share their parts")


def _by_value(value):
    """Whether another process could not import it."""
    if value.__module__ in (None, "__main__"):
        return True
    module = sys.modules.get(value.__module__)
    held = module
    for part in value.__qualname__.split("."):
        held = getattr(held, part, None)
    return held is not value


SOURCE_OF_LIBRARY = '''
import marshal, sys, types

def make_function(code, name, qualified, module, cells):
    code = marshal.loads(code)
    namespace = sys.modules["__main__"].__dict__
    closure = tuple(types.CellType() for _ in range(cells)) if cells else None
    made = types.FunctionType(code, namespace, name, None, closure)
    made.__qualname__, made.__module__ = qualified, module
    return made

def fill_function(made, state):
    made.__defaults__, made.__kwdefaults__, closure, members = state
    for own, carried in zip(made.__closure__ or (), closure or ()):
        own.cell_contents = carried.cell_contents
    made.__dict__.update(members)

SYMBOLIC = []

def symbolic_tensor(number):
    return SYMBOLIC[number]

def make_tensor(copy, shape, kind, gradient, parameter, device):
    import torch
    made = torch.zeros(shape, dtype=getattr(torch, kind)) if copy is None else copy
    if parameter:
        made = torch.nn.Parameter(made, gradient)
    elif gradient:
        made.requires_grad_(True)
    made.grus_device = device
    return made

def make_cell():
    return types.CellType()

def fill_cell(cell, content):
    cell.cell_contents = content

def make_class(kind, name, bases, module):
    return types.new_class(name, bases, {"metaclass": kind}, lambda members: members.update(__module__=module))

def fill_class(made, members):
    for name, value in members.items():
        try:
            setattr(made, name, value)
        except (AttributeError, TypeError):
            pass
'''


def library():
    made = types.ModuleType(LIBRARY)
    exec(SOURCE_OF_LIBRARY, made.__dict__)
    return made
