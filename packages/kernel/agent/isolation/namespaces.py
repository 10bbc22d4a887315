# The strongest isolation: namespaces of its own for mounts, network, processes it starts, shared memory; every folder
# readable through an overlay that keeps what is written in memory, and the rest of the file system read-only.
import errno
import os

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
DEVICES = "/dev/null /dev/zero /dev/full /dev/random /dev/urandom".split()
MAX_SPLITS = 200


def enter(storage_mb, as_user, processes):
    """Move this process into namespaces of its own. Raises OSError where that is not allowed. With `processes` those
    that it starts from now on have a namespace of their own too; it can then start no thread itself."""
    uid, gid, folder = os.getuid(), os.getgid(), os.getcwd()
    flags = CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS
    unshare(flags | (CLONE_NEWUSER if as_user else 0) | (CLONE_NEWPID if processes else 0))
    if as_user:
        _write("/proc/self/setgroups", "deny")
        _write("/proc/self/uid_map", "%d %d 1" % (uid, uid))
        _write("/proc/self/gid_map", "%d %d 1" % (gid, gid))
    mount(None, "/", None, MS_REC | MS_PRIVATE)
    _overlays(storage_mb, as_user)
    _devices()
    os.chdir(folder)
    _loopback_up()


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

    def below(self, folder):
        prefix = folder.rstrip("/") + "/"
        return any(path.startswith(prefix) and path != folder for path in self.kinds)


def _flags(options):
    known = {"ro": MS_RDONLY, "nosuid": MS_NOSUID, "nodev": MS_NODEV, "noexec": MS_NOEXEC}
    return sum(known.get(option, 0) for option in options)


def _overlays(storage_mb, as_user):
    mounts = _Mounts()
    plan = []
    for path, kind in sorted(mounts.kinds.items()):
        storage = kind not in STATE_OF_THE_KERNEL and not path.startswith(("/proc/", "/sys/"))
        if storage and path != "/dev":
            _split(path, mounts, plan)
    lower = {}
    for folder in plan:
        try:
            lower[folder] = os.open(folder, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError:
            continue
    store = _storage(storage_mb, next(iter(lower)))
    for number, folder in enumerate(lower):
        _overlay(folder, lower[folder], "/proc/self/fd/%d/%d" % (store, number), as_user)
    for descriptor in [store, *lower.values()]:
        os.close(descriptor)
    for path, flags in mounts.flags.items():
        if path not in lower and path != "/dev":
            _read_only(path, flags)


def _split(folder, mounts, plan):
    """Folders that can be overlaid whole: those without other mounts below them."""
    if folder != "/" and not mounts.below(folder):
        if os.path.isdir(folder):
            plan.append(folder)
        return
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return
    wanted = [os.getcwd(), os.path.expanduser("~"), os.environ.get("TMPDIR", "/tmp")]
    entries.sort(key=lambda entry: not any((path + "/").startswith(entry.path + "/") for path in wanted))
    for entry in entries[:MAX_SPLITS]:
        if entry.is_dir(follow_symlinks=False) and entry.path not in mounts.kinds:
            _split(entry.path, mounts, plan)


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
    except OSError:
        try:
            mount("/proc/self/fd/%d" % lower, folder, None, MS_BIND)
        except FileNotFoundError:
            return
        _read_only(folder, 0)


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


def _devices():
    """Only the devices that every program may use; new terminals of its own; the rest of /dev cannot be opened."""
    graphics = sorted("/dev/" + name for name in os.listdir("/dev") if name.startswith("nvidia"))
    for device in DEVICES + graphics:
        if os.path.exists(device) and not os.path.isdir(device):
            mount(device, device, None, MS_BIND)
    if os.path.isdir("/dev/pts") and os.path.exists("/dev/ptmx"):
        try:
            mount("devpts", "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC, "newinstance,ptmxmode=0666,mode=0620")
            mount("/dev/pts/ptmx", "/dev/ptmx", None, MS_BIND)
        except OSError:
            pass
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
