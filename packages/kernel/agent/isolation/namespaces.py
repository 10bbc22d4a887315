# The strongest isolation: namespaces of its own for mounts, network, processes it starts, shared memory; every folder
# readable through an overlay that keeps what is written in memory, and the rest of the file system read-only.
import errno
import os
import stat

from .policy import HARMLESS_DEVICES
from .system import (
    CLONE_NEWIPC,
    CLONE_NEWNET,
    CLONE_NEWNS,
    CLONE_NEWPID,
    CLONE_NEWUSER,
    CLONE_NEWUTS,
    MS_BIND,
    MS_NODEV,
    MS_NOEXEC,
    MS_NOSUID,
    MS_PRIVATE,
    MS_RDONLY,
    MS_REC,
    MS_REMOUNT,
    libc,
    mount,
    unshare,
)

# File systems that are no storage: they show the kernel's own state, and are shown read-only.
STATE_OF_THE_KERNEL = set(
    "proc sysfs cgroup cgroup2 devpts devtmpfs mqueue debugfs tracefs securityfs bpf configfs pstore efivarfs "
    "hugetlbfs binfmt_misc autofs rpc_pipefs nsfs fusectl selinuxfs".split()
)
MAX_SPLITS = 200


def enter(storage_mb, as_user, processes, on_gpu=False):
    """Move this process into namespaces of its own. Raises OSError where that is not allowed. With `processes` those
    that it starts from now on have a namespace of their own too; it can then start no thread itself. With `on_gpu` it
    stays as usable for a driver of a GPU as it must. Answers whether every socket file and named pipe of others is out
    of reach."""
    uid, gid, folder = os.getuid(), os.getgid(), os.getcwd()
    flags = CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS
    unshare(flags | (CLONE_NEWUSER if as_user else 0) | (CLONE_NEWPID if processes else 0))
    if as_user:
        _write("/proc/self/setgroups", "deny")
        _write("/proc/self/uid_map", "%d %d 1" % (uid, uid))
        _write("/proc/self/gid_map", "%d %d 1" % (gid, gid))
    mount(None, "/", None, MS_REC | MS_PRIVATE)
    closed = _overlays(storage_mb, as_user)
    if on_gpu:
        _name_own_threads()
    _devices()
    os.chdir(folder)
    _loopback_up()
    return closed


def of_objects():
    """What tells the namespace of System V objects that this process is in from others; None where that is not shown."""
    try:
        return os.stat("/proc/self/ns/ipc").st_ino
    except OSError:
        return None


def start_first_process(leash):
    """Holds the process namespace: it ends when the kernel lets go of the other end of `leash`, and then everything
    else in the namespace ends too."""
    program = next((path for path in ("/bin/cat", "/usr/bin/cat") if os.access(path, os.X_OK)), None)
    if program is None:
        raise FileNotFoundError("no program to hold the process namespace")
    null = os.open("/dev/null", os.O_RDWR | os.O_CLOEXEC)
    outputs = [(os.POSIX_SPAWN_DUP2, null, 1), (os.POSIX_SPAWN_DUP2, null, 2)]
    os.posix_spawn(program, [program], {}, file_actions=[(os.POSIX_SPAWN_DUP2, leash, 0), *outputs])
    os.close(null)


def show_own_processes():
    """A view of /proc with the processes of this namespace only. Containers may forbid it; then the old view stays,
    whose processes are out of reach from inside a user namespace."""
    try:
        mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY)
        return True
    except OSError:
        return False


def _write(path, text):
    with open(path, "w") as file:
        file.write(text)


class _Mounts:
    """The mounts that are visible now: path to kind of file system, the topmost of each path."""

    def __init__(self):
        self.kinds, self.flags = {}, {}
        with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as table:
            for line in table:
                fields, _, tail = line.partition(" - ")
                parts = fields.split()
                path = parts[4].encode("latin-1", "replace").decode("unicode_escape") if "\\" in parts[4] else parts[4]
                self.kinds[path] = tail.split()[0]
                self.flags[path] = _flags(parts[5].split(","))

    def is_storage(self, path):
        return self.kinds[path] not in STATE_OF_THE_KERNEL and not path.startswith(("/proc/", "/sys/"))

    def below(self, folder):
        prefix = folder.rstrip("/") + "/"
        return any(path.startswith(prefix) and path != folder for path in self.kinds)


def _flags(options):
    known = {"ro": MS_RDONLY, "nosuid": MS_NOSUID, "nodev": MS_NODEV, "noexec": MS_NOEXEC}
    return sum(known.get(option, 0) for option in options)


class _Plan:
    """What covers what. `folders`: those that get an overlay, parents first; `attached`: mounts below them that are shown
    again as they are; `special`: sockets, pipes and devices that lie where no overlay can be."""

    def __init__(self, mounts, as_user):
        # In a user namespace a folder with mounts below it cannot be covered, only its subfolders can.
        self.parted = mounts.below if as_user else (lambda folder: False)
        self.mounts = mounts
        self.folders, self.special, self.whole = [], [], True
        self.wanted = [os.getcwd(), os.path.expanduser("~"), os.environ.get("TMPDIR", "/tmp")]
        for path in sorted(mounts.kinds):
            if mounts.is_storage(path) and path != "/dev":
                self._add(path)
        self._look_into("/dev")
        self.folders.sort()
        self.attached = [
            path for path in sorted(mounts.kinds) if path not in self.folders and self._is_covered(path)
        ]

    def _is_covered(self, path):
        return any(path.startswith(folder + "/") for folder in self.folders)

    def _add(self, folder):
        if folder != "/" and not self.parted(folder):
            if os.path.isdir(folder):
                self.folders.append(folder)
            return
        folders = [path for path in self._look_into(folder) if path not in self.mounts.kinds]
        folders.sort(key=lambda folder: not any((path + "/").startswith(folder + "/") for path in self.wanted))
        self.whole = self.whole and len(folders) <= MAX_SPLITS
        for path in folders[:MAX_SPLITS]:
            self._add(path)

    def _look_into(self, folder):
        """The subfolders. Special files are noted."""
        folders = []
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError:
            return folders
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                folders.append(entry.path)
            elif _is_special(entry) and (folder != "/dev" or not _is_device(entry)):
                self.special.append(entry.path)
        return folders


def _is_special(entry):
    return not entry.is_file(follow_symlinks=False) and not entry.is_symlink()


def _is_device(entry):
    mode = entry.stat(follow_symlinks=False).st_mode
    return stat.S_ISCHR(mode) or stat.S_ISBLK(mode)


def _overlays(storage_mb, as_user):
    mounts = _Mounts()
    plan = _Plan(mounts, as_user)
    lower, attached = _opened(plan.folders, os.O_DIRECTORY), _opened(plan.attached, 0)
    store = _storage(storage_mb, next(iter(lower)))
    closed = plan.whole
    for number, folder in enumerate(lower):
        closed = _overlay(folder, lower[folder], "/proc/self/fd/%d/%d" % (store, number), as_user) and closed
    for path, descriptor in attached.items():
        _try_to(mount, "/proc/self/fd/%d" % descriptor, path, None, MS_BIND | MS_REC)
    for path in plan.special:
        closed = _dead_end(path, store) and closed
    for descriptor in [store, *lower.values(), *attached.values()]:
        os.close(descriptor)
    for path, flags in mounts.flags.items():
        if path not in lower and path != "/dev":
            _read_only(path, flags | (MS_NODEV | MS_NOSUID if mounts.is_storage(path) else 0))
    return closed


def _opened(paths, kind):
    found = {}
    for path in paths:
        try:
            found[path] = os.open(path, os.O_PATH | kind | os.O_CLOEXEC)
        except OSError:
            continue
    return found


def _try_to(function, *arguments):
    try:
        function(*arguments)
        return True
    except OSError:
        return False


def _dead_end(path, store):
    """A socket that nobody listens to takes the place of a special file: it can be neither opened nor connected to."""
    nobody = "/proc/self/fd/%d/nobody" % store
    if not os.path.lexists(nobody):
        os.mknod(nobody, stat.S_IFSOCK | 0o600)
    return _try_to(mount, nobody, path, None, MS_BIND) or not os.path.lexists(path)


def _storage(storage_mb, place):
    """Where the overlays keep what is written: in memory, at a place that an overlay covers afterwards."""
    mount("tmpfs", place, "tmpfs", MS_NOSUID | MS_NODEV, "size=%dm,mode=0700" % storage_mb)
    return os.open(place, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)


def _overlay(folder, lower, store, as_user):
    try:
        os.mkdir(store + "-upper")
        os.mkdir(store + "-work")
        options = "lowerdir=/proc/self/fd/%d,upperdir=%s-upper,workdir=%s-work" % (lower, store, store)
        told = os.fstat(lower)
        os.chmod(store + "-upper", told.st_mode & 0o7777)
        if not as_user:
            os.chown(store + "-upper", told.st_uid, told.st_gid)
        mount("overlay", folder, "overlay", MS_NOSUID | MS_NODEV, options + (",userxattr" if as_user else ""))
        return True
    except OSError:
        try:
            mount("/proc/self/fd/%d" % lower, folder, None, MS_BIND)
        except FileNotFoundError:
            return True
        _read_only(folder, MS_NODEV | MS_NOSUID)
        return False


def _read_only(path, flags):
    try:
        mount(None, path, None, MS_REMOUNT | MS_BIND | MS_RDONLY | flags)
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.EINVAL, errno.EACCES):
            # Another mount lies above it, or this user cannot get there.
            return
        # Where a mount cannot be made read-only, an empty folder takes its place.
        if os.path.isdir(path) and path not in ("/", "/proc", "/sys"):
            mount("tmpfs", path, "tmpfs", MS_RDONLY | MS_NOSUID | MS_NODEV, "size=4k")
        else:
            raise


def _name_own_threads():
    """/proc can only be read. A driver gives names to its threads there, and fails where it cannot: what is this process's
    own can be written again."""
    own = "/proc/%d" % os.getpid()
    mount(own, own, None, MS_BIND)
    mount(None, own, None, MS_REMOUNT | MS_BIND | MS_NOSUID | MS_NODEV | MS_NOEXEC)


def _devices():
    """Only the devices that every program may use; new terminals of its own; the rest of /dev cannot be opened."""
    graphics = sorted("/dev/" + name for name in os.listdir("/dev") if name.startswith("nvidia"))
    for device in [*HARMLESS_DEVICES, *graphics]:
        if os.path.exists(device) and not os.path.isdir(device):
            mount(device, device, None, MS_BIND)
    if os.path.isdir("/dev/pts") and os.path.exists("/dev/ptmx"):
        try:
            mount("devpts", "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC, "newinstance,ptmxmode=0666,mode=0620")
            mount("/dev/pts/ptmx", "/dev/ptmx", None, MS_BIND)
        except OSError:
            # Without terminals of its own, there are none.
            mount("tmpfs", "/dev/pts", "tmpfs", MS_RDONLY | MS_NOSUID | MS_NODEV, "size=4k")
    if os.path.ismount("/dev"):
        mount(None, "/dev", None, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NODEV | MS_NOSUID)


def _loopback_up():
    """An empty network namespace has its loopback down; programs that bind to it expect it up."""
    import ctypes
    import socket

    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            # struct ifreq: name (16 bytes), flags IFF_UP | IFF_RUNNING, padding.
            request = ctypes.create_string_buffer(b"lo".ljust(16, b"\0") + b"\x41\0" + b"\0" * 22)
            libc().ioctl(probe.fileno(), 0x8914, request)
    except OSError:
        pass
