# What only the kernel knows: the other ends of its pipes and sockets, the children it has started, threads and tasks that
# are at work in it. The copy notes when a cell asks for one of them; whatever the cell does after that proves nothing.
import fcntl
import os
import select
import socket
import stat
import sys
import types

from ..protocol import reasons
from ..twin.needed_names import needed_names
from . import own_numbers
from .changing_sources import ChangingSources
from .copied_files import CopiedFiles

WAITS = ("wait", "waitpid", "waitid", "wait3", "wait4")
# Of a socket: what tells nothing about its other end.
HARMLESS = frozenset("close fileno detach gettimeout settimeout getblocking setblocking family type proto timeout".split())
AT_WORK = {
    "concurrent.futures._base": ("Future",),
    "asyncio": ("Future", "Task"),
    "multiprocessing.pool": ("ApplyResult",),
    "multiprocessing.process": ("BaseProcess",),
}
BETWEEN_THREADS = {
    "threading": ("Thread", "Event", "Condition", "Semaphore", "Barrier"),
    "_thread": ("lock", "RLock"),
    "queue": ("Queue", "SimpleQueue"),
}
REACHED = 500
# As they are before anybody watches them.
WAITID, FSTAT = os.waitid, os.fstat
# Functions that are asked about a descriptor and leave no mark on it.
ABOUT_DESCRIPTORS = {
    "os": "isatty ttyname get_terminal_size tcgetpgrp tcsetpgrp fstat lseek get_blocking fpathconf".split(),
    "fcntl": ("fcntl", "ioctl", "flock", "lockf"),
    "termios": ("tcgetattr", "tcsetattr", "tcsendbreak", "tcdrain", "tcflush", "tcflow", "tcgetwinsize", "tcsetwinsize"),
}


LOCKS = ("flock", "lockf")
# Sets of descriptors that were made in an earlier cell: what they say cannot be followed.
POLLS = (type(select.poll()), select.epoll)


class Unknowable:
    """`sources`: what the cell that runs now has asked for."""

    def __init__(self, descriptors, shell, threads, strength):
        self.stand_ins = descriptors.stand_ins
        self.copied_files = CopiedFiles(descriptors, lambda: self.sources.add("open-file"))
        self.shell = shell
        self.threads = threads
        self.changing = ChangingSources(shell, strength, own_numbers.ANSWERED)
        self.sources = set()

    def watch(self):
        """From here on. Whoever calls these in the copy goes through a function that looks at the answer."""
        for name in WAITS:
            if hasattr(os, name):
                setattr(os, name, self._heard(getattr(os, name)))
        for module, names in ABOUT_DESCRIPTORS.items():
            held = sys.modules.get(module)
            for name in names:
                if hasattr(held, name):
                    setattr(held, name, self._looking(getattr(held, name)))
        for name in LOCKS:
            setattr(fcntl, name, self._locking(getattr(fcntl, name)))
        self.copied_files.watch()
        self._forget_children()
        self._watch_popen()
        self._watch_polls()
        self._watch_sockets()

    def before(self, sources):
        """What the next cells can reach before they run, and what is at work there."""
        self.sources.clear()
        self.stand_ins.settle()
        kinds = [kind for module, names in AT_WORK.items() for kind in _classes(module, names)]
        between = [kind for module, names in BETWEEN_THREADS.items() for kind in _classes(module, names)]
        if sources:
            found = list(_reached(needed_names(sources, self.shell).values()))
            if any(_is_at_work(value, kinds) for value in found):
                self.sources.add("task")
            if any(isinstance(value, POLLS) for value in found):
                self.sources.add("descriptor")
            if self.copied_files.is_mapped_and_open and any(_is_mapping(value) for value in found):
                self.sources.add("open-file")
            if self.threads and any(isinstance(value, tuple(between)) for value in found):
                self.sources.add("thread")

    def doubt(self, error, source, effects):
        """Why the end of the cell, with the error that it raised or None, may be another in the kernel."""
        if self.stand_ins.touched():
            self.sources.add("descriptor")
        if effects.of_kind("special"):
            self.sources.add("special-file")
        found = next(iter(sorted(self.sources)), None)
        return self.changing.doubt(error, source) if found is None else reasons.cannot_know(found)

    def _heard(self, function):
        def asked(*arguments, **options):
            try:
                return function(*arguments, **options)
            except ChildProcessError:
                self.sources.add("child")
                raise

        return asked

    def _is_stand_in(self, thing):
        try:
            number = thing if type(thing) is int else thing.fileno()
        except Exception:
            return False
        try:
            told = FSTAT(number)
        except (OSError, OverflowError, TypeError):
            return number in self.stand_ins.numbers
        if self.stand_ins.is_one(told):
            return True
        # The user may have closed a stand-in and opened a file in its place.
        is_file = stat.S_ISREG(told.st_mode) or stat.S_ISDIR(told.st_mode)
        return number in self.stand_ins.numbers and not is_file

    def _look_at(self, *things):
        if any(self._is_stand_in(thing) for thing in things):
            self.sources.add("descriptor")

    def _looking(self, function):
        def looked(thing, *arguments, **options):
            self._look_at(thing)
            return function(thing, *arguments, **options)

        return looked

    def _locking(self, function):
        """Under an overlay no lock of others is seen. A library waits for the lock that it wants; the notebook may ask
        whether it is free."""

        def locked(*arguments, **options):
            if sys._getframe(1).f_globals.get("__name__") == "__main__":
                self.sources.add("lock")
            return function(*arguments, **options)

        return locked

    def _forget_children(self):
        """Both look after the processes that they have started before they start another."""
        for module, name in (("subprocess", "_active"), ("multiprocessing.process", "_children")):
            held = getattr(sys.modules.get(module), name, None)
            if type(held) is list or type(held) is set:
                held.clear()

    def _watch_popen(self):
        popen = getattr(sys.modules.get("subprocess"), "Popen", None)
        for name in ("_internal_poll", "_try_wait") if popen is not None else ():
            setattr(popen, name, self._polled(getattr(popen, name)))

    def _polled(self, method):
        def polled(process, *arguments, **options):
            if process.returncode is None and not _is_child(process.pid):
                self.sources.add("child")
            return method(process, *arguments, **options)

        return polled

    def _watch_polls(self):
        whole_select, whole_poll = select.select, select.poll
        watching = self

        def select_watched(reading, writing, exceptional, *timeout):
            reading, writing, exceptional = list(reading), list(writing), list(exceptional)
            watching._look_at(*reading, *writing, *exceptional)
            return whole_select(reading, writing, exceptional, *timeout)

        class Poll:
            def __init__(self):
                self._poll = whole_poll()

            def register(self, thing, *events):
                watching._look_at(thing)
                return self._poll.register(thing, *events)

            def __getattr__(self, name):
                return getattr(self._poll, name)

        select.select, select.poll = select_watched, Poll
        for kind in _subclasses(getattr(sys.modules.get("selectors"), "_BaseSelectorImpl", None)):
            for name in ("register", "unregister", "modify", "select"):
                if name in vars(kind):
                    setattr(kind, name, self._selecting(vars(kind)[name]))

    def _selecting(self, method):
        def selecting(selector, *arguments, **options):
            self._look_at(*arguments[:1], getattr(selector, "_selector", None))
            return method(selector, *arguments, **options)

        return selecting

    def _watch_sockets(self):
        for name in dir(socket.socket):
            method = getattr(socket.socket, name)
            if not name.startswith("_") and name not in HARMLESS and callable(method):
                setattr(socket.socket, name, self._of_socket(method))

    def _of_socket(self, method):
        def used(sock, *arguments, **options):
            self._look_at(sock)
            return method(sock, *arguments, **options)

        return used


def _is_child(pid):
    try:
        WAITID(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        return True
    except ChildProcessError:
        return False


def _subclasses(kind):
    """A class and all that come from it."""
    found = [] if kind is None else [kind]
    for one in found:
        found.extend(one.__subclasses__())
    return found


def _classes(module, names):
    held = vars(sys.modules[module]) if module in sys.modules else {}
    return [held[name] for name in names if isinstance(held.get(name), type)]


def _is_at_work(value, kinds):
    if not isinstance(value, tuple(kinds)):
        return False
    for name in ("done", "ready"):
        ended = getattr(value, name, None)
        if callable(ended):
            return not ended()
    return getattr(value, "_popen", None) is not None


def _is_mapping(value):
    """A mapping of memory, or an array over one."""
    kinds = tuple(_classes("mmap", ("mmap",)) + _classes("numpy", ("memmap",)))
    return isinstance(value, kinds)


def _reached(values):
    """The values and what they hold, as far as a cell is likely to look."""
    pending, seen = list(values), set()
    while pending and len(seen) < REACHED:
        value = pending.pop()
        if id(value) in seen or isinstance(value, (str, bytes, int, float, types.ModuleType, type)):
            continue
        seen.add(id(value))
        yield value
        if type(value) in (list, tuple, set, frozenset):
            pending.extend(list(value)[:50])
        elif type(value) is dict:
            pending.extend(list(value.values())[:50])
        elif type(value).__module__ in ("__main__", "types", "collections"):
            pending.extend(list(getattr(value, "__dict__", {}).values())[:50])
        elif type(value) is types.FunctionType and value.__module__ == "__main__":
            pending.extend(cell.cell_contents for cell in value.__closure__ or () if _is_full(cell))


def _is_full(cell):
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False
