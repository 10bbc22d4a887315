"""Answers questions about the live objects in place, with the agent that the process beside the kernel brought along.

Dry runs and questions to the libraries wait for a copy of this process, in a loop of our own: the kernel's is busy."""

import contextlib
import heapq
import importlib
import itertools
import select
import time
import types

# The agent imports nothing by itself: what it uses of the standard library is there once the guard is.
OF_THE_AGENT = (
    "ast asyncio collections copy ctypes dis errno fcntl functools glob hashlib importlib.machinery inspect io json keyword "
    "linecache math operator pickle random re resource shutil signal socket stat struct tempfile termios threading warnings"
).split()


def load_agent(shell):
    """A function that turns the agent's source into one that answers requests."""

    def load(source):
        for name in OF_THE_AGENT:
            # Some are missing where there are no copies.
            with contextlib.suppress(ImportError):
                importlib.import_module(name)
        namespace = {"__name__": "grus", "IN_PLACE": True}
        exec(compile(source, "<grus agent>", "exec", dont_inherit=True), namespace)
        return Agent(shell, namespace)

    return load


class Agent:
    def __init__(self, shell, namespace):
        self.version = namespace["VERSION"]
        self.load = namespace["load"]
        self.sources = namespace["SOURCES"]
        self.kernel = getattr(shell, "kernel", None) or types.SimpleNamespace(shell=shell)
        self.shell = shell
        self.loop = Loop()
        self.copied = False

    def __call__(self, kind, request, deadline):
        if kind == "grus_snapshot_request":
            started = time.perf_counter()
            content = self.load("grus_agent.protocol.snapshot_requests").answered(request, self.shell)
            return dict(content, agent=self.version, agent_ms=round((time.perf_counter() - started) * 1000, 3))
        replies = []
        self.copied = True
        self._copy_module("inquiry")
        self._copy_module("dry_run")
        try:
            self.load("grus_agent.protocol.copy_requests").handle(
                self.kernel, request, replies.append, self.load, self.sources
            )
            self.loop.run(lambda: bool(replies), deadline)
        except Exception as error:
            return {"status": "error", "ename": type(error).__name__, "evalue": str(error)[:500]}
        return dict(replies[0] if replies else {"status": "error", "ename": "Late", "evalue": ""}, agent=self.version)

    def _copy_module(self, room):
        module = self.load("grus_agent.%s.kernel_side" % room)
        module.asyncio = types.SimpleNamespace(get_running_loop=lambda: self.loop)

    def let_go(self):
        """Copies that nobody asks any more are ended, and waited for: a cell must not find them among its children."""
        if self.copied:
            copies = self.load("grus_agent.isolation.copies")
            for copy in list(copies.alive):
                copy.give_way()
            copies.collect()


class Timer:
    def __init__(self, function, arguments):
        self.function, self.arguments = function, arguments

    def cancel(self):
        self.function = None


class Loop:
    """As much of an event loop as copies need: later, soon, and when a pipe can be read."""

    def __init__(self):
        self.timers, self.readers, self.order = [], {}, itertools.count()

    def call_later(self, seconds, function, *arguments):
        timer = Timer(function, arguments)
        heapq.heappush(self.timers, (time.monotonic() + seconds, next(self.order), timer))
        return timer

    def call_soon(self, function, *arguments):
        return self.call_later(0, function, *arguments)

    def add_reader(self, descriptor, function):
        self.readers[descriptor] = function

    def remove_reader(self, descriptor):
        self.readers.pop(descriptor, None)

    def run(self, done, deadline):
        while not done() and time.monotonic() < deadline:
            until = min([deadline, *(entry[0] for entry in self.timers[:1])])
            ready, _, _ = select.select(list(self.readers), [], [], max(0.0, until - time.monotonic()))
            for descriptor in ready:
                if descriptor in self.readers:
                    self.readers[descriptor]()
            while self.timers and self.timers[0][0] <= time.monotonic():
                timer = heapq.heappop(self.timers)[2]
                if timer.function is not None:
                    timer.function(*timer.arguments)
