# Keeps a spare process beside a kernel that cannot be forked: the same interpreter with the same libraries imported and
# nothing of the user's, which forks a twin in milliseconds. Importing is most of what a fresh twin costs. It is started by
# the first twin, ends with the kernel, and is replaced when the kernel has come to use other libraries.
import hashlib
import json
import os
import select
import socket
import sys

from ..isolation import copies
from ..objects.lookup import module_dict
from . import boot

# Where installed libraries lie, and those that only a kernel needs.
INSTALLED = ("site-packages", "dist-packages")
OF_A_KERNEL = frozenset(("ipykernel", "debugpy", "jupyter_client", "zmq", "tornado"))
MOST_MB = 3072
IDLE = 0.5
# The name under which a kernel keeps its spares.
KEPT = "_grus_spares"


class Spare:
    """The kernel's end of it."""

    def __init__(self, kernel, loop, sources):
        self.libraries = _libraries()
        self.errands = 0
        setting = {"path": _path(), "sources": sources, "libraries": self.libraries, "most_mb": MOST_MB}
        told = os.memfd_create("spare")
        with os.fdopen(os.dup(told), "wb") as file:
            file.write(json.dumps(setting).encode())
        os.lseek(told, 0, os.SEEK_SET)
        self.channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        null = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        self.places = os.memfd_create("places", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        given = [told, theirs.fileno(), self.places]
        for descriptor in given:
            os.set_inheritable(descriptor, True)
        arguments = [sys.executable, "-c", boot.SPARE, *map(str, given), str(os.getpid())]
        quiet = [(os.POSIX_SPAWN_DUP2, null, number) for number in range(3)]
        # Whether there is a GPU is asked of its driver's tools: to ask CUDA would spoil it for what is forked.
        environment = {**os.environ, "PYTORCH_NVML_BASED_CUDA_CHECK": "1"}
        pid = os.posix_spawn(sys.executable, arguments, environment, file_actions=quiet)
        copies.Reaper(pid, kernel.shell, loop).reap()
        os.set_inheritable(self.places, False)
        os.close(told)
        os.close(null)
        theirs.close()

    def is_ready(self):
        """Whether it has imported everything: it says so once."""
        return bool(select.select([self.channel], [], [], 0)[0])

    def run(self, descriptors):
        """Number of the errand; None when the spare is gone. The descriptors are those of a job's `hand_over`."""
        self.errands += 1
        if not self._send({"run": self.errands}, descriptors):
            return None
        return self.errands

    def end(self, errand):
        """Whether it was told."""
        return self._send({"end": errand}, [])

    def _send(self, told, descriptors):
        try:
            socket.send_fds(self.channel, [json.dumps(told).encode()], descriptors, socket.MSG_DONTWAIT)
            return True
        except OSError:
            self.close()
            return False

    def close(self):
        """It ends, and everything that it has forked."""
        self.channel.close()
        if self.places is not None:
            os.close(self.places)
        self.places = None

    def is_open(self):
        return self.channel.fileno() != -1


class Spares:
    """Those of one kernel: the one in use, and the next, which takes over once it has imported more."""

    now: "Spare | None" = None
    coming: "Spare | None" = None

    def __init__(self, version):
        self.version = version

    def close(self):
        for one in (self.now, self.coming):
            if one is not None:
                one.close()


def spare(kernel, loop, sources):
    """The spare of this kernel, started when there is none; None where it cannot be started. When the kernel has come to use
    other libraries, the next one is started at an idle moment."""
    spares = _spares(kernel, sources)
    if spares.coming is not None and spares.coming.is_ready():
        if spares.now is not None:
            spares.now.close()
        spares.now, spares.coming = spares.coming, None
    if spares.now is None or not spares.now.is_open():
        spares.now = _started(kernel, loop, sources)
    elif spares.coming is None and not set(_libraries()).issubset(spares.now.libraries):
        loop.call_later(IDLE, _prepare, spares, kernel, loop, sources)
    return spares.now


def _spares(kernel, sources):
    """Kept by the kernel itself: every client that connects brings an agent of its own, and finds what is there."""
    version = hashlib.sha256(json.dumps(sources, sort_keys=True).encode()).hexdigest()
    kept = vars(kernel).get(KEPT)
    if kept is not None and kept.version == version:
        return kept
    if kept is not None:
        kept.close()
    made = vars(kernel)[KEPT] = Spares(version)
    return made


def _started(kernel, loop, sources):
    try:
        return Spare(kernel, loop, sources)
    except OSError:
        return None


def _prepare(spares, kernel, loop, sources):
    if spares.coming is None:
        spares.coming = _started(kernel, loop, sources)


def _path():
    return [part for part in sys.path if isinstance(part, str)]


def _libraries():
    """Names of the installed modules that the kernel has loaded, in the order of their loading."""
    found = []
    for name, module in list(sys.modules.items()):
        path = (module_dict(module) or {}).get("__file__")
        known = type(name) is str and type(path) is str and any(place in path for place in INSTALLED)
        if known and name.partition(".")[0] not in OF_A_KERNEL:
            found.append(name)
    return found
