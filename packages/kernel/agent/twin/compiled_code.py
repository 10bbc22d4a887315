# What torch's compiler keeps beside the code that it has compiled. A fork has it; a twin has not, and compiles anew. So
# where the kernel has compiled the same code before, a refusal of the compiler proves nothing: the kernel may take what was
# kept. Nor does a finish, where what was kept leaves no room for one more version of the code.
import sys

from ..dry_run.cells import chain_of

OF_THE_COMPILER = ("torch._dynamo.", "torch._inductor.", "torch._functorch.", "torch.fx.")
# Whatever reads code, or follows tensors by itself.
READING_CODE = ("torch._dynamo", "torch._inductor", "torch.fx.", "torch.jit.", "torch.export", "torch.onnx")


def seen():
    """[file, line, name, versions kept] of all code that came before the compiler in this process; None where that cannot
    be known."""
    frames = sys.modules.get("torch._dynamo.convert_frame")
    if frames is None:
        return []
    try:
        versions = sys.modules["torch"]._C._dynamo.eval_frame._debug_get_cache_entry_list
        codes = [code for code in (reference() for reference in frames.input_codes.seen) if code is not None]
        return [[code.co_filename, code.co_firstlineno, code.co_name, len(versions(code))] for code in codes]
    except AttributeError:
        return None


def compiles_once():
    """Whether it is an error here to compile the same code once more."""
    config, frames = (sys.modules.get("torch._dynamo." + name) for name in ("config", "eval_frame"))
    stance = getattr(getattr(frames, "_stance", None), "stance", None)
    return bool(getattr(config, "error_on_recompile", False)) or stance == "fail_on_recompile"


class CompiledAgain:
    """Asked inside the twin; `before` is what the kernel's compiler has seen, `once`: it may compile nothing again."""

    def __init__(self, before, once):
        self.before, self.once = before, once

    def doubts_error(self, error):
        """A refusal of the compiler, or a check of the notebook's own: it may count what is done while code is compiled."""
        if not isinstance(error, AssertionError) and not any(_is_refusal(link) for link in [error, *chain_of(error)]):
            return False
        return bool(self._versions() or (self.once and self.before != []))

    def doubts_finish(self):
        return any(self.once or count > _most_versions() for count in self._versions())

    def _versions(self):
        """How many both keep, together, of each code that both have seen."""
        sides = [self.before, seen()]
        if any(side is not None and len(side) == 0 for side in sides):
            return []
        if None in sides:
            return [float("inf")]
        kept, now = ({tuple(code): count for *code, count in side} for side in sides)
        return [kept[code] + count for code, count in now.items() if code in kept]


class CompiledOtherwise(CompiledAgain):
    """Of a copy in which the compiler meets other tensors than in the kernel: nothing that comes through it counts."""

    def __init__(self):
        super().__init__((), once=False)

    def doubts_error(self, error):
        return any(_came_through(link) for link in [error, *chain_of(error)])

    def doubts_finish(self):
        return True


def _came_through(error):
    step = error.__traceback__
    while step is not None:
        if str(step.tb_frame.f_globals.get("__name__")).startswith(READING_CODE):
            return True
        step = step.tb_next
    return False


def _is_refusal(error):
    """By its class, or by where it was raised."""
    step, module = error.__traceback__, ""
    while step is not None:
        module, step = step.tb_frame.f_globals.get("__name__"), step.tb_next
    return any(str(name).startswith(OF_THE_COMPILER) for name in (type(error).__module__, module))


def _most_versions():
    config = sys.modules["torch._dynamo.config"]
    return config.recompile_limit if hasattr(config, "recompile_limit") else config.cache_size_limit
