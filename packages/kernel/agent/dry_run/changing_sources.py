# What answers differently each time, in a copy or in the kernel: clocks, process numbers, randomness from the system, the
# state of the machine. A crash that may hang on such an answer, or a finish after a decision on one, proves nothing; what
# only comes beside it does, and so does an error about what a thing is that no answer decided about.
import ast
import re
import sys
import types

from ..objects.callables import codes_within
from ..protocol import reasons
from ..shorten.failing_part import position_of
from .data_flow import Reading

CLOCKS = (
    "time time_ns monotonic monotonic_ns perf_counter perf_counter_ns process_time process_time_ns thread_time "
    "thread_time_ns clock_gettime clock_gettime_ns localtime gmtime ctime asctime strftime"
).split()
# module: (names of its functions, what they tell).
FUNCTIONS = {
    "time": (CLOCKS, "clock"),
    "os": ("getpid getppid getpgid getpgrp getsid get_terminal_size".split(), "process"),
    "threading": (("get_native_id", "get_ident"), "process"),
    "multiprocessing": (("current_process", "parent_process", "active_children"), "process"),
    "uuid": (("uuid1", "uuid4", "getnode"), "entropy"),
    "secrets": ("token_bytes token_hex token_urlsafe choice randbelow randbits SystemRandom".split(), "entropy"),
    "shutil": (("disk_usage",), "machine"),
    "resource": (("getrusage",), "machine"),
    "psutil": (None, "machine"),
    "torch": (("seed",), "entropy"),
    "signal": (("getitimer", "setitimer", "alarm"), "clock"),
}
MORE_OF_OS = {
    "urandom": "entropy",
    "getrandom": "entropy",
    "statvfs": "machine",
    "fstatvfs": "machine",
    "getloadavg": "machine",
    "times": "machine",
}
# Draw from the system when they are given nothing.
UNSEEDED = frozenset("default_rng RandomState PCG64 MT19937 Philox SFC64 SeedSequence SystemRandom seed Random".split())
BY_NAME = {"now": "clock", "utcnow": "clock", "today": "clock"}
# Under Landlock temporary files are in a folder of the copy's own. Where one was made matters for a crash alone.
TEMPORARY = ("gettempdir", "gettempdirb")
MADE_THERE = ("mkdtemp", "mkstemp", "mktemp", "NamedTemporaryFile", "TemporaryDirectory")
# Errors about what things are. Of their subclasses nobody knows.
ABOUT_KIND = (TypeError, AttributeError)
# Code that says none of these words, and calls nothing that an earlier cell has made or named, asks for nothing.
WORDS = frozenset(
    [*(name for names, _ in FUNCTIONS.values() for name in names or ()), *FUNCTIONS, *MORE_OF_OS, *UNSEEDED, *BY_NAME]
    + [*TEMPORARY, *MADE_THERE, "tempdir"]
) - {"os", "torch"}
# Magics whose cell is Python, counted from its own first line.
AROUND_PYTHON = re.compile(r"\s*%%(time|capture|prun)\b[^\n]*\n")


class ChangingSources:
    """The doubts about cells of a shell. `answered`: functions of `os` that answer here as the kernel would."""

    def __init__(self, shell, strength, answered=()):
        self.shell = shell
        self.strength = strength
        self.answered = answered

    def doubt(self, error, source, effects=None):
        """Why the end of the cell, with the error that it raised or None, may be another in the kernel."""
        found = self._found(error, source)
        return None if found is None else reasons.cannot_know(found)

    def _found(self, error, source):
        """What it may depend on: "clock", "process", "entropy", "machine", "temporary-folder", or None."""
        try:
            tree = ast.parse(self.shell.transform_cell(AROUND_PYTHON.sub("", source, count=1)))
        except (SyntaxError, ValueError):
            return None
        namespace = self.shell.user_ns
        if error is None and not _may_ask(tree, namespace):
            return None
        table = _table(self.strength, error is not None)
        for name in self.answered:
            table.pop(id(vars(sys.modules["os"])[name]), None)
        reading = Reading(tree.body, namespace, Asks(namespace, table))
        return reading.decides() if error is None else _of_frames(reading, *_frames(error, namespace))


def _may_ask(tree, namespace):
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            word = node.attr
        elif isinstance(node, ast.alias):
            word = node.name.partition(".")[0]
        elif isinstance(node, ast.ImportFrom):
            word = (node.module or "").partition(".")[0]
        elif isinstance(node, ast.Name):
            word = node.id
            if _may_be_asked(namespace.get(word)):
                return True
        else:
            continue
        if word in WORDS:
            return True
    return False


def _may_be_asked(value):
    if type(value) is types.ModuleType:
        return vars(value).get("__name__") == "psutil"
    return callable(value) or type(value).__module__ == "__main__"


def _frames(error, namespace):
    """(code, line, column or None) of the notebook's own code that was at work, outermost first; and the position of the
    part that failed, where that is known and the error is about what a thing is."""
    step, found, position = error.__traceback__, [], None
    while step is not None:
        if step.tb_frame.f_globals is namespace:
            position = position_of(step)
            found.append((step.tb_frame.f_code, step.tb_lineno, position and position[2]))
        step = step.tb_next
    return found, position if type(error) in ABOUT_KIND else None


def _of_frames(cell, frames, kinds_at):
    for depth, (code, line, column) in enumerate(frames):
        is_last = depth == len(frames) - 1
        of_cell = code.co_name == "<module>" or code.co_name.startswith("<cell line")
        reading = cell if of_cell else cell.within(types.FunctionType(code, cell.namespace, None, None, _cells(code)))
        place = (line, column, is_last, kinds_at if is_last else None)
        found = cell.asks.in_code(code) if reading is None else reading.at(*place)
        if found:
            return found
    return None


def _cells(code):
    return tuple(types.CellType() for _ in code.co_freevars)


class Asks:
    """What a call asks for. Called with a function alone, what it asks for somewhere in its code; with a name alone, what a
    variable of that name tells."""

    def __init__(self, namespace, table):
        self.namespace = namespace
        self.table = table
        self.known = {}

    def __call__(self, call, name, value):
        if call is None:
            return self._inside(value) if name is None else self.table.get(name)
        found = self.table.get(id(value)) if value is not None else None
        if found is None and value is not None and name in UNSEEDED and not call.args and not call.keywords:
            return "entropy" if _module(value).partition(".")[0] in ("numpy", "random") else None
        return found or (BY_NAME.get(name) if isinstance(call.func, ast.Attribute) else None)

    def _inside(self, value):
        """What a function of the notebook asks for, itself or through others."""
        if type(value) is not types.FunctionType or value.__module__ != "__main__":
            return None
        if id(value) not in self.known:
            self.known[id(value)] = None
            self.known[id(value)] = self.in_code(value.__code__)
        return self.known[id(value)]

    def in_code(self, code):
        for names in (each.co_names for each in codes_within(code)):
            for name in names:
                value = self.namespace.get(name)
                found = self.table.get(id(value)) or self._inside(value)
                if type(value) is types.ModuleType:
                    members = map(vars(value).get, names)
                    found = next((self.table[id(member)] for member in members if id(member) in self.table), None)
                if found or name in BY_NAME:
                    return found or BY_NAME[name]
        return None


def _module(value):
    found = getattr(value, "__module__", None) or type(value).__module__
    return found if type(found) is str else ""


def _table(strength, raised):
    """id of a function to what it tells, for the modules that are loaded; and the name of the one variable that tells."""
    table = {}
    for name, (functions, tells) in FUNCTIONS.items():
        held = vars(sys.modules[name]) if name in sys.modules else {}
        for function in held if functions is None else functions:
            if callable(held.get(function)):
                table[id(held[function])] = tells
    of_os = vars(sys.modules["os"])
    table.update((id(of_os[name]), tells) for name, tells in MORE_OF_OS.items() if name in of_os)
    if strength == "landlock" and "tempfile" in sys.modules:
        held = vars(sys.modules["tempfile"])
        names = TEMPORARY + MADE_THERE if raised else TEMPORARY
        table.update((id(held[name]), "temporary-folder") for name in names)
        table["tempdir"] = "temporary-folder"
    return table
