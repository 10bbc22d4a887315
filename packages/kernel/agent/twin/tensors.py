# How tensors of torch, and what belongs to a GPU, are taken down for a twin: with their gradients, and with a mark where
# the steps that led to them, or use them, are left behind; with their hooks, tangents, and whether they are for inference.
import collections
import pickle
import sys

from . import gpu_tensors

PLAIN = (bool, int, float, str)
HOOKS = ("_backward_hooks", "_post_accumulate_grad_hooks")


def reduced(value, source, made, memory):
    """As a pickler wants it; None for what it takes down itself. `source` has the values of what is on a GPU: copies of
    them, or the memory that is lent to a twin with a GPU of its own. `memory`: what is on the CPU lies in it."""
    torch = sys.modules.get("torch")
    if torch is None:
        return None
    if isinstance(value, torch.Tensor):
        return _dual(value, made) or _dressed(value, _tensor(value, source, made, memory, torch), made, torch)
    if type(value) is torch.Generator and (source.lends or value.device.type == "cpu"):
        return made.generator, (str(value.device), _state_of(value, source))
    if source.lends and torch.version.cuda is not None:
        return _of_the_gpu(value, made, torch)
    return None


def _dual(value, made):
    """With its tangent, where one of the levels that are open has given it one."""
    forward = sys.modules.get("torch.autograd.forward_ad")
    if forward is None or forward._current_level < 0:
        return None
    primal, tangent = forward.unpack_dual(value)
    return None if tangent is None else (made.dual_tensor, (primal, tangent))


def _dressed(value, reduced, made, torch):
    """With what torch's own way of pickling leaves out."""
    if type(value) not in (torch.Tensor, torch.nn.Parameter):
        return reduced
    hooks = {name: held for name in HOOKS for held in [getattr(value, name, None)] if held}
    if _was_of_another_form(value, torch):
        first = HOOKS[0]
        hooks[first] = collections.OrderedDict(hooks.get(first, {}), grus=made.note_lost)
    inference = value.is_inference()
    if not hooks and not inference:
        return reduced
    rebuild, arguments = reduced or value.__reduce_ex__(5)[:2]
    if inference:
        rebuild, arguments = made.made_for_inference, (rebuild, arguments)
    # As its state: a hook may hold the tensor.
    return rebuild, arguments, hooks or None, None, None, made.set_hooks


def _was_of_another_form(value, torch):
    """Whether it was given other data while steps that use it were kept: they go on wanting gradients of the old form."""
    if not value.is_leaf or not value.requires_grad or value.is_inference():
        return False
    with torch.inference_mode(False), torch.enable_grad():
        node = value.view_as(value).grad_fn.next_functions[0][0]
    wanted = [(tuple(told.shape), told.dtype) for told in getattr(node, "_input_metadata", ())]
    return any(form != (tuple(value.shape), value.dtype) for form in wanted)


def _tensor(value, source, made, memory, torch):
    away = value.device.type in gpu_tensors.AWAY
    plain = type(value) in (torch.Tensor, torch.nn.Parameter)
    strided = plain and value.layout is torch.strided and not (value.is_quantized or value.is_nested or _is_named(value))
    lost = value.grad_fn is not None
    gradient = value.grad if value.is_leaf or value.retains_grad else None
    kind = str(value.dtype).rpartition(".")[2]
    parameter = isinstance(value, torch.nn.Parameter)
    noted = {name: held for name, held in value.__dict__.items() if type(held) in PLAIN} if away else value.__dict__
    grown = (value.requires_grad, parameter, gradient, lost and (made.RETAINED if value.retains_grad else made.LOST_STEPS))
    if away and not source.lends:
        return made.make_tensor, (source.copy(value), tuple(value.shape), kind, str(value.device), *grown)
    if strided and (away or value.device.type == "cpu"):
        form = (tuple(value.shape), value.stride(), value.storage_offset(), kind, value.is_conj(), value.is_neg())
        if _is_view_of_plain(value, torch):
            return made.view_of, (value._base, *form, noted)
        there = source.number(value) if away else memory.storage(value.untyped_storage())
        return made.tensor_on, (there, str(value.device), *form, *grown, noted)
    if away and plain and value.layout is torch.sparse_coo:
        parts = (value._indices(), value._values(), tuple(value.shape), value.is_coalesced())
        return made.sparse_tensor, (*parts, *grown)
    if away:
        raise pickle.PicklingError("a tensor of another kind on the GPU")
    if not plain or (gradient is None and not lost):
        return None
    rebuild, arguments = value.__reduce_ex__(5)[:2]
    return made.made_again, (rebuild, arguments, *grown[2:])


def _is_part_of(value, base):
    """Whether it has the real numbers of complex ones. To ask these for them would be work for the GPU."""
    return value.is_floating_point() and 2 * value.element_size() == base.element_size()


def _is_named(value):
    """Newer versions of torch have no names of dimensions."""
    return hasattr(value, "has_names") and value.has_names()


def _is_view_of_plain(value, torch):
    """Whether it is known as a view of another tensor, and no gradient goes from one to the other."""
    base = value._base
    return (
        base is not None
        and type(value) is torch.Tensor
        and type(base) in (torch.Tensor, torch.nn.Parameter)
        and not (value.requires_grad or base.requires_grad or value.is_inference() or base.is_inference())
        and (base.dtype == value.dtype or (base.is_complex() and _is_part_of(value, base)))
        and base.layout is torch.strided
        and not (base.is_conj() or base.is_neg())
        and base.untyped_storage().data_ptr() == value.untyped_storage().data_ptr()
    )


def _state_of(generator, source):
    """As bytes: it is set while objects are rebuilt, when the memory of tensors may not have its contents yet."""
    if generator.device.type == "cpu":
        return generator.get_state().numpy().tobytes()
    if id(generator) in source.generators:
        return source.generators[id(generator)]
    raise pickle.PicklingError("a generator of random numbers on the GPU")


def _of_the_gpu(value, made, torch):
    if type(value) is torch.cuda.Stream:
        return made.stream, (value.device_index, value.cuda_stream)
    if isinstance(value, (torch.cuda.Event, torch.cuda.CUDAGraph)):
        raise pickle.PicklingError("it stands for work on the GPU that is done")
    return None
