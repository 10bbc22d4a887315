# Pipelines of tf.data on their way to a twin. They cannot be pickled, but each step remembers what it was made from: the
# step before, its numbers, and the function as the notebook wrote it. The twin makes the steps again through the public
# methods. Nothing is drawn from a pipeline, and no op is run: this happens in a forked child of the kernel.
import pickle
import sys
import types

from .needed_names import loaded_by

# Class of a step: the method that makes it, and the attributes that hold its arguments.
STEPS = {
    "_MapDataset": ("map", {"map_func": "_map_func"}),
    "_ParallelMapDataset": ("map", {"map_func": "_map_func", "num_parallel_calls": "_num_parallel_calls"}),
    "_FilterDataset": ("filter", {"predicate": "_predicate"}),
    "_FlatMapDataset": ("flat_map", {"map_func": "_map_func"}),
    "_InterleaveDataset": (
        "interleave",
        {"map_func": "_map_func", "cycle_length": "_cycle_length", "block_length": "_block_length"},
    ),
    "_BatchDataset": ("batch", {"batch_size": "_batch_size", "drop_remainder": "_drop_remainder"}),
    "_ParallelBatchDataset": ("batch", {"batch_size": "_batch_size", "drop_remainder": "_drop_remainder"}),
    "_PaddedBatchDataset": (
        "padded_batch",
        {
            "batch_size": "_batch_size",
            "padded_shapes": "_padded_shapes",
            "padding_values": "_padding_values",
            "drop_remainder": "_drop_remainder",
        },
    ),
    "_ShuffleDataset": (
        "shuffle",
        {"buffer_size": "_buffer_size", "reshuffle_each_iteration": "_reshuffle_each_iteration"},
    ),
    "_RepeatDataset": ("repeat", {"count": "_count"}),
    "_PrefetchDataset": ("prefetch", {"buffer_size": "_buffer_size"}),
    "_TakeDataset": ("take", {"count": "_count"}),
    "_SkipDataset": ("skip", {"count": "_count"}),
    "_ShardDataset": ("shard", {"num_shards": "_num_shards", "index": "_index"}),
    "CacheDataset": ("cache", {"filename": "_filename"}),
    "_ConcatenateDataset": ("concatenate", {"dataset": "_dataset_to_concatenate"}),
}
FROM_GENERATOR = ("from_generator", "flat_map_fn")


def reduced(value, made, namespace):
    """How to make the pipeline again; None of anything else. Raises PicklingError where a step is not known."""
    operations = sys.modules.get("tensorflow.python.data.ops.dataset_ops")
    if operations is None or not isinstance(value, operations.DatasetV2):
        return None
    held = vars(value)
    # What was hung on it: the names of the classes that a folder of images has, say.
    extra = {name: item for name, item in held.items() if not name.startswith("_")}
    name = type(value).__name__
    if name in ("_TensorSliceDataset", "_TensorDataset"):
        method = "from_tensor_slices" if name == "_TensorSliceDataset" else "from_tensors"
        return made.tensors_again, (method, held["_tensors"], held["_structure"], extra)
    if name == "_RangeDataset":
        return made.step_again, (None, "range", (held["_start"], held["_stop"], held["_step"]), {}, extra)
    if name == "_ZipDataset":
        return made.step_again, (None, "zip", (held["_datasets"],), {}, extra)
    if name == "_OptionsDataset":
        # Options say how fast, not what.
        return made.same_again, (held["_input_dataset"], extra)
    generator = _generator_of(held) if name == "_FlatMapDataset" else None
    if generator is not None:
        signature = {"output_signature": value.element_spec}
        return made.step_again, (None, "from_generator", (generator,), signature, extra)
    if name not in STEPS:
        raise pickle.PicklingError("a pipeline of tf.data with the step %s" % name)
    method, arguments = STEPS[name]
    given = {argument: _argument(held[attribute]) for argument, attribute in arguments.items()}
    # A step follows its function when it is made: what that loads from the notebook must be there before.
    codes = [item.__code__ for item in given.values() if type(item) is types.FunctionType]
    return made.step_again, (held["_input_dataset"], method, (), given, extra, loaded_by(codes, namespace))


def _argument(value):
    """The notebook's own function in place of what was compiled of it, a plain number in place of a tensor of one."""
    if type(value).__name__ == "StructuredFunctionWrapper":
        return value._func
    if type(value).__name__ == "EagerTensor" and value.shape == ():
        plain = value._numpy()
        plain = plain.item() if hasattr(plain, "item") else plain
        return plain.decode() if isinstance(plain, bytes) else plain
    return value


def _generator_of(held):
    """The function that a pipeline draws from, when a generator of Python feeds it without arguments."""
    function = _argument(held["_map_func"])
    if not all(part in getattr(function, "__qualname__", "") for part in FROM_GENERATOR):
        return None
    asks = _closed_over(function).get("get_iterator_id_fn")
    around = {**_closed_over(function), **(_closed_over(asks) if asks else {})}
    state = around.get("generator_state")
    if state is None or around.get("args"):
        raise pickle.PicklingError("a pipeline of tf.data that is fed by a generator with arguments")
    return state._generator


def _closed_over(function):
    return dict(zip(function.__code__.co_freevars, (cell.cell_contents for cell in function.__closure__ or ())))
