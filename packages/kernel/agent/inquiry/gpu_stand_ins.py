# Questions in a copy of a kernel that uses a GPU. A fork cannot use CUDA: every tensor on the GPU that a question touches is
# given memory on the CPU instead, and torch is made to answer as if it were on the GPU. Devices, dtypes and shapes then
# meet as they would; what depends on the values, or cannot be told without a GPU, has no answer.
import sys

from ..twin import gpu_tensors, pretended_gpu
from ..twin.doubts import Reservations

MOST_DRAWN = 1 << 22


class GpuStandIns:
    def __init__(self, gpus):
        self.gpu = pretended_gpu.settle(gpus)
        self.reservations = Reservations(away=True, valueless=True, gpu=self.gpu)
        self.kept, self.seen = [], set()

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
            self.kept.append(tensor.detach())
            drawn = tensor.is_floating_point() and tensor.numel() <= MOST_DRAWN
            stand_in = torch.zeros(tensor.shape, dtype=tensor.dtype)
            tensor.data = stand_in.uniform_(-0.1, 0.1) if drawn else stand_in
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
