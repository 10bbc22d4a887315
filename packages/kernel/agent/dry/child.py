# The life of a copy, from the fork to its end: tie it to the kernel, fence it in, cut it off the notebook, run the
# cells, tell what happened over the pipe. Nothing here returns to the kernel's code.
import importlib
import json
import os
import random
import time

from . import cell, isolate, limits, pools, quiet
from .causes import doubt_about_error, doubt_about_finish
from .effects import Effects


class Teller:
    """Writes lines that only the agent can have written: each starts with a word that was drawn before the fork."""

    def __init__(self, descriptor, word):
        self.descriptor = descriptor
        self.word = word

    def tell(self, **told):
        line = (self.word + json.dumps(told) + "\n").encode()
        while line:
            line = line[os.write(self.descriptor, line) :]


def live(job, kernel, kernel_pid):
    """Never returns."""
    status = 70
    try:
        teller = Teller(job.writing, job.word)
        try:
            _run(job, kernel, kernel_pid, teller)
            status = 0
        except isolate.NotPossible as reason:
            teller.tell(impossible=str(reason))
        except BaseException as error:
            teller.tell(failed="%s: %s" % (type(error).__name__, cell.message_of(error)))
    finally:
        os._exit(status)


def _run(job, kernel, kernel_pid, teller):
    started = time.perf_counter()
    limits.tie_to_kernel(kernel_pid)
    limits.apply(job)
    job.again = lambda: _start_over(teller)
    isolation = isolate.enter(job)
    importlib.import_module("gc").freeze()
    random.setstate(job.random_state)
    output, errors, effects = quiet.Output(), quiet.Errors(), Effects()
    quiet.cut_off(kernel, output, errors)
    pools.renew(kernel.shell.user_ns)
    teller.tell(
        isolated=isolation.strength,
        detail=isolation.detail,
        lost=isolation.lost[:10],
        ready_ms=round((time.perf_counter() - started) * 1000, 2),
    )

    def between(index, told):
        limits.lift_memory()
        error = told.pop("error", None)
        effects.watching = False
        if told["status"] == "raised":
            circumstances = {"threads": job.threads, "source": job.sources[index]}
            told["doubt"] = doubt_about_error(error, effects, isolation.strength, circumstances)
        elif told["status"] == "finished":
            told["doubt"] = doubt_about_finish(effects, isolation.strength, job.sources[index])
        told["output"], told["output_dropped"] = output.text(), output.dropped
        told["effects"] = effects.notes
        teller.tell(cell=index, **told)
        output.__init__()
        effects.notes = []
        limits.limit_memory(job)
        effects.watching = True

    effects.watch(isolation.fence)
    cell.run_cells(kernel.shell, job.sources, errors, between)
    effects.watching = False
    teller.tell(done=True)


def _start_over(teller):
    """The cell starts a process, and this copy cannot have any: the kernel makes one that can."""
    teller.tell(again="processes")
    os._exit(0)
