# TensorFlow tensors, variables and tf.data pipelines. Shapes and dtypes are metadata; values are read of small CPU
# tensors only; nothing is drawn from a dataset and no op is run.
from ..objects.lookup import attribute_value, class_module, class_name, instance_dict, is_a
from ..objects.sampling import of_array
from .registry import at_location, describes

VALUES_UP_TO = 65_536
EAGER = "tensorflow.python.framework.ops:EagerTensor"


@describes(EAGER)
def describe_eager(obj, fact, walk):
    fact.kind = "tf_tensor"
    if type(obj) is not at_location(EAGER):
        return
    shape = list(obj._shape_tuple())
    fact.representation["shape"] = shape
    fact.representation["ndim"] = len(shape)
    fact.representation["dtype"] = obj.dtype.name
    fact.representation["device"] = obj.device
    size = 1
    for extent in shape:
        size *= extent
    is_number = obj.dtype.is_floating or obj.dtype.is_integer or obj.dtype.is_bool
    if is_number and "CPU" in obj.device and size <= VALUES_UP_TO and not walk.is_shallow(fact):
        array = obj._numpy()
        if class_name(type(array)) == "numpy.ndarray":
            of_array(array, walk.budget, fact.values)


@describes("tensorflow.python.framework.tensor:Tensor")
def describe_symbolic(obj, fact, walk):
    fact.kind = "tf_tensor"


@describes("tensorflow.python.ops.resource_variable_ops:BaseResourceVariable")
def describe_variable(obj, fact, walk):
    fact.kind = "tf_variable"
    held = instance_dict(obj) or {}
    shape = dims_of(held.get("_shape"))
    if shape is not None:
        fact.representation["shape"] = shape
        fact.representation["ndim"] = len(shape)
    tell_dtype(held.get("_dtype"), fact)


def tell_dtype(dtype, fact):
    kind = at_location("tensorflow.python.framework.dtypes:DType")
    if kind is not None and is_a(dtype, kind):
        fact.representation["dtype"] = dtype.name


def dims_of(shape):
    """Sizes of a TensorShape; None for a free dimension, and None altogether when the rank is unknown."""
    dims = attribute_value(shape, "_dims")
    if type(dims) is not tuple and type(dims) is not list:
        return None
    return [size if type(size) is int else None for size in dims]


@describes("tensorflow.python.data.ops.dataset_ops:DatasetV2")
def describe_dataset(obj, fact, walk):
    fact.kind = "tf_dataset"
    if not class_module(type(obj)).startswith("tensorflow.python.data."):
        return
    specs = []
    if flatten(obj.element_spec, specs):
        fact.representation["element_spec"] = specs


def flatten(structure, into):
    """The tensor specs of an element, in order; False when something else is among them."""
    if type(structure) is tuple or type(structure) is list:
        return all(flatten(part, into) for part in structure)
    if type(structure) is dict:
        return all(flatten(structure[key], into) for key in structure)
    if class_name(type(structure)) != "tensorflow.python.framework.tensor.TensorSpec":
        return False
    into.append({"shape": dims_of(structure.shape), "dtype": structure.dtype.name})
    return True
