"""Whether the GPU of a kernel still works."""

import sys
import types
import unittest

from agent.twin import gpu_memory


def torch_whose_gpu(answers, in_use=True):
    def synchronize():
        if not answers:
            raise RuntimeError("CUDA error: device-side assert triggered")

    cuda = types.SimpleNamespace(is_initialized=lambda: in_use, synchronize=synchronize)
    return types.SimpleNamespace(version=types.SimpleNamespace(cuda="13.0"), cuda=cuda)


class LostGpu(unittest.TestCase):
    def lost(self, torch):
        before = sys.modules.get("torch")
        sys.modules["torch"] = torch
        try:
            return gpu_memory.is_lost()
        finally:
            del sys.modules["torch"]
            if before is not None:
                sys.modules["torch"] = before

    def test_one_that_failed_is_lost(self):
        self.assertTrue(self.lost(torch_whose_gpu(answers=False)))

    def test_others_are_not(self):
        self.assertFalse(self.lost(torch_whose_gpu(answers=True)))
        self.assertFalse(self.lost(torch_whose_gpu(answers=False, in_use=False)))
