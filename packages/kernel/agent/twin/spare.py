# Inside the spare process: imports what the kernel has imported, waits for errands, and forks a twin for each. No thread is
# started and no GPU is used here, so that what is forked can start its own.
import contextlib
import gc
import importlib
import json
import os
import select
import signal
import socket
import sys

from ..dry_run.cells import message_of
from ..isolation import limits, strengths
from ..isolation.pipe import Teller
from ..protocol import reasons
from . import process

DESCRIPTORS = 3


class Errand:
    """What the isolation needs to know of a twin."""

    memory_mb = None
    folder = None

    def __init__(self, told, writing, leash, again):
        self.__dict__.update(told)
        self.writing, self.leash_reading, self.again = writing, leash, again

    def kept(self):
        return {self.writing}


def keep(setting, channel, kernel_pid):
    """Never returns. Ends with the kernel: when its end of the channel is closed, or its process is gone."""
    _close_all_but(channel)
    kernel = os.pidfd_open(kernel_pid) if hasattr(os, "pidfd_open") else None
    _import(setting["libraries"])
    if limits.memory_held() >> 20 > setting["most_mb"]:
        os._exit(0)
    gc.collect()
    gc.freeze()
    twins = {}
    wire = socket.socket(fileno=channel)
    wire.send(b"ready")
    watched = [channel] if kernel is None else [channel, kernel]
    while True:
        ready, _, _ = select.select(watched, [], [])
        if kernel in ready:
            os._exit(0)
        message, descriptors, _, _ = socket.recv_fds(wire, 1 << 12, DESCRIPTORS)
        if not message:
            os._exit(0)
        told = json.loads(message)
        if "end" in told:
            _end(twins.pop(told["end"], None))
            continue
        here = os.getpid()
        pid = os.fork()
        if pid == 0:
            wire.close()
            _live(setting, descriptors, here)
        twins[told["run"]] = pid
        for descriptor in descriptors:
            os.close(descriptor)


def _close_all_but(kept):
    for name in os.listdir("/proc/self/fd"):
        if int(name) > 2 and int(name) != kept:
            with contextlib.suppress(OSError):
                os.close(int(name))


def _import(libraries):
    for name in [*libraries, "IPython.core.interactiveshell"]:
        # What cannot be imported now is imported, or refused, by the twin that needs it.
        with contextlib.suppress(BaseException):
            importlib.import_module(name)


def _end(pid):
    if pid is not None:
        with contextlib.suppress(ProcessLookupError, ChildProcessError):
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def _live(setting, descriptors, spare_pid):
    """The life of a twin. Never returns."""
    try:
        payload, writing, leash = descriptors
        with os.fdopen(payload, "rb") as file:
            file.seek(0)
            given = json.loads(file.readline())
            objects = file.read()
        teller = Teller(writing, given["errand"]["word"])
        errand = Errand(given["errand"], writing, leash, lambda: _again(teller))
        try:
            sys.path[:] = given["path"]
            os.environ.clear()
            os.environ.update(given["environment"])
            os.chdir(given["folder"])
            limits.tie_to_kernel(spare_pid)
            limits.apply(errand)
            isolation = strengths.enter(errand)
            process.run({**given, "sources": setting["sources"]}, objects, teller, isolation.fence)
        except BaseException as error:
            teller.tell(failed=reasons.preparing_failed("%s: %s" % (type(error).__name__, message_of(error))))
    finally:
        os._exit(0)


def _again(teller):
    teller.tell(again="processes")
    os._exit(0)
