# NumPy arrays, dtypes and random generators. Subclasses are looked at through a plain view; memory maps are not read.
import sys
import types

from ..objects.callables import of_callable
from ..objects.literals import label
from ..objects.lookup import class_name, instance_dict, is_a
from ..objects.sampling import of_array
from .builtins import tell_attributes
from .registry import at_location, describes


@describes("numpy:ndarray")
def describe_array(obj, fact, walk):
    numpy = sys.modules["numpy"]
    plain = numpy.ndarray.view(obj, numpy.ndarray) if type(obj) is not numpy.ndarray else obj
    fact.kind = "ndarray"
    fact.representation["dtype"] = dtype_name(plain.dtype)
    fact.representation["shape"] = list(plain.shape)
    fact.representation["ndim"] = plain.ndim
    fact.representation["bytes"] = int(plain.nbytes)
    if plain.ndim:
        fact.representation["length"] = plain.shape[0]
    fields = plain.dtype.names
    if fields:
        fact.structural["keys"] = [label(name) for name in fields]
    memmap = vars(numpy).get("memmap")
    if not walk.is_shallow(fact) and type(obj) is not memmap and not _is_masked(obj):
        of_array(plain, walk.budget, fact.values)


def _is_masked(obj):
    masked = at_location("numpy.ma:MaskedArray")
    return masked is not None and type(obj) is masked


def dtype_name(dtype):
    """Name of a NumPy dtype; other libraries' dtypes by their class."""
    numpy = sys.modules.get("numpy")
    if numpy is not None and is_a(dtype, numpy.dtype):
        return str(dtype)
    return class_name(type(dtype))


@describes("numpy:dtype")
def describe_dtype(obj, fact, walk):
    fact.kind = "dtype"
    fact.values["literal"] = dtype_name(obj)


@describes("numpy:generic")
def describe_scalar(obj, fact, walk):
    """NumPy scalars that have no plain form: complex, void, object."""
    fact.kind = "scalar"
    fact.representation["dtype"] = class_name(type(obj))


@describes("numpy:ufunc")
def describe_ufunc(obj, fact, walk):
    fact.kind = "builtin"
    fact.representation["name"] = obj.__name__
    fact.representation["signature"] = None


@describes("numpy.random:Generator", "numpy.random:RandomState")
def describe_generator(obj, fact, walk):
    fact.kind = "random_generator"


@describes("numpy._core._multiarray_umath:_ArrayFunctionDispatcher")
def describe_dispatcher(obj, fact, walk):
    """A NumPy function that others may override: it binds arguments as the Python function it wraps."""
    held = instance_dict(obj) or {}
    wrapped = held.get("__wrapped__")
    fact.representation["signature"] = of_callable(wrapped) if type(wrapped) is types.FunctionType else None
    tell_attributes(obj, fact, walk, skip=("__doc__", "__annotations__", "__wrapped__"))
