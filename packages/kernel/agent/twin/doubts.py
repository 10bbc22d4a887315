# What a twin cannot answer for, whatever happens in it: rows that were left out of a sample, values of tensors that were
# not fetched, what a compiler has kept, and a GPU that it has not.
import re
import types
from typing import Any

from ..protocol import reasons
from . import of_one_process, row_samples
from .compiled_code import CompiledAgain

ABOUT_DEVICES = re.compile(r"cuda|device|gpu|nccl|half|autocast", re.IGNORECASE)
OF_NUMBERS = re.compile(r"dtype|float|scalar type|double", re.IGNORECASE)
# Errors that come whatever values the tensors hold: those about what things are, and those whose words speak of sizes.
ABOUT_KIND = (TypeError, AttributeError, NameError, ImportError)
ABOUT_FORM = re.compile(
    r"has \d+ features|shapes? cannot be multiplied|size of tensor|must match|"
    r"expected .*(size|dim|shape|dtype|scalar type|channels|input|hidden|batch)|same dtype|dtype|"
    r"invalid for input of size|dimension out of range|sizes of tensors|size mismatch for|requires grad",
    re.IGNORECASE,
)


class Reservations:
    """`sampled`: names of objects of which only some rows are there. `away`: the kernel uses a GPU, and the twin pretends
    to (`gpu`); `valueless`: of some of its tensors only the form is there. `own`: the GPU of a twin that has one.
    `left_behind`: names that only the kernel has; `compiled`: code that its compiler has seen; `lost`: filled when a
    gradient goes where steps were left behind; `not_carried`: names of what the kernel has changed in libraries, and the
    twin has not; `clipper`: cuts training short, and says what hangs on that."""

    def __init__(
        self,
        sampled=(),
        away=False,
        valueless=False,
        left_behind=(),
        compiled=(),
        compiles_once=False,
        not_carried=(),
        gpu=None,
        own=None,
        lost=(),
    ):
        self.sampled = sampled
        self.away = away
        self.valueless = valueless
        self.left_behind = frozenset(left_behind)
        self.missed = []
        self.compiled = CompiledAgain(compiled, compiles_once)
        self.gpu = gpu
        self.own = own
        self.lost = lost
        self.not_carried = list(not_carried)
        self.clipper: Any = None

    def watch_names(self, notebook):
        """Note when somebody asks the module of the notebook for a name that was left behind, as pickle does for a class."""
        left_behind, missed = self.left_behind, self.missed

        class Notebook(types.ModuleType):
            def __getattr__(self, name):
                if name in left_behind:
                    missed.append(name)
                raise AttributeError("module '__main__' has no attribute %r" % name)

        notebook.__class__ = Notebook

    def qualify(self, told, error, sources, index, effects):
        if told["status"] == "raised" and self.own is not None and type(error).__name__ == "AcceleratorError":
            told["message"] = "%s %s" % (told["message"].partition("\n")[0], self.own.assertion())
        if told.get("doubt", "") is None and (self.lost or (self.own is not None and self.own.asked)):
            told["doubt"] = reasons.steps_left_behind() if self.lost else reasons.gpu_asked()
        elif told.get("doubt", "") is None and self.missed:
            told["doubt"] = reasons.names_left_behind()
        elif told.get("doubt", "") is None and self.not_carried:
            told["doubt"] = reasons.libraries_changed(self.not_carried[:3])
        elif told["status"] == "raised" and told["doubt"] is None:
            told["doubt"] = self.about_error(error)
        elif told["status"] == "finished" and told["doubt"] is None:
            told["doubt"] = self._about_finish()
        if self.clipper is not None:
            self.clipper.qualify(told, error, sources, index, effects)

    def _about_finish(self):
        if self.sampled:
            return reasons.rows_sampled(list(self.sampled[:3]))
        if self.away:
            return reasons.gpu_placement()
        if self.own is not None and self.own.captured:
            return reasons.gpu_captured()
        if self.compiled.doubts_finish():
            return reasons.compiled_before()
        return None

    def about_error(self, error):
        if self.compiled.doubts_error(error):
            return reasons.compiled_before()
        if of_one_process.is_asked_by(error):
            return reasons.of_one_process()
        if self.own is not None and self.own.captured and isinstance(error, RuntimeError):
            return reasons.gpu_captured()
        if self.gpu is not None and self.gpu.certain is error and self.gpu.strayed is None:
            return None
        if isinstance(error, NameError) and getattr(error, "name", None) in (None, *self.left_behind):
            return reasons.names_left_behind()
        if self.sampled:
            doubt = row_samples.doubt_about_error(error)
            if doubt is not None:
                return doubt
        if self.valueless and not _about_form(error):
            return reasons.gpu_values_missing()
        if self.gpu is not None and self.gpu.strayed is not None:
            return reasons.no_gpu_strayed(self.gpu.strayed)
        if self.gpu is not None and self.gpu.coarse and not _about_sizes(error):
            return reasons.no_gpu_precision()
        if self.away and (ABOUT_DEVICES.search(str(error)) or isinstance(error, AssertionError)):
            return reasons.no_gpu()
        return None


def _about_form(error):
    if isinstance(error, ABOUT_KIND):
        return True
    return isinstance(error, (RuntimeError, ValueError)) and ABOUT_FORM.search(str(error)) is not None


def _about_sizes(error):
    return _about_form(error) and OF_NUMBERS.search(str(error)) is None
