# The life of a copy, from the fork to its end: tie it to the kernel, fence it in, cut it off the notebook, run the
# cells, tell what happened over the pipe. Nothing here returns to the kernel's code.
import importlib
import os
import random
import time

from ..isolation import limits, quiet, strengths, thread_pools
from ..isolation.effects import Effects
from ..isolation.pipe import Teller
from ..protocol import reasons
from ..shorten import rewrite
from ..shorten.variation import Variation
from ..twin import carry, gpu_memory, gpu_tensors, process
from ..twin.gpu_stand_ins import GpuStandIns
from ..twin.needed_names import needed_names
from . import cells, last_stack
from .meanwhile import Meanwhile
from .report import reporter
from .unknowable import Unknowable


def live(job, kernel, kernel_pid):
    """Never returns."""
    status = 70
    try:
        teller = Teller(job.writing, job.word)
        try:
            _run(job, kernel, kernel_pid, teller)
            status = 0
        except strengths.NotPossible as refusal:
            teller.tell(impossible=refusal.reason)
        except gpu_memory.NoRoom:
            teller.tell(again="without-gpu")
        except carry.CannotCarry as refusal:
            if job.twin is not None and job.fetched.lends:
                teller.tell(again="without-gpu")
                os._exit(0)
            teller.tell(failed=refusal.reason)
        except BaseException as error:
            teller.tell(failed=reasons.preparing_failed("%s: %s" % (type(error).__name__, cells.message_of(error))))
    finally:
        os._exit(status)


def _run(job, kernel, kernel_pid, teller):
    started = time.perf_counter()
    limits.tie_to_kernel(kernel_pid)
    limits.apply(job)
    job.again = lambda: _start_over(teller, "processes")
    isolation = strengths.enter(job)
    importlib.import_module("gc").freeze()
    random.setstate(job.random_state)
    output, errors, effects = quiet.Output(job.rich), quiet.Errors(), Effects()
    quiet.cut_off(kernel, output, errors)
    thread_pools.renew(kernel.shell.user_ns)
    teller.tell(
        isolated=True,
        strength=isolation.strength,
        detail=isolation.detail,
        not_covered=isolation.not_covered,
        ready_ms=round((time.perf_counter() - started) * 1000, 2),
    )
    if job.twin is not None:
        process.become(job, kernel.shell, teller, job.twin)
    reserve = _without_values(job, kernel.shell) if job.without_values else None
    if reserve is None:
        gpu_tensors.keep_off(lambda: _start_over(teller, "gpu"), job.gpu_count)
    clipper = (
        rewrite.Clipper(kernel.shell, effects, Variation(*job.variation) if job.variation else None) if job.clip else None
    )
    if clipper is not None:
        clipper.install()
    unknowable = Unknowable(isolation.descriptors, kernel.shell, job.threads, isolation.strength)
    doubting = unknowable if job.since is None else Meanwhile(unknowable, job.since)
    report = reporter(job.sources, isolation.strength, job.threads, effects, output, teller, reserve or clipper, doubting)

    def between(index, told):
        limits.lift_memory()
        report(index, told)
        if index + 1 < len(job.sources):
            unknowable.before(job.sources[index + 1 : index + 2])
            limits.limit_memory(job)

    last_stack.tell_after(max(0.05, (job.deadline - time.monotonic()) * 0.95), teller)
    job.numbers.tell()
    unknowable.watch()
    unknowable.before(job.sources[:1])
    effects.watch(isolation.fence)
    cells.run_cells(kernel.shell, job.sources, errors, between)
    effects.watching = False
    teller.tell(done=True)


def _without_values(job, shell):
    """Pretend a GPU, on which nothing has its values."""
    stand_ins = GpuStandIns(job.gpus, valueless=False)
    stand_ins.bring(list(needed_names(job.sources, shell).values()))
    return stand_ins.reservations


def _start_over(teller, needs):
    """The cell needs what this copy cannot have: the kernel makes one that can."""
    teller.tell(again=needs)
    os._exit(0)
