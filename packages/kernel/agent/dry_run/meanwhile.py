# A copy that runs while its cell does. Both see the same files: what the cell has done to one of them, the copy may trip
# over. Whatever an exception may owe to that proves nothing.
import os
import sys

from ..protocol import reasons
from .cells import chain_of

LOOKS = frozenset(("open", "os.listdir", "os.scandir"))
# Files are dated by a clock that ticks slowly.
TICK = 0.05
NATIVE = ("ctypes.dlopen", "ctypes.dlsym")


class Meanwhile:
    """`unknowable` has the other doubts; `since`: the time at which the cell began."""

    def __init__(self, unknowable, since):
        self.unknowable, self.since = unknowable, since
        self.met = False
        sys.addaudithook(self._look)

    def _look(self, event, args):
        """Whether the copy reads what was changed since."""
        if event in LOOKS and not self.met and args and type(args[0]) in (str, bytes):
            try:
                self.met = os.stat(args[0]).st_mtime >= self.since - TICK
            except (OSError, ValueError):
                return

    def doubt(self, error, source, effects):
        found = self.unknowable.doubt(error, source, effects)
        if found is not None or error is None:
            return found
        changes = any(not note["what"].startswith(NATIVE) for note in effects.notes)
        about_files = any(isinstance(link, OSError) for link in [error, *chain_of(error)])
        return reasons.cell_runs_meanwhile() if self.met or changes or about_files else None
