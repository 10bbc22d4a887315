"""Least changes that old notebooks need beside today's libraries, for all of them alike."""

import contextlib
import importlib.util
import os
import sys

kept = []


def mend():
    """Texts have the type `object`, as before pandas 3; torch loads whole objects, as before torch 2.6; and torchvision's
    wheel for CUDA can be imported beside a torch without CUDA: two of its operators are declared first. What would be
    downloaded is refused at once, not after many tries."""
    os.environ["TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD"] = "1"
    os.environ["HF_HUB_OFFLINE"] = "1"
    importlib.import_module("pandas").options.future.infer_string = False
    if importlib.util.find_spec("torchvision") is None:
        return
    sys.meta_path.insert(0, _Before())


class _Before:
    def find_spec(self, name, path=None, target=None):
        if name == "torchvision" and self in sys.meta_path:
            sys.meta_path.remove(self)
            _declare()


def _declare():
    library = importlib.import_module("torch").library.Library("torchvision", "DEF")
    kept.append(library)
    with contextlib.suppress(RuntimeError):
        for operator in ("nms", "qnms"):
            library.define(operator + "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
