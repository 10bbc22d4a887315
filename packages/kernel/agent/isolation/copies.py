# Making and ending copies of the kernel's process: what dry runs and questions have in common.
import contextlib
import os
import random
import signal
import sys
import time
import warnings

from ..protocol import reasons
from ..twin import gpu_tensors
from . import gate, thread_pools

REAP_PAUSE = 0.01
SHORTEST_PAUSE = 0.001
PATIENCE = 0.4

alive = set()
"""The copies that live, as the kernel knows them; empty inside a copy."""


ended = set()
"""Those that were killed and are still to be collected."""


class Job:
    """What a copy is to do, known on both sides of the fork, and the pipe over which it tells. `gpu_count`: how many GPUs
    there are; None where that is not known."""

    memory_mb = None
    on_gpu = False

    def __init__(self, seconds, threads):
        self.seconds = seconds
        self.threads = threads
        self.deadline = time.monotonic() + seconds
        self.word = os.urandom(12).hex()
        self.random_state = random.getstate()
        self.gpu_count = gpu_tensors.count()
        self.reading, self.writing = os.pipe2(os.O_CLOEXEC)

    def kept(self):
        """Descriptors that the copy keeps as they are."""
        return {self.writing}

    def close_side_of_copy(self):
        os.close(self.writing)

    def close_kernel_side(self):
        os.close(self.reading)


def ready(shell, with_gpu=False):
    """Before a fork, `with_gpu` of a copy that keeps off a GPU in use. Raises gate.Refused; answers the names of the
    user's threads, which a copy will lack."""
    threads = gate.check(shell, with_gpu)
    stuck = thread_pools.drop_openmp()
    if stuck:
        raise gate.Refused(reasons.pool_stuck(os.path.basename(stuck[0])))
    return threads


def comes_again(refusal, started, loop, start, *arguments):
    """Whether the kernel will be ready in a moment, and `start` is called again then. Mostly a thread that has handed over
    the request is about to park: the first pause is short, and each is as long as all before it."""
    waited = time.perf_counter() - started
    if not refusal.passing or waited > PATIENCE:
        return False
    loop.call_later(min(max(waited, SHORTEST_PAUSE), REAP_PAUSE), start, *arguments)
    return True


def fork(job, kernel, live):
    """(pid, milliseconds that the kernel was held up). The copy does `live(job, kernel, pid of the kernel)`."""
    kernel_pid = os.getpid()
    started = time.perf_counter()
    with undisturbed():
        pid = os.fork()
        if pid == 0:
            # The events of the kernel's other copies are no business of this one.
            alive.clear()
            ended.clear()
            live(job, kernel, kernel_pid)
    held_ms = (time.perf_counter() - started) * 1000
    job.close_side_of_copy()
    return pid, held_ms


@contextlib.contextmanager
def undisturbed():
    """Around a fork: nothing of the kernel's own takes notice of it."""
    with _history_left_alone(), _no_warning():
        yield


@contextlib.contextmanager
def _history_left_alone():
    """IPython would end the thread that saves its history before every fork. It is parked, and can stay."""
    manager = getattr(sys.modules.get("IPython.core.history"), "HistoryManager", None)
    instances = getattr(manager, "_instances", None)
    if manager is None or instances is None:
        yield
        return
    manager._instances = ()
    try:
        yield
    finally:
        manager._instances = instances


@contextlib.contextmanager
def _no_warning():
    """Since Python 3.12 a fork beside other threads warns; the gate has looked at them."""
    if sys.version_info < (3, 12):
        yield
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        yield


def kill(pid):
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


class Reaper:
    """Collects a killed copy later: the kernel does not wait for gigabytes to be unmapped. A cell of the user's that starts
    meanwhile must not find the copy among its children, so it is waited for then."""

    def __init__(self, pid, shell, loop):
        self.pid = pid
        self.shell = shell
        self.loop = loop
        ended.add(self)
        shell.events.register("pre_execute", self.collect)

    def reap(self, options=os.WNOHANG):
        if self not in ended:
            return
        try:
            pid, _ = os.waitpid(self.pid, options)
        except ChildProcessError:
            pid = self.pid
        if pid == 0:
            self.loop.call_later(REAP_PAUSE, self.reap)
        else:
            ended.discard(self)
            self.shell.events.unregister("pre_execute", self.collect)

    def collect(self):
        self.reap(0)


def collect():
    """Wait for every copy that was ended."""
    for reaper in list(ended):
        reaper.collect()


def end(pid, shell, loop):
    kill(pid)
    Reaper(pid, shell, loop).reap()
