"""Stands in front of every cell. IPython's hook before a cell has it judged; a transformer of its syntax tree, which IPython
lets refuse a cell, holds it. Silent and internal executions fire no such hook. Whatever fails here, the cell runs."""

import os

from IPython.core.error import InputRejected

from ..node import node_command
from .beside import Beside, Gone, Late
from .in_place import load_agent

PATIENCE = 1.0
"""Seconds that a cell may be kept waiting; it runs when they are over."""
MOST_MISSES = 3
RUNS_ANYWAY = "%grus run"
HOW_TO_RUN = "To run it anyway: `%s` in a cell of its own, or `# grus: ignore` at the end of the line." % RUNS_ANYWAY


class CellHeld(InputRejected):
    """Grus is certain that the cell would crash; nothing of it ran."""

    def __init__(self, told):
        exception = told["verdict"]["exception"] or {"type": "an exception", "message": ""}
        super().__init__("%s: %s (line %s)" % (exception["type"], exception["message"], told["verdict"]["line"]))
        self.told = told

    def _render_traceback_(self):
        """What IPython shows in place of a traceback."""
        return ["Grus held this cell: it would raise %s" % self, "Nothing of it ran. " + HOW_TO_RUN]


class Guard:
    def __init__(self, shell):
        self.shell = shell
        self.on = True
        self.beside = None
        self.owner = os.getpid()
        self.misses = 0
        self.problem = None
        self.held = None
        """The exception that keeps the cell from running that is about to."""
        self.refused = None
        """The source of the cell that was held last."""
        self.let_through = None
        """A source that runs unasked, once."""
        self.counts = {"checked": 0, "held": 0}

    def load(self):
        self._start()
        self.shell.events.register("pre_run_cell", self.before_cell)
        self.shell.ast_transformers.append(self)

    def unload(self):
        self.shell.events.unregister("pre_run_cell", self.before_cell)
        self.shell.ast_transformers = [one for one in self.shell.ast_transformers if one is not self]
        self._end()

    def before_cell(self, info):
        """Called by IPython. Throws nothing."""
        self.held = None
        source = info.raw_cell
        if source == self.let_through:
            self.let_through = None
            return
        if not self.on or info.silent or os.getpid() != self.owner or _is_ours(source):
            return
        try:
            told = self.ask({"task": "guard", "source": source}, PATIENCE)
        except KeyboardInterrupt:
            # Half a message may be in the pipe; and whoever interrupts does not want the cell to run.
            self._end()
            self.held = InputRejected("interrupted before the cell ran")
            return
        if told is None:
            return
        self.counts["checked"] += 1
        if told["certain"]:
            self.counts["held"] += 1
            self.refused = source
            self.held = CellHeld(told)

    def visit(self, node):
        """Called by IPython with the tree of the cell that is about to run."""
        held, self.held = self.held, None
        if held is None:
            return node
        if isinstance(held, CellHeld):
            self.show(held.told)
        raise held

    def ask(self, question, seconds):
        """The answer, or None when there is none in time."""
        if self.misses >= MOST_MISSES:
            return None
        try:
            if self.beside is None:
                self._start()
            if self.beside is None:
                self._miss(self.problem)
                return None
            told = self.beside.ask(question, seconds)
            self.beside.answer.let_go()
            if "failed" not in told:
                self.misses = 0
                return told
            self._miss(told["failed"])
        except Late:
            self._miss("it took longer than %.1f s" % seconds)
        except Gone as gone:
            self._end()
            self._miss(str(gone))
        except Exception as error:
            self._end()
            self._miss("%s: %s" % (type(error).__name__, error))
        return None

    def run_refused(self):
        source, self.refused = self.refused, None
        if source is None:
            print("Grus has held no cell.")
            return
        self.let_through = source
        self.shell.run_cell(source, store_history=False)

    def show(self, told):
        publish = getattr(self.shell.display_pub, "publish", None)
        if publish is not None:
            publish(data={"text/plain": told["text"], "text/html": told["html"]}, metadata={})

    def _start(self):
        if os.name != "posix":
            self.problem = "the guard works on Linux and macOS"
            return
        try:
            self.beside = Beside(node_command(), load_agent(self.shell))
            self.problem = None
        except Exception as error:
            self.problem = str(error) or "the process beside the kernel did not start"

    def _end(self):
        beside, self.beside = self.beside, None
        if beside is not None:
            beside.end()

    def _miss(self, problem):
        self.problem = problem
        self.misses += 1


def _is_ours(source):
    return source.lstrip().startswith(("%grus", "%%grus", "%load_ext grus", "%reload_ext grus", "%unload_ext grus"))
