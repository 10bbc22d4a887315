# What a copy tells the kernel, line by line over a pipe: `Teller` is the copy's end, `Listener` the kernel's.
import json
import os

READ_SIZE = 1 << 16
FLOOD = 8 << 20
LONGEST_LINE = 1 << 20


class Teller:
    """Writes lines that only the agent can have written: each starts with a word that was drawn before the fork."""

    def __init__(self, descriptor, word):
        self.descriptor = descriptor
        self.word = word

    def tell(self, **told):
        line = (self.word + json.dumps(told) + "\n").encode()
        while line:
            line = line[os.write(self.descriptor, line) :]


class Listener:
    """Reads what the pipe holds, without waiting, and keeps the lines that start with the word."""

    def __init__(self, descriptor, word):
        self.descriptor = descriptor
        self.word = word.encode()
        self.rest = b""
        self.size = 0
        self.at_end = False
        os.set_blocking(descriptor, False)

    @property
    def flooded(self):
        return self.size > FLOOD

    def told(self):
        """What came since the last time. `at_end` and `flooded` say whether more can come."""
        try:
            piece = os.read(self.descriptor, READ_SIZE)
        except BlockingIOError:
            return []
        self.at_end = not piece
        self.size += len(piece)
        *lines, self.rest = (self.rest + piece).split(b"\n")
        return [told for told in map(self._told_in, lines) if told is not None]

    def _told_in(self, line):
        """A cell can write to the pipe as well as the agent can: nothing of another form than the agent's comes through."""
        if len(line) > LONGEST_LINE or not line.startswith(self.word):
            return None
        try:
            told = json.loads(line[len(self.word) :])
        except (ValueError, RecursionError):
            return None
        return told if type(told) is dict else None
