# Inside a twin of a kernel that uses a GPU, on which the twin has no hold: every tensor is on the CPU, and remembers on
# which device it would be. Code that asks is told what the kernel would tell it, and what surely fails there for the sake
# of devices fails here too. Where the twin can only guess, nothing that happens from then on proves anything.
import pickle
import re

GPU = re.compile(r"^(cuda|xpu|mps|hip)(:\d+)?$")
PLACE = "grus_device"
LACKING = "grus_lacks_values"
HERE = "cpu"
ANSWERED_WITH_NONE = (
    "synchronize empty_cache manual_seed manual_seed_all seed seed_all reset_peak_memory_stats ipc_collect init "
    "_lazy_init set_device reset_max_memory_allocated"
).split()
ANSWERED = {"is_available": True, "is_initialized": True, "is_bf16_supported": True, "current_device": 0}
ANSWERED["is_current_stream_capturing"] = False
NUMBERS = (
    "memory_allocated max_memory_allocated memory_reserved max_memory_reserved memory_cached max_memory_cached utilization "
    "temperature power_draw"
).split()
MOVES = frozenset(("to", "cpu", "cuda", "xpu", "type_as"))
TO_THE_HOST = frozenset(("numpy", "__array__"))
# What gives the values, or their address, to others than torch; and what only shows them.
GIVEN_AWAY = TO_THE_HOST.union("tolist data_ptr storage untyped_storage _typed_storage __dlpack__ __reduce_ex__".split())
SHOWN = frozenset(("__repr__", "__format__"))
OF_PLACES = frozenset(("device", "is_cuda", "is_cpu", "get_device"))
# Functions that take tensors of one device only, whatever else they are given.
OPERATORS = "add sub mul truediv floordiv mod pow matmul eq ne lt le gt ge and or".split()
NEEDS_ONE_PLACE = frozenset(
    [
        *OPERATORS,
        *("__%s__" % name for name in OPERATORS),
        *("__r%s__" % name for name in OPERATORS),
        *("__i%s__" % name for name in OPERATORS),
        *("%s_" % name for name in ("add", "sub", "mul", "div", "addcmul", "addcdiv", "lerp")),
        *"div true_divide mm bmm mv dot addmm baddbmm maximum minimum cat concat stack linear conv1d conv2d conv3d".split(),
        *"embedding cross_entropy nll_loss mse_loss l1_loss smooth_l1_loss huber_loss binary_cross_entropy".split(),
        *"binary_cross_entropy_with_logits kl_div where gather index_select scatter scatter_add masked_fill einsum".split(),
        *"outer addcmul addcdiv lerp logical_and logical_or cdist cosine_similarity layer_norm group_norm".split(),
        *"batch_norm stft grid_sample conv_transpose1d conv_transpose2d conv_transpose3d".split(),
    ]
)
# Functions that take tensors of one floating-point type only, on every device.
NEEDS_ONE_TYPE = frozenset("linear conv1d conv2d conv3d mm bmm mv addmm baddbmm matmul __matmul__ __rmatmul__".split())
MAY_MIX = re.compile(r"^(copy_|__set__|set_|__setstate__|load_state_dict|_(has|is)_\w+)$")
ABOUT_SIZES = re.compile(r"shape|size|dimension|channels|must match|1D|2D|3D|batch", re.IGNORECASE)
ABOUT_TYPES = re.compile(r"dtype|scalar type|not implemented|allocate", re.IGNORECASE)
ABOUT_GRAPHS = re.compile(r"graph a second time|requires? grad|inplace operation|only for scalar outputs", re.IGNORECASE)
# Of gradients in a copy of a kernel that had some computed for a GPU.
IN_A_FORK = "fork-based multiprocessing"
TWO_DEVICES = "Expected all tensors to be on the same device, but found at least two devices, %s and cpu!"
NO_SUCH_DEVICE = "CUDA error: invalid device ordinal"
OTHER_GENERATOR = "Expected a '%s' device type for generator but found 'cpu'"
ASKED_FOR = re.compile(r"allocate (\d+) bytes")
BEYOND_THE_CARD = "CUDA out of memory. Tried to allocate %.2f GiB. The whole GPU has %.2f GiB."
GIGA = 1 << 30
TO_NUMPY = "can't convert %s device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first."


class PretendedGpu:
    """`strayed` says what happened whose outcome may differ in the kernel; `coarse` whether numbers have another precision
    here; `certain` is the last exception that would surely come there too. `where` is the place of what torch is doing now,
    `shows` whether it only shows values. `filled`: memory that was written to with values that are missing."""

    def __init__(self):
        self.strayed = None
        self.coarse = False
        self.certain = None
        self.where = None
        self.shows = False
        self.filled = set()

    def stray(self, what):
        self.strayed = self.strayed or what

    def lacks(self, tensor):
        return lacks_values(tensor) or (bool(self.filled) and memory_of(tensor) in self.filled)

    def read(self):
        """Somebody looks at values that are missing."""
        if not self.shows:
            self.stray("values")

    def fail(self, error):
        self.know(error)
        raise error

    def know(self, error):
        self.certain = error
        error.grus_certain = True


def carried_here(pieces, library):
    """Unpickle what was carried: what the kernel has on the CPU is known to be there."""
    import torch._utils

    def placed(rebuild):
        def rebuilt(*args, **kwargs):
            made = rebuild(*args, **kwargs)
            setattr(made, PLACE, HERE)
            return made

        return rebuilt

    names = ("_rebuild_tensor_v2", "_rebuild_parameter")
    before = [getattr(torch._utils, name) for name in names]
    for name, rebuild in zip(names, before):
        setattr(torch._utils, name, placed(rebuild))
    library.PLACED.append(HERE)
    try:
        return pickle.load(pieces)
    finally:
        library.PLACED.clear()
        for name, rebuild in zip(names, before):
            setattr(torch._utils, name, rebuild)


def settle(gpus):
    """From now on a GPU that is spoken of is there, and is the CPU."""
    import importlib

    torch, gpu = importlib.import_module("torch"), PretendedGpu()
    gpu.coarse = torch.is_autocast_enabled()
    _pretend(torch, gpu, gpus)
    _keep_places_of_parameters(torch)
    _mode(torch, gpu, gpus).__enter__()
    return gpu


def _pretend(torch, gpu, gpus):
    cuda = torch.cuda

    def answering(answer, surely):
        # One function each: torch keeps a table of them.
        def function(*args, **kwargs):
            if not surely:
                gpu.stray("state")
            return answer

        return function

    known = {**dict.fromkeys(ANSWERED_WITH_NONE), **ANSWERED, "device_count": len(gpus)}
    for answers, surely in ((known, True), (dict.fromkeys(NUMBERS, 0), False)):
        for name, answer in answers.items():
            if hasattr(cuda, name):
                setattr(cuda, name, answering(answer, surely))
    cuda._get_device_properties = lambda index: _Properties(gpus[index], gpu)
    autocast = torch.amp.autocast_mode.autocast
    begin = autocast.__init__

    def begin_here(self, device_type, *args, **kwargs):
        if GPU.match(str(device_type)):
            gpu.coarse = True
            device_type, args, kwargs = HERE, (), {"enabled": False}
        begin(self, device_type, *args, **kwargs)

    autocast.__init__ = begin_here
    torch.backends.cudnn.is_acceptable = lambda tensor: False
    load = torch.load

    def load_here(*args, **kwargs):
        if kwargs.get("map_location", args[1] if len(args) > 1 else None) not in (HERE, torch.device(HERE)):
            gpu.stray("loading")
        return load(*args, **kwargs)

    torch.load = load_here


class _Properties:
    """What is known of a GPU."""

    def __init__(self, known, gpu):
        self.__dict__.update(known)
        self._gpu = gpu

    def __getattr__(self, name):
        self._gpu.stray("state")
        raise AttributeError(name)


def _keep_places_of_parameters(torch):
    make = torch.nn.Parameter.__new__

    def make_in_place(cls, data=None, requires_grad=True):
        made = make(cls, data, requires_grad)
        _put(made, HERE if data is None else _place(data))
        _empty(made, lacks_values(data))
        return made

    torch.nn.Parameter.__new__ = make_in_place


def _place(tensor):
    """Where it would be; None when that is not known."""
    return getattr(tensor, "__dict__", {}).get(PLACE)


def _put(tensor, place):
    if place is not None or _place(tensor) is not None:
        setattr(tensor, PLACE, place)


def _empty(tensor, lacking):
    if lacking:
        setattr(tensor, LACKING, True)


def lacks_values(tensor):
    return LACKING in getattr(tensor, "__dict__", {})


def memory_of(tensor):
    """Tensors that share it have the same; None where there is no such thing."""
    import torch

    try:
        with torch._C.DisableTorchFunction():
            return tensor.untyped_storage().data_ptr()
    except (RuntimeError, NotImplementedError):
        return None


def whole_name(place):
    """With the number of the device."""
    return place if place in (None, HERE) or ":" in place else place + ":0"


def _named(argument, torch):
    """The place that an argument names, or None."""
    if isinstance(argument, torch.device):
        argument = str(argument)
    if isinstance(argument, str) and (GPU.match(argument) or argument == HERE):
        return whole_name(argument)
    return None


def is_about_form(error):
    """About sizes or gradients: it comes whatever the values are, and on every device."""
    text = str(error)
    if isinstance(error, NotImplementedError) or ABOUT_TYPES.search(text):
        return False
    return bool(ABOUT_SIZES.search(text) or ABOUT_GRAPHS.search(text))


def _mode(torch, gpu, gpus):
    tensor_type = torch.Tensor

    def tensors_in(values, depth=0):
        for value in values:
            if isinstance(value, tensor_type):
                yield value
            elif isinstance(value, (list, tuple)) and depth < 3:
                yield from tensors_in(value, depth + 1)
            elif isinstance(value, dict) and depth < 3:
                yield from tensors_in(value.values(), depth + 1)

    class OnTheCpu(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, function, types, args=(), kwargs=None):
            kwargs = kwargs or {}
            if function is torch.device or function is torch._C._nn._parse_to:
                return function(*args, **kwargs)
            name = getattr(function, "__name__", "")
            asked = getattr(getattr(function, "__self__", None), "__name__", "") if name == "__get__" else name
            if asked in OF_PLACES and args and isinstance(args[0], tensor_type):
                return self.answer(asked, args[0])
            if name == "pin_memory":
                return args[0]
            if name == "is_pinned":
                gpu.stray("state")
            function, args, kwargs, place = self.on_the_cpu(function, name, args, kwargs)
            involved = [*tensors_in(args), *tensors_in(kwargs.values())]
            if name in ("to", "type_as") and place is None and len(args) > 1 and isinstance(args[1], tensor_type):
                place = _place(args[1])
            elif name in ("__getitem__", "__setitem__"):
                place = self.indexed(*involved)
            elif place is None:
                place = self.common(involved, name)
            if name in TO_THE_HOST and place not in (None, HERE) and not kwargs.get("force"):
                gpu.fail(TypeError(TO_NUMPY % place))
            if name in GIVEN_AWAY and any(map(gpu.lacks, involved)):
                gpu.read()
            made = self.carried_out(function, name, args, kwargs, involved, place)
            lacking = any(lacks_values(tensor) for tensor in involved)
            if name == "__set__" and len(args) == 2 and isinstance(args[1], tensor_type):
                _put(args[0], _place(args[1]))
                _empty(args[0], lacking)
            if name in MOVES and args and made is args[0] and _place(made) != place:
                made = made.clone()
            for tensor in tensors_in((made,)):
                _put(tensor, place)
                _empty(tensor, lacking)
            return made

        def on_the_cpu(self, function, name, args, kwargs):
            """The call without a word of a GPU, and the place that it named."""
            if name in ("cuda", "xpu") and args:
                return tensor_type.to, (args[0], HERE), {}, "cuda:0"
            if name == "cpu" and args:
                return function, args, kwargs, HERE
            place = None
            for value in (*args, *kwargs.values()):
                place = place or _named(value, torch)
            if place is None:
                return function, args, kwargs, None
            if place != HERE and int(place.rpartition(":")[2]) >= len(gpus):
                self.no_such_device()
            generator = kwargs.get("generator")
            if place != HERE and isinstance(generator, torch.Generator) and generator.device.type == HERE:
                gpu.fail(RuntimeError(OTHER_GENERATOR % place.partition(":")[0]))
            args = tuple(HERE if _named(value, torch) else value for value in args)
            kwargs = {key: HERE if _named(value, torch) else value for key, value in kwargs.items()}
            return function, args, kwargs, place

        def no_such_device(self):
            """How many there are is known once the kernel has used one."""
            if not all(gpus):
                gpu.stray("no-such-device")
                return
            gpu.fail(getattr(torch, "AcceleratorError", RuntimeError)(NO_SUCH_DEVICE))

        def beyond_the_card(self, error, place):
            """One request for more than the whole GPU has fails there too, with its own exception."""
            asked = ASKED_FOR.search(str(error))
            if asked is None or place in (None, HERE):
                return
            total = gpus[int(place.rpartition(":")[2])].get("total_memory")
            if total is not None and int(asked[1]) > total:
                gpu.fail(torch.OutOfMemoryError(BEYOND_THE_CARD % (int(asked[1]) / GIGA, total / GIGA)))

        def carried_out(self, function, name, args, kwargs, involved, place):
            before = gpu.where, gpu.shows
            gpu.where, gpu.shows = place, gpu.shows or name in SHOWN
            try:
                return function(*args, **kwargs)
            except Exception as error:
                self.beyond_the_card(error, place)
                types = {tensor.dtype for tensor in involved if tensor.is_floating_point()}
                if name in NEEDS_ONE_TYPE and len(types) > 1 and isinstance(error, RuntimeError) and not gpu.coarse:
                    gpu.know(error)
                elif (place != HERE and not is_about_form(error)) or self.is_of_the_copy(function, error):
                    gpu.stray("other-failure")
                raise
            finally:
                gpu.where, gpu.shows = before

        def is_of_the_copy(self, function, error):
            """Gradients in a fork, and operations that want to know everybody who follows them."""
            return IN_A_FORK in str(error) or isinstance(function, torch._ops.HigherOrderOperator)

        def answer(self, asked, tensor):
            if _place(tensor) is None:
                gpu.stray("unknown-device")
            place = torch.device(_place(tensor) or HERE)
            away = place.type != HERE
            return {
                "device": place,
                "is_cuda": place.type == "cuda",
                "is_cpu": not away,
                "get_device": (place.index or 0) if away else -1,
            }[asked]

        def indexed(self, tensor, *others):
            """Where a part of a tensor is: indices may be on the CPU in any case."""
            if _place(tensor) == HERE and any(_place(other) != HERE for other in others):
                gpu.stray("mixed-devices")
            return _place(tensor)

        def common(self, involved, name):
            """Where the result would be. Single numbers may be anywhere; anything else must be in one place."""
            if not involved:
                return HERE
            large = [tensor for tensor in involved if tensor.dim() > 0 and tensor.numel() > 0]
            places = {_place(tensor) for tensor in large or involved}
            away = sorted(place for place in places if place is not None and place != HERE)
            mixed = away and HERE in places and not MAY_MIX.match(name)
            if mixed and (large or name not in NEEDS_ONE_PLACE):
                if name in NEEDS_ONE_PLACE and gpu.strayed is None:
                    gpu.fail(RuntimeError(TWO_DEVICES % away[0]))
                gpu.stray("mixed-devices")
            if None in places:
                return None
            return away[0] if away else HERE

    return OnTheCpu()
