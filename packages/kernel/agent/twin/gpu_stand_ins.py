# Copies of a kernel that uses a GPU. A fork cannot use CUDA: every tensor on the GPU that is reached is given memory on the
# CPU instead, and torch is made to answer as if it were on the GPU. Devices, dtypes and shapes then meet as they would;
# what depends on the values, or cannot be told without a GPU, proves nothing.
import sys

from . import gpu_tensors, pretended_gpu, without_values
from .compiled_code import CompiledOtherwise
from .doubts import Reservations

MOST_DRAWN = 1 << 16


class GpuStandIns:
    """`valueless`: errors count only where no value can be behind them. Otherwise values that are missing are followed."""

    def __init__(self, gpus, valueless=True):
        self.gpu = pretended_gpu.settle(gpus)
        self.reservations = Reservations(away=True, valueless=valueless, gpu=self.gpu)
        self.kept, self.seen = [], set()
        self.follows = not valueless
        if self.follows:
            self.reservations.compiled = CompiledOtherwise()
            without_values.follow(sys.modules["torch"], self.gpu)

    def bring(self, value):
        """Put what a live object holds on the GPU within reach. The memory of the kernel is left as it is."""
        torch = sys.modules["torch"]
        with torch._C.DisableTorchFunction():
            for tensor in gpu_tensors.tensors_in([value]):
                if id(tensor) in self.seen:
                    continue
                self.seen.add(id(tensor))
                for part in (tensor, tensor.grad if tensor.is_leaf else None):
                    if part is not None:
                        self._replace(part, torch)

    def _replace(self, tensor, torch):
        place = self.place(tensor) or str(tensor.device)
        if tensor.device.type in gpu_tensors.AWAY:
            if self.follows:
                without_values.empty(tensor)
            if tensor.layout is torch.strided:
                self.kept.append(tensor.detach())
                tensor.data = _memory_like(tensor, torch, draws=not self.follows)
        setattr(tensor, pretended_gpu.PLACE, place)

    def put(self, tensor, place):
        """A stand-in for data is where the walk knows it to be, or nowhere for certain."""
        setattr(tensor, pretended_gpu.PLACE, pretended_gpu.whole_name(place))
        return tensor

    def place(self, tensor):
        return tensor.__dict__.get(pretended_gpu.PLACE)

    def doubt(self, error):
        self.gpu.certain = error if getattr(error, "grus_certain", False) else None
        return self.reservations.about_error(error)


def _memory_like(tensor, torch, draws):
    """Of the same form. At most small ones are filled: zeros that nobody looks at take no time and no memory."""
    if draws and tensor.is_floating_point() and tensor.is_contiguous() and tensor.numel() <= MOST_DRAWN:
        return torch.zeros(tensor.shape, dtype=tensor.dtype).uniform_(-0.1, 0.1)
    numpy = sys.modules.get("numpy")
    if numpy is None:
        return torch.zeros(1, dtype=tensor.dtype).expand(tensor.shape)
    last = sum((size - 1) * stride for size, stride in zip(tensor.shape, tensor.stride())) if tensor.numel() else -1
    memory = torch.from_numpy(numpy.zeros((last + 1) * tensor.element_size(), numpy.uint8))
    return memory.view(tensor.dtype).as_strided(tensor.shape, tensor.stride())
