"""Stands in front of every cell. IPython's hook before a cell has it judged; a transformer of its syntax tree, which IPython
lets refuse a cell, holds it. Silent and internal executions fire no such hook. Whatever fails here, the cell runs."""

import os
import time

from IPython.core.error import InputRejected

from ..node import node_command
from ..version import VERSION
from .beside import Asker, Beside
from .in_place import load_agent

PATIENCE = 1.0
"""Seconds that a cell may be kept waiting; it runs when they are over."""
STARTS_WITHIN = 20.0
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
        self.owner = os.getpid()
        self.asker = Asker(self._start)
        self.held = None
        """The exception that keeps the cell from running that is about to."""
        self.refused = None
        """The source of the cell that was held last."""
        self.let_through = None
        """A source that runs unasked, once."""
        self.counts = {"checked": 0, "held": 0}

    def load(self):
        self.asker.open()
        self.shell.events.register("pre_run_cell", self.before_cell)
        self.shell.ast_transformers.append(self)

    def unload(self):
        self.shell.events.unregister("pre_run_cell", self.before_cell)
        self.shell.ast_transformers = [one for one in self.shell.ast_transformers if one is not self]
        self.asker.close()

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
            told = self.asker.ask({"task": "guard", "source": source}, PATIENCE)
        except KeyboardInterrupt:
            # Half a message may be in the pipe; and whoever interrupts does not want the cell to run.
            self.asker.close()
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
            raise OSError("the guard works on Linux and macOS")
        beside = Beside(node_command(), load_agent(self.shell), VERSION)
        try:
            beside.greet(time.monotonic() + STARTS_WITHIN)
        except Exception:
            beside.end()
            raise
        return beside


def _is_ours(source):
    return source.lstrip().startswith(("%grus", "%%grus", "%load_ext grus", "%reload_ext grus", "%unload_ext grus"))
