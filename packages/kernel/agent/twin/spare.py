# Inside the spare process: imports what the kernel has imported, waits for errands, and forks a twin for each. No thread is
# started and no GPU is used here, so that what is forked can start its own.
import contextlib
import ctypes
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
from . import boot, driver_tools, gpu_memory, held_by_libraries, process

DESCRIPTORS = 5
MOST_SPOILT = 4
TOOLS = "libnvidia-ml.so.1"
MOST_USERS = 64


class Errand:
    """What the isolation needs to know of a twin."""

    memory_mb = None
    folder = None
    on_gpu = False
    processes = True

    def __init__(self, told, writing, leash, also, again):
        self.__dict__.update(told)
        self.writing, self.leash_reading, self.also, self.again = writing, leash, also, again

    def kept(self):
        return {self.writing, *self.also}


def keep(setting, channel, places, kernel_pid):
    """Never returns. Ends with the kernel: when its end of the channel is closed, or its process is gone."""
    _close_all_but((channel, places))
    kernel = os.pidfd_open(kernel_pid) if hasattr(os, "pidfd_open") else None
    culprit = _import(setting["libraries"])
    if culprit is not None:
        _begin_again(setting, channel, places, kernel_pid, culprit)
    process.load_ahead(setting["sources"])
    _let_go_of_the_tools()
    if limits.memory_held() >> 20 > setting["most_mb"]:
        held_by_libraries.seal(places)
        os._exit(0)
    gc.collect()
    gc.freeze()
    held_by_libraries.tell(places, setting["libraries"])
    os.close(places)
    twins = {}
    wire = socket.socket(fileno=channel)
    wire.send(b"ready")
    watched = [channel] if kernel is None else [channel, kernel]
    askers, answers = [], {}
    while True:
        ready, _, _ = select.select([*watched, *askers], [], [])
        if kernel in ready:
            os._exit(0)
        askers = [asker for asker in askers if asker not in ready or driver_tools.answer(asker, answers)]
        if channel not in ready:
            continue
        message, descriptors, _, _ = socket.recv_fds(wire, 1 << 12, DESCRIPTORS)
        if not message:
            os._exit(0)
        told = json.loads(message)
        if "end" in told:
            _end(twins.pop(told["end"], None))
            continue
        here = os.getpid()
        asker, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        pid = os.fork()
        if pid == 0:
            for own in (wire, asker, *askers):
                own.close()
            _live(setting, [*descriptors, theirs.detach()], here)
        theirs.close()
        askers.append(asker)
        twins[told["run"]] = pid
        for descriptor in descriptors:
            os.close(descriptor)


def _close_all_but(kept):
    for name in os.listdir("/proc/self/fd"):
        if int(name) > 2 and int(name) not in kept:
            with contextlib.suppress(OSError):
                os.close(int(name))


def _import(libraries):
    """The library that called the driver of the GPU when it was imported; None when none did. What is forked after such a
    call can never use the GPU."""
    for name in [*libraries, "IPython.core.interactiveshell"]:
        # What cannot be imported now is imported, or refused, by the twin that needs it.
        with contextlib.suppress(BaseException):
            importlib.import_module(name)
        if held_by_libraries.driver_is_called():
            return name.partition(".")[0]
    return None


def _let_go_of_the_tools():
    """A library may have asked the driver's tools whether there is a GPU. They keep its devices open, a twin's isolation
    takes these away, and then they fail there: a twin opens them for itself."""
    with contextlib.suppress(OSError, AttributeError):
        tools = ctypes.CDLL(TOOLS, mode=os.RTLD_NOLOAD)
        for _ in range(MOST_USERS):
            if tools.nvmlShutdown() != 0:
                break


def _begin_again(setting, channel, places, kernel_pid, culprit):
    """As a fresh process, without the library: twins that need it import it themselves. Never returns."""
    left = [name for name in setting["libraries"] if name.partition(".")[0] != culprit]
    spoilt = setting.get("spoilt", 0) + 1
    if culprit == "torch" or spoilt > MOST_SPOILT:
        held_by_libraries.seal(places)
        os._exit(0)
    told = os.memfd_create("spare", 0)
    with os.fdopen(os.dup(told), "wb") as file:
        file.write(json.dumps({**setting, "libraries": left, "spoilt": spoilt}).encode())
    os.lseek(told, 0, os.SEEK_SET)
    given = [told, channel, places]
    for descriptor in given:
        os.set_inheritable(descriptor, True)
    os.execv(sys.executable, [sys.executable, "-c", boot.SPARE, *map(str, given), str(kernel_pid)])


def _end(pid):
    if pid is not None:
        with contextlib.suppress(ProcessLookupError, ChildProcessError):
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def _live(setting, descriptors, spare_pid):
    """The life of a twin. It makes its place, and its context on the GPU, before what the cell needs is there. Never
    returns."""
    try:
        place, payload, writing, leash, go, asking = descriptors
        with os.fdopen(place, "rb") as file:
            file.seek(0)
            given = json.loads(file.read())
        teller = Teller(writing, given["errand"]["word"])
        errand = Errand(given["errand"], writing, leash, (payload, go, asking), lambda: _again(teller))
        try:
            sys.path[:] = given["path"]
            os.environ.clear()
            os.environ.update(given["environment"])
            os.chdir(given["folder"])
            limits.tie_to_kernel(spare_pid)
            limits.apply(errand)
            isolation = strengths.enter(errand)
            if not errand.processes:
                driver_tools.ask_through(asking)
            own = _own_gpu(given["devices"], teller) if errand.on_gpu else None
            if os.read(go, 1):
                os.close(go)
                carried = os.fdopen(payload, "rb")
                carried.seek(0)
                told = {**json.loads(carried.readline()), "sources": setting["sources"]}
                process.run(told, carried, teller, isolation.fence, own)
        except BaseException as error:
            teller.tell(failed=reasons.preparing_failed("%s: %s" % (type(error).__name__, message_of(error))))
    finally:
        os._exit(0)


def _own_gpu(devices, teller):
    own = gpu_memory.OwnGpu()
    try:
        own.start(devices)
    except Exception as error:
        teller.tell(again="without-gpu", because="%s: %s" % (type(error).__name__, error))
        os._exit(0)
    return own


def _again(teller):
    teller.tell(again="processes")
    os._exit(0)
