# SciPy sparse matrices and arrays: shape, format and stored values as the instance holds them.
from ..objects.lookup import class_name, instance_dict
from ..objects.sampling import of_array
from .numpy import dtype_name
from .registry import describes


@describes("scipy.sparse._base:_spbase", "scipy.sparse.base:spmatrix")
def describe_sparse(obj, fact, walk):
    fact.kind = "sparse"
    held = instance_dict(obj) or {}
    shape = held.get("_shape")
    if type(shape) is tuple:
        fact.representation["shape"] = [int(size) for size in shape]
        fact.representation["ndim"] = len(shape)
    data = held.get("data")
    if data is not None and class_name(type(data)) == "numpy.ndarray":
        fact.representation["dtype"] = dtype_name(data.dtype)
        fact.representation["stored"] = int(data.size)
        if data.dtype.kind in "biuf":
            of_array(data, walk.budget, fact.values)
