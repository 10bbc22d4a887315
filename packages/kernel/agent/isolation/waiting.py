# A budget counts what a copy did, not what a busy machine kept it from doing: time in which it was ready to run and no
# processor was free is given back. Linux counts that time for every thread.
import contextlib
import os
import time

STRETCH = 4
"""A copy lives at most so many times its budget."""
ENOUGH = 0.02
CROWD = 64
"""Of more processes than this the copy keeps itself waiting."""


def time_left(pid, job):
    """Seconds that a copy whose time is up still has; 0 when it has used them, slept them away, or had enough more."""
    now = time.monotonic()
    latest = job.deadline + (STRETCH - 1) * job.seconds
    left = min(job.deadline + _waited(pid), latest) - now
    return left if left > ENOUGH else 0


def _waited(pid):
    """Seconds that the thread which waited longest waited for a processor, in the process and its children."""
    longest, pending, seen = 0.0, [pid], 0
    while pending:
        folder = "/proc/%d/task" % pending.pop()
        seen += 1
        if seen > CROWD:
            return 0.0
        with contextlib.suppress(OSError, ValueError):
            for task in os.listdir(folder):
                _, waited, _ = _words("%s/%s/schedstat" % (folder, task))
                longest = max(longest, int(waited) / 1e9)
                pending += [int(child) for child in _words("%s/%s/children" % (folder, task))]
    return longest


def _words(path):
    with open(path) as file:
        return file.read().split()
