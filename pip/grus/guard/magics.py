"""`%grus` and `%%grus`: the guard's state, on and off, a check or a rehearsal when it is asked for."""

from .guard import RUNS_ANYWAY

USAGE = """%grus                 what the guard does
%grus on, %grus off   check cells before they run, or let them run
%grus run             run the cell that was held last
%grus check CODE      judge a piece of code without running it; `%%grus check` judges the cell below
%%grus rehearse       run the cell below in an isolated copy of this kernel, and say how it ends"""

UNHURRIED = 120.0


class Magics:
    def __init__(self, guard):
        self.guard = guard

    def line(self, line):
        """%grus"""
        word, _, rest = line.strip().partition(" ")
        if word == "":
            print(self._state())
        elif word in ("on", "off"):
            self.guard.on = word == "on"
            self.guard.asker.misses = 0
            print(self._state())
        elif word == "run":
            self.guard.run_refused()
        elif word == "check" and rest.strip():
            self._tell({"task": "check", "source": rest.strip()})
        else:
            print(USAGE)

    def line_or_cell(self, line, cell=None):
        """%grus and %%grus"""
        if cell is None:
            self.line(line)
        elif line.strip() in ("check", "rehearse"):
            self._tell({"task": line.strip(), "source": cell})
        else:
            print(USAGE)

    def _tell(self, question):
        self.guard.asker.misses = 0
        told = self.guard.asker.ask(question, UNHURRIED)
        if told is None:
            print("Grus could not judge it: %s" % self.guard.asker.problem)
        else:
            self.guard.show(told)

    def _state(self):
        guard = self.guard
        if not guard.on:
            return "Grus is off: cells run unchecked. `%grus on` switches it on."
        asker = guard.asker
        if asker.rests or (asker.beside is None and asker.problem):
            return "Grus does not work here, and cells run unchecked: %s. `%%grus on` tries again." % asker.problem
        counts = "%(checked)d cells checked, %(held)d held" % guard.counts
        state = "Grus checks every cell before it runs: %s. A held cell runs with `%s`." % (counts, RUNS_ANYWAY)
        return "\n".join([state, *self.settings()])

    def settings(self):
        """What is to be said about the settings of the project: nothing without any."""
        beside = self.guard.asker.beside
        told = beside.settings if beside is not None else {}
        if told.get("problem"):
            return ["Settings: %s They do not hold." % told["problem"]]
        return ["Settings: %s" % told["file"]] if told.get("file") else []
