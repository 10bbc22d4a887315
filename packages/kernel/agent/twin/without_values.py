# Tensors whose values are not known, in a copy of a kernel that uses a GPU: what is made from one has no values either.
# Torch says of its operations which give something that depends on values. Once such a thing was made of values that are
# not there, nothing that happens proves anything.
import functools
import types

from .pretended_gpu import HERE, LACKING, is_about_form, memory_of

# What is told of a card without asking it.
KNOWN = frozenset(("get_device_properties", "get_device_name", "get_device_capability"))


def empty(tensor):
    setattr(tensor, LACKING, True)


def follow(torch, gpu):
    """From now on. Also keeps the random numbers of the CPU from moving where the kernel draws on its GPU."""
    known = {}

    def kind_of(function):
        """Whether it reads values, may be told by a mask what to give, draws, and writes to what it is given."""
        if not isinstance(function, torch._ops.OpOverload):
            return True, False, True, True
        if function not in known:
            tags, indexes = function.tags, function.overloadpacket is torch.ops.aten.index
            chooses = torch.Tag.dynamic_output_shape in tags
            known[function] = (
                torch.Tag.data_dependent_output in tags or (chooses and not indexes),
                chooses and indexes,
                torch.Tag.nondeterministic_seeded in tags,
                function._schema.is_mutable,
            )
        return known[function]

    class Following(torch.utils._python_dispatch.TorchDispatchMode):
        @classmethod
        def _should_skip_dynamo(cls):
            # It would be imported for that.
            return False

        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            kwargs = kwargs or {}
            reads, by_mask, draws, writes = kind_of(function)
            given = [*tensors_in(args, torch.Tensor), *tensors_in(kwargs.values(), torch.Tensor)]
            lacking = [tensor for tensor in given if gpu.lacks(tensor)]
            masks = [tensor for tensor in lacking if by_mask and tensor is not args[0] and _is_mask(tensor, torch)]
            if (reads and lacking) or masks:
                gpu.read()
            elsewhere = draws and gpu.where not in (None, HERE)
            state = torch.get_rng_state() if elsewhere else None
            try:
                made = function(*args, **kwargs)
            except Exception as error:
                if lacking and not is_about_form(error):
                    gpu.read()
                raise
            finally:
                if state is not None:
                    torch.set_rng_state(state)
            if lacking or elsewhere:
                if writes:
                    gpu.filled.update(map(memory_of, given))
                for tensor in tensors_in((made,), torch.Tensor):
                    empty(tensor)
            return made

    _watch_questions(torch.cuda, gpu)
    Following().__enter__()


def _watch_questions(cuda, gpu):
    """What the cell asks a GPU that is not there."""

    def asking(function):
        @functools.wraps(function)
        def asked(*args, **kwargs):
            gpu.stray("state")
            return function(*args, **kwargs)

        return asked

    for name, member in list(vars(cuda).items()):
        is_own = type(member) is types.FunctionType and member.__module__.startswith("torch.cuda")
        if is_own and not name.startswith("_") and name not in KNOWN:
            setattr(cuda, name, asking(member))


def _is_mask(tensor, torch):
    return tensor.dtype in (torch.bool, torch.uint8)


def tensors_in(values, kind):
    for value in values:
        if isinstance(value, kind):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from tensors_in(value, kind)
