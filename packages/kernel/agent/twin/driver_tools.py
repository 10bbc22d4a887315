# A twin on a GPU starts no programs. But libraries ask the driver's tool which devices there are before they train, as in
# `nvidia-smi --query-gpu=name --format=csv`. The spare process, which nothing isolates, asks for the twin and hands the
# answer over. It asks only what never changes: the twin may be told lies, and told to ask for anything.
import contextlib
import inspect
import json
import os
import shutil
import socket
import subprocess

TOOL = "nvidia-smi"
LISTS = frozenset(("-L", "--list-gpus"))
FIELDS = frozenset(
    "count name gpu_name driver_version index gpu_uuid uuid gpu_serial serial pci.bus_id gpu_bus_id compute_cap "
    "compute_capability memory.total".split()
)
FORMATS = frozenset(("csv", "noheader", "nounits"))
SECONDS = 5
MOST_BYTES = 1 << 14
MOST_ANSWERS = 16


def is_question(words):
    """Whether this command only asks for what is the same whoever asks, and whenever."""
    if type(words) is not list or not words or not all(type(word) is str for word in words):
        return False
    return os.path.basename(words[0]) == TOOL and len(words) > 1 and all(_asks(word) for word in words[1:])


def _asks(word):
    name, _, given = word.partition("=")
    known = {"--query-gpu": FIELDS, "--format": FORMATS}.get(name, frozenset())
    return word in LISTS or (given != "" and known.issuperset(given.split(",")))


def answer(asker, known):
    """In the spare: whether somebody is still there to ask. `known` keeps the answers."""
    try:
        message = asker.recv(MOST_BYTES)
        asker.send(json.dumps(_told(json.loads(message), known)).encode(), socket.MSG_DONTWAIT)
    except (OSError, ValueError, RecursionError):
        return False
    return True


def _told(words, known):
    """[how the tool ended, what it printed]; None of what is not asked."""
    if not is_question(words):
        return None
    key = tuple(words[1:])
    tool = shutil.which(TOOL) if key not in known and len(known) < MOST_ANSWERS else None
    if tool is not None:
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            done = subprocess.run([tool, *key], check=False, capture_output=True, timeout=SECONDS)
            known[key] = [done.returncode, done.stdout[:MOST_BYTES].decode("latin-1")]
    return known.get(key)


def ask_through(descriptor):
    """In the twin: such commands are asked over this channel from now on, all others start as ever."""
    channel = socket.socket(fileno=descriptor)
    start = subprocess.Popen._execute_child  # pyright: ignore[reportAttributeAccessIssue]
    signature = inspect.signature(start)

    def execute(self, *given, **named):
        bound = signature.bind(self, *given, **named).arguments
        plain = bound["executable"] is None and not bound["shell"]
        told = _asked(channel, bound["args"]) if plain else None
        if told is None:
            start(self, *given, **named)
            return
        self.pid, (self.returncode, text) = os.getpid(), told
        if bound["c2pwrite"] != -1:
            os.write(bound["c2pwrite"], text.encode("latin-1"))
        self._close_pipe_fds(*(bound[end] for end in "p2cread p2cwrite c2pread c2pwrite errread errwrite".split()))

    setattr(subprocess.Popen, "_execute_child", execute)  # noqa: B010


def _asked(channel, words):
    words = list(words) if type(words) is tuple else words
    if not is_question(words):
        return None
    try:
        channel.send(json.dumps(words).encode())
        return json.loads(channel.recv(MOST_BYTES * 8))
    except (OSError, ValueError):
        return None
