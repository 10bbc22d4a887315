"""Runs ahead of a cell that looks long. When the cell starts, a process is forked that keeps the state from before it; in
isolated copies of that one the cell runs with its loops and fits cut short. The cell does not wait. What the copies tell is
judged by the process beside the kernel; where the cell is certain to crash, the front end is told, and in the mode `block`
the cell is interrupted, unless it may have come as far as that by now.

No thread is started: the kernel's control thread, which is there anyway, listens while the cell runs."""

import contextlib
import json
import os
import random
import select
import signal
import sys
import threading
import time

FORESEEN = "grus_foreseen"
KIND = "grus_dry_request"
# Before that nothing but the fork is done: most cells that look long are not.
HEAD_START = 0.5
# So long the kernel's threads may take to come to rest.
PATIENCE = 0.03
PAUSE = 0.001
# A copy on a busy machine may take some times its budget.
STRETCH = 4
TELLS_WITHIN = 10.0
TIDIES_WITHIN = 5.0
LAZIEST = 19
READ_SIZE = 1 << 16


class Running:
    """The cell that runs, what it is to be told about, and the leash of the process that runs ahead of it."""

    def __init__(self, run, leash, parent, cell, mode, waiting):
        self.run, self.leash, self.parent, self.cell, self.mode, self.waiting = run, leash, parent, cell, mode, waiting


class Forerunners:
    """Of one kernel. `stopped(told)` is called when a cell was interrupted."""

    def __init__(self, kernel, stopped):
        self.kernel, self.stopped = kernel, stopped
        self.loop = getattr(getattr(getattr(kernel, "control_thread", None), "io_loop", None), "asyncio_loop", None)
        # This is made in the thread that runs the cells.
        self.main = threading.get_ident()
        self.lock = threading.Lock()
        self.running = None
        self.heard = None

    @property
    def possible(self):
        return self.loop is not None and hasattr(os, "pidfd_open")

    def start(self, agent, beside, errand, **cell):
        """Fork, when the kernel can be. In the kernel's main thread, right before the cell."""
        if not self.possible or beside.socket is None:
            return
        leash = _fork(agent, errand, beside.socket)
        if leash is None:
            return
        assert self.loop is not None
        if self.heard is None or self.heard.socket is not beside.socket:
            self.heard = Heard(beside.socket, self._foreseen)
            beside.is_heard = True
            self.loop.call_soon_threadsafe(self.heard.listen, self.loop)
        with self.lock:
            self.running = Running(errand["run"], leash, **cell)

    def over(self):
        """The cell has ended."""
        try:
            with self.lock:
                running, self.running = self.running, None
            if running is not None:
                # It may have ended by itself.
                with contextlib.suppress(BrokenPipeError):
                    os.write(running.leash, b".")
                os.close(running.leash)
        except KeyboardInterrupt:
            # Meant for the cell, which has ended by itself.
            self.over()

    def _foreseen(self, told):
        """In the control thread."""
        with self.lock:
            running = self.running
            if running is None or told["run"] != running.run:
                return
            verdict = told["verdict"]
            interrupts = running.mode == "block" and self._is_still_before(told["before"])
            content = {"cell": running.cell, "verdict": verdict, "interrupted": interrupts}
            self.kernel.session.send(self.kernel.iopub_socket, FORESEEN, content, running.parent, ident=b"grus")
            if interrupts:
                self.stopped({"cell": running.cell, "verdict": verdict, "behind": list(running.waiting)})
                signal.pthread_kill(self.main, signal.SIGINT)

    def _is_still_before(self, line):
        """Whether the cell is at work in an earlier line. In a loop around the crash nobody knows which round it is in."""
        frame = sys._current_frames().get(self.main)
        outermost = None
        while frame is not None:
            if frame.f_globals is self.kernel.shell.user_ns:
                outermost = frame
            frame = frame.f_back
        at = None if outermost is None else outermost.f_lineno
        return line is not None and at is not None and at < line


class Heard:
    """Lines of JSON from the process beside the kernel, read where a loop has time for it."""

    def __init__(self, socket, tell):
        self.socket, self.tell, self.rest = socket, tell, b""
        self.loop = None

    def listen(self, loop):
        self.loop = loop
        loop.add_reader(self.socket.fileno(), self._read)

    def _read(self):
        try:
            piece = self.socket.recv(READ_SIZE)
        except BlockingIOError:
            return
        except OSError:
            piece = b""
        if not piece:
            assert self.loop is not None
            self.loop.remove_reader(self.socket.fileno())
            self.socket.close()
            return
        *lines, self.rest = (self.rest + piece).split(b"\n")
        for line in lines:
            self.tell(json.loads(line))


def _fork(agent, errand, socket):
    """The end of a leash, or None where the kernel cannot be copied now."""
    request = errand["request"]
    threads = _ready(agent, request)
    if threads is None:
        return None
    copies = agent.load("grus_agent.isolation.copies")
    forerunner = Forerunner(agent, dict(errand, request=dict(request, since=time.time())), socket, threads)
    leash_reading, leash = os.pipe2(os.O_CLOEXEC)
    kernel = os.pidfd_open(os.getpid())
    with copies.undisturbed():
        child = os.fork()
        if child == 0:
            # A cell that waits for its children must not find this one: its parent ends at once.
            try:
                if os.fork() == 0:
                    forerunner.live((leash_reading, kernel))
            finally:
                os._exit(0)
    os.waitpid(child, 0)
    os.close(leash_reading)
    os.close(kernel)
    return leash


def _ready(agent, request):
    """The user's threads, which a copy lacks; None where none can be made."""
    copies, gate, limits = (agent.load("grus_agent.isolation." + name) for name in ("copies", "gate", "limits"))
    if limits.memory_held() > request["largest_mb"] << 20:
        return None
    latest = time.monotonic() + PATIENCE
    while True:
        try:
            threads = copies.ready(agent.shell)
            return None if gate.needs_native_pool(agent.shell, request["cells"]) else threads
        except gate.Refused as refusal:
            if not refusal.passing or time.monotonic() > latest:
                return None
        time.sleep(PAUSE)


class Forerunner:
    """The process that keeps the state from before the cell. Made in the kernel; lives after the fork."""

    def __init__(self, agent, errand, socket, threads):
        self.agent, self.errand, self.socket, self.threads = agent, errand, socket, threads
        self.random_state = random.getstate()
        self.numbers = agent.load("grus_agent.dry_run.own_numbers").OwnNumbers()

    def live(self, ends):
        """Until the copies have told, or one of `ends` can be read: the cell is over, or the kernel."""
        os.setsid()
        os.nice(LAZIEST)
        _first_to_go()
        random.setstate(self.random_state)
        self._stand_in_for_kernel()
        loop = self.agent.fresh_loop()
        for end in ends:
            loop.add_reader(end, self._give_up)
        loop.run(lambda: False, time.monotonic() + HEAD_START)
        seconds = self.errand["request"]["budget_ms"] / 1000
        content = self.agent(KIND, self.errand["request"], time.monotonic() + STRETCH * seconds + TELLS_WITHIN)
        self._tell({"run": self.errand["run"], "content": content})

    def _stand_in_for_kernel(self):
        """What copies ask of the kernel was asked before the fork: this process has none of its threads, and another
        number."""
        copies = self.agent.load("grus_agent.isolation.copies")
        copies.alive.clear()
        copies.ended.clear()
        copies.ready = lambda _shell, with_gpu=False: self.threads
        self.agent.load("grus_agent.dry_run.kernel_side").OwnNumbers = lambda: self.numbers

    def _give_up(self):
        loop = self.agent.loop
        loop.readers.clear()
        self.agent.let_go()
        # What the copies leave behind is removed piece by piece.
        loop.run(lambda: not loop.timers, time.monotonic() + TIDIES_WITHIN)
        os._exit(0)

    def _tell(self, told):
        rest = memoryview(json.dumps(told).encode() + b"\n")
        latest = time.monotonic() + TELLS_WITHIN
        while rest and time.monotonic() < latest:
            select.select([], [self.socket], [], TELLS_WITHIN)
            rest = rest[self.socket.send(rest) :]


def _first_to_go():
    """When the machine runs out of memory."""
    with open("/proc/self/oom_score_adj", "w") as score:
        score.write("1000")
