# Makes a kernel on a machine without a GPU look to the agent like one that uses a GPU: memory is on the CPU, and every
# tensor tells the device that it would be on. What only a GPU does, values in another precision or asserts, is not there.
# As with a GPU, its copies compute no gradients.
# Run in the kernel before its first cell, with the folder of the agent's package on the path.
import os

import torch
from agent.twin import pretended_gpu

CARD = {"name": "pretended", "major": 9, "minor": 0, "total_memory": 80 << 30, "multi_processor_count": 132}


def settle():
    plain = dict(vars(torch.cuda))
    autocast, parameter, load = torch.amp.autocast_mode.autocast.__init__, torch.nn.Parameter.__new__, torch.load
    pretended_gpu.settle([CARD])
    torch.__version__, torch.version.cuda = torch.__version__.replace("+cpu", "+cu130"), "13.0"
    torch.Tensor.device = property(lambda tensor: torch.device(vars(tensor).get(pretended_gpu.PLACE) or "cpu"))

    def in_copy():
        """What the agent does in a copy, it does to a torch that pretends nothing yet."""
        while torch._C._len_torch_function_stack():
            torch._C._pop_torch_function_stack()
        for name in (*pretended_gpu.NUMBERS, *pretended_gpu.ANSWERED_WITH_NONE):
            if name in plain:
                setattr(torch.cuda, name, plain[name])
        torch.amp.autocast_mode.autocast.__init__ = autocast
        torch.nn.Parameter.__new__ = parameter
        torch.load = load
        torch.autograd._engine_run_backward = no_gradients

    def no_gradients(*args, **kwargs):
        raise RuntimeError("Unable to handle autograd's threading in combination with fork-based multiprocessing.")

    os.register_at_fork(after_in_child=in_copy)


settle()
