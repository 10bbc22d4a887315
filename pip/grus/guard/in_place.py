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
# Objects of classes from here are not asked of a library.
NO_LIBRARY = frozenset(("builtins", "__main__"))


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
        self.expected = None
        """Questions that the judged cell is likely to raise."""
        self.over = False
        """Whether the copy that is asked has answered all that it will be."""

    def __call__(self, kind, request, deadline):
        if kind == "grus_snapshot_request":
            self.expected = request.get("expects")
            started = time.perf_counter()
            content = self.load("grus_agent.protocol.snapshot_requests").answered(request, self.shell)
            return dict(content, agent=self.version, agent_ms=round((time.perf_counter() - started) * 1000, 3))
        replies = []
        self._make_copies_here()
        questions = request.get("questions")
        is_last = _is_last_round(questions)
        if is_last:
            questions["last"] = True
        try:
            self.load("grus_agent.protocol.copy_requests").handle(
                self.kernel, request, replies.append, self.load, self.sources
            )
            self.loop.run(lambda: bool(replies), deadline)
            self.over = is_last
        except Exception as error:
            return {"status": "error", "ename": type(error).__name__, "evalue": str(error)[:500]}
        return dict(replies[0] if replies else {"status": "error", "ename": "Late", "evalue": ""}, agent=self.version)

    def beforehand(self):
        """The question is sent. While the cell is parsed, the classes are found that its objects may be of."""
        self.load("grus_agent.objects.lookup").forget_holders()
        self.load("grus_agent.describe.registry").keep_tables()

    def meanwhile(self):
        """The reply is sent. While the cell is judged, a copy gets ready where its questions will be about objects of
        libraries; not before the objects were read: as long as there is a copy, reading is slow. Or one ends."""
        over, self.over = self.over, False
        if over:
            self.load("grus_agent.inquiry.kernel_side").Consulted.last.end()
        expected, self.expected = self.expected, None
        if expected is None:
            return
        lookup = self.load("grus_agent.objects.lookup")
        found = [lookup.entry(self.shell.user_ns, name, None) for name in expected["about"]]
        if all(lookup.class_module(type(value)) in NO_LIBRARY for value in found):
            return
        self._make_copies_here()
        # Whatever keeps it from being made is told when the questions come.
        with contextlib.suppress(Exception):
            self.load("grus_agent.inquiry.kernel_side").expect(self.kernel, expected)

    def fresh_loop(self):
        """For a process that was forked: it waits for nothing that the kernel waits for."""
        self.loop = Loop()
        return self.loop

    def _make_copies_here(self):
        self.copied = True
        self._copy_module("inquiry")
        self._copy_module("dry_run")

    def _copy_module(self, room):
        module = self.load("grus_agent.%s.kernel_side" % room)
        module.asyncio = types.SimpleNamespace(get_running_loop=lambda: self.loop)

    def let_go(self):
        """Copies that nobody asks any more are ended, and waited for: a cell must not find them among its children."""
        self.load("grus_agent.describe.registry").drop_tables()
        if self.copied:
            copies = self.load("grus_agent.isolation.copies")
            for copy in list(copies.alive):
                copy.give_way()
            copies.collect()


def _is_last_round(questions):
    """Steps on real objects are planned to their end at once. Should more be asked all the same, another copy is made."""
    if questions is None:
        return False
    wanted = set(questions["wanted"])
    return all(step.get("real") for step in questions["steps"] if step["id"] in wanted)


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
