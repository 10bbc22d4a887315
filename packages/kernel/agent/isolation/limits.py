# Limits of a copy: memory relative to what the kernel already holds, processor time, no core files, and the first
# place in the queue when the machine runs out of memory.
import os
import resource
import signal
import time

from . import waiting
from .system import PR_SET_PDEATHSIG, kill_timer, prctl, told_by

PAGE = os.sysconf("SC_PAGE_SIZE")
RESERVE = 512 << 20
GRACE = 0.5
MOST_PROCESSES = max(256, 32 * (os.cpu_count() or 1))
COUNTED_APART = (5, 14)
"""Since this Linux the processes of a user namespace are counted for themselves."""


def tie_to_kernel(kernel_pid):
    """End with the kernel, and out of reach of signals that are meant for its process group."""
    os.setsid()
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != kernel_pid:
        os._exit(1)


def available_memory():
    _, found, rest = told_by("/proc/meminfo").partition("MemAvailable:")
    return int(rest.split(None, 1)[0]) * 1024 if found else 4 << 30


def size_of_process():
    return int(told_by("/proc/self/statm").split()[0]) * PAGE


def memory_held():
    return int(told_by("/proc/self/statm").split()[1]) * PAGE


def apply(job):
    limit_memory(job)
    _limit(resource.RLIMIT_CPU, int(job.seconds * (os.cpu_count() or 1)) + 2)
    _limit(resource.RLIMIT_CORE, 0)
    score = os.open("/proc/self/oom_score_adj", os.O_WRONLY | os.O_CLOEXEC)
    os.write(score, b"1000")
    os.close(score)
    end_in_time(job)


def limit_memory(job):
    """A driver of a GPU reserves addresses by the terabyte: where it is used, only what is written to counts."""
    allowed = job.memory_mb << 20 if job.memory_mb else max(RESERVE, available_memory() // 2)
    which = resource.RLIMIT_DATA if job.on_gpu else resource.RLIMIT_AS
    value = size_of_process() + allowed
    _, hard = resource.getrlimit(which)
    resource.setrlimit(which, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard))


def lift_memory():
    """When the cells are over, there must be room to tell of it."""
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))


def end_in_time(job):
    """Should the kernel be too busy to end the copy, the copy ends by itself. Timers do not survive a fork."""
    latest = job.deadline + (waiting.STRETCH - 1) * job.seconds
    job.timer = kill_timer(max(0.001, latest + GRACE - time.monotonic()))


def limit_processes():
    """In a user namespace: with threads, as many as a pool for every processor needs."""
    release = os.uname().release.split(".")
    if tuple(int(part) for part in release[:2] if part.isdigit()) >= COUNTED_APART:
        _limit(resource.RLIMIT_NPROC, MOST_PROCESSES)


def no_growth_of_files():
    """Every write to a regular file fails, native code's too."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    _limit(resource.RLIMIT_FSIZE, 0)


def _limit(which, value):
    _, hard = resource.getrlimit(which)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(which, (value, value))
