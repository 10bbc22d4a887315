"""The process beside the kernel in which cells are judged, and the pipe to it. It asks back for what it wants to know of the
live objects, and is answered here, in the kernel's own thread: nothing travels through the shell channel. No thread is
started: a kernel with one more thread is another kernel."""

import binascii
import contextlib
import gc
import json
import os
import select
import signal
import socket
import subprocess
import time
import zlib

PROGRAM = os.path.join(os.path.dirname(os.path.dirname(__file__)), "node", "dist", "bundle", "guard.cjs")
OTHER_VERSION = "Grus %s was installed while this kernel runs %s: restart the kernel"
READ_SIZE = 1 << 16
MOST_MISSES = 3
# A cell that waits for its children must not find this process among them: a shell starts it, says its number and ends.
DETACH = 'exec 3<&0; "$0" "$1" "$2" <&3 3<&- 2>/dev/null & echo $! >&2'


class Late(Exception):
    """The time is up. What is on its way is of no use any more."""


class Gone(Exception):
    """The process ended, or talks nonsense."""


def _handle_of(pid):
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None


class Beside:
    """One process for one kernel. `load_agent(source)` makes what answers its requests about the live objects."""

    def __init__(self, node, load_agent, version):
        self.owner = os.getpid()
        self.version = version
        self.load_agent = load_agent
        self.answer = None
        self.settings = {}
        """The file of the project's settings, and what is wrong with it."""
        self.asked = 0
        self.buffer = b""
        # Over this one it is told of copies, and answers, while the kernel is busy with a cell.
        self.socket, other = socket.socketpair()
        self.socket.setblocking(False)
        self.is_heard = False
        """Whether somebody listens to it, and closes it when it has ended."""
        launcher = subprocess.Popen(
            ["/bin/sh", "-c", DETACH, node, PROGRAM, str(other.fileno())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            # Ctrl-C at a terminal is meant for the cell.
            start_new_session=True,
            pass_fds=(other.fileno(),),
        )
        other.close()
        assert launcher.stdin is not None and launcher.stdout is not None and launcher.stderr is not None
        self.streams = (launcher.stdin, launcher.stdout)
        with launcher.stderr as said:
            number = said.read()
        launcher.wait()
        self.pid = int(number)
        self.process = _handle_of(self.pid)
        self.writing, self.reading = launcher.stdin.fileno(), launcher.stdout.fileno()
        os.set_blocking(self.writing, False)
        os.set_blocking(self.reading, False)

    def greet(self, deadline):
        """Waits until it is ready, and takes the agent that it brings along."""
        if self.answer is None:
            hello = self._receive(deadline)
            if hello.get("version") != self.version:
                raise Gone(OTHER_VERSION % (hello.get("version"), self.version))
            self.settings = hello.get("settings") or {}
            self.answer = self.load_agent(zlib.decompress(binascii.a2b_base64(hello["agent"])))
        return self.answer

    def tell(self, message, seconds):
        """Something that it need not answer."""
        self._send(message, time.monotonic() + seconds)

    def ask(self, question, seconds):
        """What it says about the question: a dict. Raises Late or Gone."""
        deadline = time.monotonic() + seconds
        answer = self.greet(deadline)
        self.asked += 1
        number = self.asked
        self._send(dict(question, question=number), deadline)
        answer.beforehand()
        while True:
            told = self._receive(deadline)
            if "request" in told:
                # A request of a question that nobody waits for any more is about a state that is gone.
                current = told["question"] == number
                reply = answer(told["kind"], told["content"], deadline) if current else {"status": "error"}
                self._send({"reply": told["request"], "content": reply}, deadline)
                if current:
                    answer.meanwhile()
            elif told.get("question") == number:
                return told

    def _send(self, message, deadline):
        rest = memoryview(json.dumps(message, separators=(",", ":")).encode() + b"\n")
        sent = 0
        while rest:
            self._wait([], [self.writing], deadline, half=sent > 0)
            try:
                count = os.write(self.writing, rest)
            except BlockingIOError:
                continue
            except OSError as error:
                raise Gone(str(error)) from error
            sent += count
            rest = rest[count:]

    def _receive(self, deadline):
        while b"\n" not in self.buffer:
            self._wait([self.reading], [], deadline)
            try:
                piece = os.read(self.reading, READ_SIZE)
            except BlockingIOError:
                continue
            if not piece:
                raise Gone("it has ended")
            self.buffer += piece
        line, self.buffer = self.buffer.split(b"\n", 1)
        try:
            return json.loads(line)
        except ValueError as error:
            raise Gone("it talks nonsense") from error

    def _wait(self, reading, writing, deadline, half=False):
        left = deadline - time.monotonic()
        if left <= 0 or not any(select.select(reading, writing, [], left)):
            if half:
                # It would take the rest of this message for the next one.
                raise Gone("it reads too slowly")
            raise Late

    def end(self):
        """It ends by itself when its input does. Where the system can tell it from a later process of that number, it is
        ended at once."""
        for stream in self.streams:
            stream.close()
        if not self.is_heard:
            self.socket.close()
        if self.process is None:
            return
        if os.getpid() == self.owner:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.process, signal.SIGKILL)
        os.close(self.process)


class Asker:
    """Asks the process and never throws. `start()` makes a Beside; it is made anew when it has gone. After a few misses in a
    row nothing is asked any more, and `problem` says why."""

    def __init__(self, start):
        self.start = start
        self.beside = None
        self.misses = 0
        self.problem = None

    @property
    def rests(self):
        return self.misses >= MOST_MISSES

    def open(self):
        """Whether the process is there; it may not be ready yet."""
        if self.beside is None:
            try:
                self.beside = self.start()
                self.problem = None
            except Exception as error:
                self.problem = str(error) or "the process beside the kernel did not start"
        return self.beside is not None

    def ask(self, question, seconds):
        """The answer, or None when there is none in time."""
        told = self._try(lambda beside: beside.ask(question, seconds), seconds)
        if told is None:
            return None
        if "failed" in told:
            self._miss(told["failed"])
            return None
        self.misses = 0
        return told

    def tell(self, message, seconds):
        self._try(lambda beside: beside.tell(message, seconds), seconds)

    def _try(self, act, seconds):
        if self.rests:
            return None
        if not self.open():
            self._miss(self.problem)
            return None
        beside = self.beside
        assert beside is not None
        # What a check makes and throws away must not set off the collector, which would call what objects of the user's do
        # at their end.
        collects = gc.isenabled()
        gc.disable()
        try:
            told = act(beside)
            if beside.answer is not None:
                beside.answer.let_go()
            return told
        except Late:
            self._miss("it took longer than %.1f s" % seconds)
        except Gone as gone:
            self.close()
            self._miss(str(gone))
        except Exception as error:
            self.close()
            self._miss("%s: %s" % (type(error).__name__, error))
        finally:
            if collects:
                gc.enable()
        return None

    def _miss(self, problem):
        self.problem = problem
        self.misses += 1

    def close(self):
        beside, self.beside = self.beside, None
        if beside is not None:
            beside.end()
