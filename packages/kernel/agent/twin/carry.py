# Takes the objects that a cell needs to a twin: pickled in a forked child of the kernel, so that no code of the user's runs
# in the live process. Functions and classes of the notebook go by value, through cloudpickle's own source. What cannot be
# carried as it is is named, and the twin is given up.
import builtins
import importlib
import io
import pickle
import sys
import types

from ..objects.lookup import class_dict, module_dict
from ..protocol import reasons
from . import (
    answering_objects,
    cached_functions,
    data_pipelines,
    idle_parts,
    keras_graphs,
    keras_places,
    loggers,
    memory,
    own_ways,
    row_samples,
    shared_attributes,
    tensors,
)
from .needed_names import OF_IPYTHON, loaded_by

BY_VALUE = "grus_cloudpickle"
LIBRARY = "grus_twin"
# cloudpickle takes these down as something else: a file as its text, a view as bytes.
OF_ANOTHER_KIND = (io.TextIOWrapper, memoryview)
NAMED = (type, types.FunctionType)


class CannotCarry(Exception):
    """Holds the reason, which names the object."""

    def __init__(self, reason):
        super().__init__()
        self.reason = reason


class TooLarge(Exception):
    """More than may be carried."""


def prepare(cloudpickle):
    """Make the modules importable that what is carried refers to, on both sides. `cloudpickle` is its source."""
    if BY_VALUE not in sys.modules:
        _make_module(BY_VALUE, cloudpickle)
    if LIBRARY not in sys.modules:
        _make_module(LIBRARY, SOURCE_OF_LIBRARY + memory.SOURCE)
    return sys.modules[LIBRARY]


def _make_module(name, source):
    """With Python's own `import`: the agent's hands out loaded modules only."""
    made = sys.modules[name] = types.ModuleType(name)
    made.__dict__["__builtins__"] = builtins
    exec(compile(source, "<grus %s>" % name, "exec"), made.__dict__)


def carry(objects, limit, fetched, namespace, most=0, beside=((), (), None, ())):
    """(one pickle of them all, in parts, the names of those of which only a sample of the rows is in it). What is above the
    limit even so is carried up to `most` bytes. `beside`: (tables of libraries with what they hold of the notebook's,
    names there with what they stand for, hooks of saved tensors, modules of the notebook), in the same pickle. Adds to the
    objects what code that was found in them loads from the namespace, and the classes and functions that were found: the
    cell may pickle what is made of them, which looks them up by their names. Raises CannotCarry."""
    while True:
        codes, namesakes, refusal = [], {}, None
        pickled, names = [], []
        try:
            pickled = _pickled(objects, limit, fetched, namespace, codes, namesakes, beside)
        except TooLarge:
            thinner, names = row_samples.sampled(objects)
            try:
                pickled = _pickled(thinner, max(limit, most), fetched, namespace, codes, namesakes, beside)
            except TooLarge:
                raise CannotCarry(reasons.too_large_to_carry(max(limit, most) >> 20)) from None
        except CannotCarry as error:
            refusal = error
        # What was refused may be one of these: a symbolic tensor goes with all the others that the cell needs.
        more = {**loaded_by(codes, namespace), **namesakes}
        if not more.keys() <= objects.keys():
            objects.update(more)
        elif refusal is not None:
            raise refusal
        else:
            return pickled, names


def can_be_carried(value, fetched, namespace):
    """Whether it can alone."""
    try:
        carrier_class()(io.BytesIO(), namespace, {}, fetched, [], {}, _memory([value], fetched)).dump(value)
        return True
    except Exception:
        return False


def _pickled(objects, limit, fetched, namespace, codes, namesakes, beside):
    symbolic, buffer = io.BytesIO(), _Limited(limit)
    carrier, lain_in = carrier_class(), _memory(objects.values(), fetched, limit)
    symbols = {id(tensor): number for number, tensor in enumerate(keras_graphs.symbolic_in(objects))}
    try:
        pickle.Pickler(symbolic, protocol=5).dump(keras_graphs.described(objects))
        whole = carrier(buffer, namespace, symbols, fetched, codes, namesakes, lain_in)
        tables, names, hooks, modules = beside
        whole.tables = {id(table): place for table, place, _ in tables}
        whole.replaced = {id(value) for place, value in names if _is_known_by(place, value)}
        whole.places = keras_places.places(objects, sys.modules[LIBRARY])
        whole.dump((objects, [(place, entries) for _, place, entries in tables], names, hooks, (lain_in.lent_out, modules)))
    except TooLarge:
        raise
    except Exception as error:
        alone = _memory(objects.values(), fetched)
        name, why = _culprit(objects, lambda file: carrier(file, namespace, symbols, fetched, [], {}, alone), error)
        raise CannotCarry(reasons.cannot_carry(name, "%s: %s" % (type(why).__name__, str(why)[:200]))) from error
    return [symbolic.getbuffer(), *lain_in.parts(), buffer.getbuffer()]


def _memory(values, fetched, limit=None):
    return memory.Memory(sys.modules[LIBRARY], values, limit, TooLarge, fetched.pinned)


class _Limited(io.BytesIO):
    def __init__(self, limit):
        super().__init__()
        self.limit = limit

    def write(self, data):
        if self.tell() + memoryview(data).nbytes > self.limit:
            raise TooLarge()
        return super().write(data)


def _culprit(objects, carrier, error):
    """(the name that cannot be carried even alone, its own error); no name when only together they cannot."""
    for name, value in objects.items():
        try:
            carrier(io.BytesIO()).dump(value)
        except Exception as own:
            return name, own
    return None, error


def carrier_class():
    """cloudpickle's pickler with what a twin needs beyond it."""
    by_value, made = sys.modules[BY_VALUE], sys.modules[LIBRARY]

    class Carrier(by_value.Pickler):
        def __init__(self, file, namespace, symbols, fetched, codes, namesakes, lain_in):
            super().__init__(file, protocol=5)
            self.lain_in = lain_in
            self.keras_parts, self.tables, self.replaced, self.places = set(), {}, set(), {}
            self.symbols, self.fetched, self.codes, self.namesakes = symbols, fetched, codes, namesakes
            self.namespace = namespace
            # Functions of the notebook find their globals in the twin's own notebook.
            self.globals_ref[id(namespace)] = made.Notebook()

        def reducer_override(self, value):
            self._refuse_what_is_lost(value)
            if _is_a_module_by_name(value):
                return importlib.import_module, (value.__name__,)
            if is_a_module_of_the_notebook(value):
                held = {name: part for name, part in vars(value).items() if name != "__builtins__"}
                return made.module_of_notebook, (value.__name__,), held, None, None, made.set_attributes
            if isinstance(value, NAMED) and value.__module__ == "__main__" and self.namespace.get(value.__name__) is value:
                self.namesakes[value.__name__] = value
            if id(value) in self.tables:
                return made.table_of_library, self.tables[id(value)]
            if id(value) in self.replaced:
                return self._dynamic_function_reduce(value)
            if id(value) in self.symbols:
                return made.symbolic_tensor, (self.symbols[id(value)],)
            if id(value) in self.places:
                return self.places[id(value)]
            if keras_graphs.is_saved_by_keras(value):
                # Keras makes it anew, for the weights that are to be trained by now, and may leave out what it kept.
                optimized = made.optimized_by(value)
                return made.saved_by_keras, (keras_graphs.own_code_of(value), *value.__reduce__()[:2], optimized)
            reduced = (
                tensors.reduced(value, self.fetched, made, self.lain_in)
                or self.lain_in.reduced(value)
                or data_pipelines.reduced(value, made, self.namespace)
                or idle_parts.reduced(value, made)
                or cached_functions.reduced(value, made, self.namespace)
                or loggers.reduced(value, made, lambda part: can_be_carried(part, self.fetched, self.namespace))
                or shared_attributes.reduced(value, made)
                or own_ways.reduced(value, made, self.dispatch_table)
                or answering_objects.reduced(value, made)
            )
            return self._of_slots(value, super().reducer_override(value)) if reduced is None else reduced

        def _dynamic_function_reduce(self, function):
            library = _library_of(function)
            if library is None:
                self.codes.append(function.__code__)
            else:
                self.globals_ref.setdefault(id(function.__globals__), made.Library(library))
            reduced = super()._dynamic_function_reduce(function)
            held = reduced[2][1]["__globals__"]
            for name in held.copy() if library is not None else OF_IPYTHON.intersection(held):
                del held[name]
            return reduced

        def _of_slots(self, value, reduced):
            """A class whose objects have the attributes that it names, and no others: it is made with them."""
            if reduced is NotImplemented or not isinstance(value, type) or reduced[0] is not by_value._make_skeleton_class:
                return reduced
            slots = class_dict(value).get("__slots__")
            make, (kind, name, bases, given, *rest), (state, more), *how = reduced
            if slots is None or _sets_slots_itself(name, bases, kind):
                return reduced
            own = {name for name, held in state.items() if type(held) is types.MemberDescriptorType}
            state = {name: held for name, held in state.items() if name != "__slots__" and name not in own}
            return make, (kind, name, bases, {**given, "__slots__": slots}, *rest), (state, more), *how

        def _refuse_what_is_lost(self, value):
            """Keras rebuilds each object by itself: what two of them share, or a symbolic tensor's history, is lost."""
            if isinstance(value, OF_ANOTHER_KIND):
                raise pickle.PicklingError("it would arrive as another kind of object")
            if keras_graphs.is_symbolic(value):
                if id(value) not in self.symbols:
                    raise pickle.PicklingError("a symbolic tensor of Keras")
                return
            if keras_graphs.is_saved_by_keras(value) and id(value) not in self.places:
                parts = keras_graphs.parts_of(value)
                if self.symbols or not self.keras_parts.isdisjoint(parts):
                    raise pickle.PicklingError("several objects of Keras that may share their parts")
                self.keras_parts |= parts

    return Carrier


def _is_known_by(place, value):
    """Whether a function goes by the name of what it has replaced, as a wrapper does: a twin has the other one there."""
    module, owner, name = place
    known = name if owner is None else "%s.%s" % (owner, name)
    return type(value) is types.FunctionType and (value.__module__, value.__qualname__) == (module, known)


def _is_a_module_by_name(value):
    """A module of a kind of its own, such as the settings of a library."""
    kind = type(value)
    return kind is not types.ModuleType and issubclass(kind, types.ModuleType) and sys.modules.get(value.__name__) is value


def is_a_module_of_the_notebook(value):
    """One that was made, not loaded, and that `import` finds all the same. A package answers for the parts of its own."""
    if type(value) is not types.ModuleType or value.__name__ == "__main__" or sys.modules.get(value.__name__) is not value:
        return False
    package = sys.modules.get(value.__name__.partition(".")[0], value)
    return all(vars(module).get("__spec__") is None and "__file__" not in vars(module) for module in (value, package))


def _sets_slots_itself(name, bases, kind):
    """Whether the bases are made into a class by something else than the kind of class that comes of it, as those of a
    NamedTuple are."""
    return types.prepare_class(name, types.resolve_bases(bases))[0] is not kind


def _library_of(function):
    """The module that a function was made in, when that can be imported there: what is global to it must be what is global
    to the library there, not a copy."""
    name = function.__globals__.get("__name__")
    module = sys.modules.get(name) if type(name) is str and name != "__main__" else None
    return name if module is not None and module_dict(module) is function.__globals__ else None


SOURCE_OF_LIBRARY = '''
import importlib, sys

class Notebook:
    """Stands for the namespace of the notebook."""
    def __reduce__(self):
        return notebook, ()

def notebook():
    return sys.modules["__main__"].__dict__

class Library:
    """Stands for the names of a module that can be imported."""
    def __init__(self, name):
        self.name = name
    def __reduce__(self):
        return names_of, (self.name,)

def names_of(name):
    return importlib.import_module(name).__dict__

def table_of_library(module, owner, name):
    held = importlib.import_module(module)
    return vars(held if owner is None else getattr(held, owner))[name]

SYMBOLIC = []

def symbolic_tensor(number):
    return SYMBOLIC[number]

def saved_by_keras(own, rebuild, given, optimized):
    """With the optimizer as it was: where it had not begun, it will be made for the weights that are to be trained then."""
    import keras
    with keras.saving.custom_object_scope(own):
        value = rebuild(*given)
        optimizer = getattr(value, "optimizer", None)
        if optimizer is not None and optimized is None:
            value.optimizer = type(optimizer).from_config(optimizer.get_config())
        elif optimizer is not None and optimized_by(value) != optimized:
            raise LookupError(optimizer.name)
    return value

def optimized_by(value):
    """The numbers of the weights that the optimizer of a model was made for; None where it has not begun."""
    optimizer = getattr(value, "optimizer", None)
    if not getattr(optimizer, "built", False):
        return None
    optimizer = getattr(optimizer, "inner_optimizer", optimizer)
    numbers = {id(weight): number for number, weight in enumerate(value.weights)}
    return [numbers.get(id(weight)) for weight in optimizer._trainable_variables]

def layer_of_keras(whole, number, kind, name):
    layer = whole._flatten_layers(include_self=False)[number]
    if (type(layer).__name__, layer.name) != (kind, name):
        raise LookupError(name)
    return layer

def graph_of_keras(whole, inputs, outputs, name, trainable, names):
    import keras
    layers = whole._flatten_layers(include_self=False)
    def at(ends):
        if isinstance(ends, list):
            return [at(end) for end in ends]
        return layers[ends[0]]._inbound_nodes[0].output_tensors[ends[1]]
    made = keras.Model(at(inputs), at(outputs), name=name)
    made._trainable = trainable
    if [layer.name for layer in made.layers] != names:
        raise LookupError(name)
    return made

def tensors_again(method, tensors, structure, extra):
    import tensorflow as tf
    whole = tf.nest.pack_sequence_as(structure, tensors)
    return same_again(getattr(tf.data.Dataset, method)(whole), extra)

def step_again(before, method, given, named, extra, loaded=()):
    import tensorflow as tf
    notebook().update(loaded)
    return same_again(getattr(tf.data.Dataset if before is None else before, method)(*given, **named), extra)

def same_again(pipeline, extra):
    for name, value in extra.items():
        setattr(pipeline, name, value)
    return pipeline

def new_lock(again):
    import threading
    return threading.RLock() if again else threading.Lock()

WEAK = {}

class Gone:
    pass

def weak_reference(*referred):
    import weakref
    if not referred:
        return weakref.ref(Gone())
    WEAK[id(referred[0])] = referred[0]
    return weakref.ref(referred[0])

def let_go_of_held():
    """What somebody else here holds is theirs to keep. The rest is held in the kernel by what stayed there, such as the last
    traceback, and stays."""
    by_this_call = 2
    for key in list(WEAK):
        referred = WEAK.pop(key)
        if sys.getrefcount(referred) <= by_this_call:
            WEAK[key] = referred

def weak_proxy(referred):
    import weakref
    WEAK[id(referred)] = referred
    return weakref.proxy(referred)

def module_of_notebook(name):
    import types
    return sys.modules.setdefault(name, types.ModuleType(name))

LENT = []

def lend_out(keepers):
    """Bytes that somebody looks at cannot be moved. Who does may have stayed in the kernel."""
    for keeper in keepers:
        if not is_lent_out(keeper):
            LENT.append(memoryview(keeper))

def is_lent_out(keeper):
    """One byte less and one more leaves them where they are: torch looks at them too, and does not say so."""
    try:
        keeper.append(keeper.pop())
    except BufferError:
        return True
    return False

def hold_weakly(collection, given):
    referred, entries = given
    for value in referred:
        WEAK[id(value)] = value
    collection.update(entries)

def object_of_shared_attributes(kind, owner, name):
    made = object.__new__(kind)
    made.__dict__ = getattr(owner, name)
    return made

def generator_again(name, given):
    return getattr(type(given[0]), name)(*given)

def new_object(kind):
    return object.__new__(kind)

def set_attributes(value, attributes):
    value.__dict__.update(attributes)

def set_state_and_left_out(value, given):
    """What the state left out comes after it, where it was not made anew, or made without what was in it."""
    state, left_out = given
    (getattr(value, "__setstate__", None) or value.__dict__.update)(state)
    held = value.__dict__
    for name, kept in left_out.items():
        if name not in held or isinstance(kept, (dict, list, set)) and type(held[name]) is type(kept) and not held[name]:
            held[name] = kept

class TableOfObjects:
    """Stands for a dictionary whose keys are addresses."""
    def __init__(self, empty, pairs):
        self.parts = empty, pairs
    def __reduce__(self):
        return table_of_objects, self.parts

def table_of_objects(table, pairs):
    table.update((id(value), held) for value, held in pairs)
    return table

STORAGES = []
LOST = []

def note_lost(_):
    LOST.append(True)

LOST_STEPS, RETAINED = 1, 2

def grown(made, gradient, lost):
    """With its gradient. Where the steps that led to it are left behind, it is noted when a gradient would go their way."""
    if lost:
        made.register_hook(note_lost)
        made = made.clone()
        if lost == RETAINED:
            made.retain_grad()
    if gradient is not None:
        made.grad = gradient
    return made

def made_again(rebuild, arguments, gradient, lost):
    made = rebuild(*arguments)
    again = grown(made, gradient, lost)
    if hasattr(made, "grus_device"):
        again.grus_device = made.grus_device
    return again

def wanting(made, gradient, parameter):
    import torch
    if parameter:
        return torch.nn.Parameter(made, gradient)
    return made.requires_grad_(True) if gradient else made

def make_tensor(copy, shape, kind, device, wants, parameter, gradient, lost):
    import torch
    made = torch.zeros(shape, dtype=getattr(torch, kind)) if copy is None else copy
    made = grown(wanting(made, wants, parameter), gradient, lost)
    made.grus_device = device
    return made

# Where what was on the CPU is, in a twin that only pretends to have a GPU.
PLACED = []

def noted_of(made, noted):
    made.__dict__.update(noted)
    for place in PLACED:
        made.grus_device = place
    return made

def turned(made, conjugate, negative):
    import torch
    made = made.conj() if conjugate else made
    return torch._neg_view(made) if negative else made

def tensor_on(storage, device, shape, stride, offset, kind, conjugate, negative, wants, parameter, gradient, lost, noted):
    import torch
    made = torch.empty(0, dtype=getattr(torch, kind), device=device)
    if storage is None:
        made = torch.empty_strided(shape, stride, dtype=made.dtype, device=device)
    else:
        made.set_(STORAGES[storage] if type(storage) is int else storage, offset, shape, stride)
    return noted_of(grown(wanting(turned(made, conjugate, negative), wants, parameter), gradient, lost), noted)

def view_of(base, shape, stride, offset, kind, conjugate, negative, noted):
    import torch
    made = base if base.dtype == getattr(torch, kind) else torch.view_as_real(base)
    return noted_of(turned(made.as_strided(shape, stride, offset), conjugate, negative), noted)

def sparse_tensor(indices, values, shape, coalesced, wants, parameter, gradient, lost):
    import torch
    made = torch.sparse_coo_tensor(indices, values, shape, is_coalesced=coalesced, check_invariants=False)
    return grown(wanting(made, wants, parameter), gradient, lost)

def generator(device, state):
    import torch
    made = torch.Generator(device=device)
    made.set_state(torch.frombuffer(bytearray(state), dtype=torch.uint8))
    return made

def cached_function(function, maxsize, calls, hits, misses):
    """What was kept is put in through the cache itself; calls that were kept no longer, or came to nothing, are counted."""
    import functools
    told = []
    def once(*args, **kwargs):
        if not told:
            return function(*args, **kwargs)
        result, = told.pop()
        return result
    again = functools.update_wrapper(functools.lru_cache(maxsize)(once), function)
    for _ in range(misses - len(calls)):
        told.append(())
        try:
            again()
        except ValueError:
            pass
    for args, kwargs, result in calls:
        told.append((result,))
        again(*args, **kwargs)
    for _ in range(hits if calls else 0):
        again(*args, **kwargs)
    return again

STREAMS = {}

def stream(device, address):
    """The same for the same stream of the kernel's."""
    import torch
    if (device, address) not in STREAMS:
        STREAMS[device, address] = torch.cuda.Stream(device) if address else torch.cuda.default_stream(device)
    return STREAMS[device, address]

def made_for_inference(rebuild, arguments):
    import torch
    with torch.inference_mode():
        return rebuild(*arguments)

def set_hooks(made, hooks):
    for name, held in hooks.items():
        setattr(made, name, held)

def dual_tensor(primal, tangent):
    import torch.autograd.forward_ad
    return torch.autograd.forward_ad.make_dual(primal, tangent)
'''
