# Watches what a cell does to the world outside its memory, through Python's audit hook. In the strongest isolation it
# only takes notes; in the weakest it is the fence itself, and refuses.
import os
import stat
import sys

NETWORK = frozenset(
    "socket.connect socket.getaddrinfo socket.gethostbyname socket.gethostbyaddr socket.sendto socket.sendmsg "
    "ftplib.connect smtplib.connect http.client.connect urllib.Request imaplib.open poplib.connect".split()
)
PROCESSES = frozenset(
    "subprocess.Popen os.system os.exec os.fork os.forkpty os.posix_spawn os.spawn pty.spawn os.startfile".split()
)
CHANGES = frozenset(
    "os.remove os.rename os.mkdir os.rmdir os.chmod os.chown os.link os.symlink os.truncate os.utime os.setxattr "
    "os.removexattr os.chflags os.lchmod os.lockf shutil.rmtree shutil.move shutil.chown".split()
)
# Beyond files: other processes, native code that the hook cannot follow.
REACHES = frozenset("os.kill os.killpg signal.pthread_kill ctypes.dlopen ctypes.dlsym sqlite3.connect".split())
NOTE_LIMIT = 40
# As it is before anybody watches it.
STAT = os.stat


class Effects:
    """Notes as {"kind", "what", "denied"}; kinds are network, process, change, special and reach."""

    def __init__(self):
        self.notes = []
        self.watching = False

    def note(self, kind, what, denied=False):
        if len(self.notes) < NOTE_LIMIT:
            self.notes.append({"kind": kind, "what": what[:200], "denied": denied})

    def of_kind(self, *kinds):
        return [note for note in self.notes if note["kind"] in kinds]

    def denied(self):
        return [note for note in self.notes if note["denied"]]

    def watch(self, fence):
        """`fence(kind, event, args)` says whether the effect is to be refused."""

        def hook(event, args):
            if not self.watching:
                return
            kind = _kind_of(event, args)
            if kind is None:
                return
            self.watching = False
            try:
                refused = fence(kind, event, args)
                self.note(kind, _told(event, args), refused)
            finally:
                self.watching = True
            if refused:
                raise PermissionError(1, "not in a dry run: " + event)

        sys.addaudithook(hook)
        self.watching = True


def _kind_of(event, args):
    if event == "open":
        return "special" if _is_special(args) else "change" if _writes(args) else None
    if event in NETWORK:
        return "network" if not _is_unix(event, args) else "reach"
    if event in PROCESSES:
        return "process"
    if event in CHANGES:
        return "change"
    return "reach" if event in REACHES else None


def _is_special(args):
    """A named pipe, a device, or what shows another process: a copy has none of them, or others."""
    path = args[0] if args else ""
    if type(path) not in (str, bytes) or path in (os.devnull, "/dev/urandom", "/dev/random", "/dev/zero"):
        return False
    text = os.fsdecode(path)
    if text.startswith("/proc/"):
        process = text.split("/")[2]
        return (process.isdigit() and int(process) != os.getpid()) or _asks_itself()
    try:
        mode = STAT(text).st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode) or stat.S_ISBLK(mode) or stat.S_ISSOCK(mode)


def _asks_itself(depth=4):
    """Whether the notebook's own code opens it, and not a library for reasons of its own."""
    frame = sys._getframe(depth)
    while frame is not None and frame.f_code.co_filename.endswith(("interactiveshell.py", "pathlib.py")):
        frame = frame.f_back
    return frame is not None and frame.f_globals.get("__name__") == "__main__"


def _writes(args):
    path, mode, flags = (tuple(args) + (None, None, None))[:3]
    if path == os.devnull:
        return False
    if isinstance(mode, str):
        return any(letter in mode for letter in "wax+")
    return isinstance(flags, int) and bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC))


def _is_unix(event, args):
    return event == "socket.connect" and len(args) > 1 and isinstance(args[1], (str, bytes))


def _told(event, args):
    """The event and its first argument when that is text; nothing of the user's is asked for its repr."""
    for value in args:
        if type(value) in (str, bytes):
            return "%s %s" % (event, value if type(value) is str else value.decode("utf-8", "replace"))
        if type(value) is list and value and all(type(part) is str for part in value):
            return "%s %s" % (event, " ".join(value))
        if type(value) is tuple and value and type(value[0]) is str:
            return "%s %s" % (event, value[0])
    return event


def fence_of(job, left_open):
    """What the audit hook refuses: nothing under namespaces that leave nothing open; under Landlock the kernel refuses, and
    this tells. Where named pipes are open to code in C, the notebook may not call such code itself."""
    strength, private_folder = job.strength, job.folder
    native = ("ctypes.dlopen", "ctypes.dlsym") if "fifos" in left_open else ()
    if strength == "namespaces":

        def inside(kind, event, args):
            return (kind == "process" and not job.processes and job.again()) or (event in native and _asks_itself(3))

        return inside

    def outside(kind, event, args):
        if kind == "reach":
            refused = strength == "audit" and event != "sqlite3.connect"
            return refused or _is_file_database(event, args) or (event in native and _asks_itself(3))
        if kind == "change" and strength == "landlock":
            paths = [value for value in args if type(value) in (str, bytes)]
            return not paths or not all(_below(path, private_folder) for path in paths if _looks_like_path(path))
        return True

    return outside


def fence_of_questions(kind, event, args):
    return kind in ("change", "process", "special")


def _is_file_database(event, args):
    return event == "sqlite3.connect" and not (args and args[0] == ":memory:")


def _looks_like_path(value):
    return len(value) > 4 or os.sep in os.fsdecode(value)


def _below(path, folder):
    return os.path.abspath(os.fsdecode(path)).startswith(folder.rstrip("/") + "/")
