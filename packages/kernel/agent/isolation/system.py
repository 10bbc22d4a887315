# The system calls that a copy needs and Python's `os` lacks, through libc. Linux only; the numbers of the calls are
# those of the two architectures that notebooks run on.
import ctypes
import errno
import os

CLONE_NEWNS = 0x00020000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 0x20, 0x1000, 0x4000, 0x40000

PROT_NONE, PROT_READ, PROT_WRITE, PROT_EXEC = 0, 1, 2, 4
MAP_PRIVATE, MAP_FIXED, MAP_ANONYMOUS = 0x02, 0x10, 0x20

PR_SET_PDEATHSIG = 1
PR_CAPBSET_DROP = 24
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 47, 4

LONGEST_TOLD = 1 << 16
MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}

_libc = []


def libc():
    if not _libc:
        found = ctypes.CDLL(None, use_errno=True)
        found.mmap.restype = ctypes.c_void_p
        found.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]
        found.mremap.restype = ctypes.c_void_p
        found.mremap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_int, ctypes.c_void_p]
        found.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
        found.mount.argtypes = [ctypes.c_char_p] * 3 + [ctypes.c_ulong, ctypes.c_char_p]
        found.prctl.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4
        found.syscall.restype = ctypes.c_long
        _libc.append(found)
    return _libc[0]


def machine():
    """(audit number, index into pairs of call numbers), or None on an architecture that is not known here."""
    known = MACHINES.get(os.uname().machine)
    return None if known is None or ctypes.sizeof(ctypes.c_void_p) != 8 else known


def known_machine():
    known = machine()
    if known is None:
        raise OSError(errno.ENOSYS, "this processor's system calls are not known")
    return known


def checked(result, what):
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), what)
    return result


def told_by(path):
    """The text of a short file of `/proc`; a file object would take ten times as long."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(descriptor, LONGEST_TOLD).decode("utf-8", "replace")
    finally:
        os.close(descriptor)


def unshare(flags):
    checked(libc().unshare(flags), "unshare")


def mount(source, target, kind, flags, options=None):
    def text(value):
        return None if value is None else os.fsencode(value)

    checked(libc().mount(text(source), text(target), text(kind), flags, text(options)), "mount " + target)


def prctl(option, first=0, second=0):
    return checked(libc().prctl(option, first, second, 0, 0), "prctl")


def syscall(number, *arguments):
    wide = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
    return checked(libc().syscall(ctypes.c_long(number), *wide), "syscall %d" % number)


KEPT_CAPABILITIES = (0, 1, 2, 3, 4, 5, 6, 7)


def drop_capabilities(starts_programs=True):
    """Keep what lets root read and write everybody's files; lose what reaches beyond the copy, and, where it may
    start programs, in those too."""
    kept = 0
    for capability in KEPT_CAPABILITIES:
        kept |= 1 << capability
    for capability in range(64) if starts_programs else ():
        if not kept >> capability & 1:
            try:
                prctl(PR_CAPBSET_DROP, capability)
            except OSError:
                break
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    data = (ctypes.c_uint32 * 6)()
    checked(libc().capget(header, data), "capget")
    for half in range(2):
        mask = kept >> (32 * half) & 0xFFFFFFFF
        for field in range(2):
            data[half * 3 + field] &= mask
        data[half * 3 + 2] = 0
    checked(libc().capset(header, data), "capset")


def has_admin():
    """Whether this process may make namespaces without a user namespace."""
    for line in told_by("/proc/self/status").splitlines():
        if line.startswith("CapEff:"):
            return bool(int(line.split()[1], 16) >> 21 & 1)
    return False


def kill_timer(seconds):
    """A timer of the kernel's that ends this process without asking it: no handler can catch it."""
    # struct sigevent: sigev_value (8 bytes), sigev_signo, sigev_notify (0: signal), padding to 64 bytes.
    event = (ctypes.c_int * 16)()
    event[2] = 9
    timer = ctypes.c_int()
    numbers = (222, 107), (223, 110)
    which = known_machine()[1]
    syscall(numbers[0][which], 1, ctypes.byref(event), ctypes.byref(timer))
    whole = int(seconds)
    setting = (ctypes.c_long * 4)(0, 0, whole, max(1, int((seconds - whole) * 1e9)))
    syscall(numbers[1][which], timer.value, 0, ctypes.byref(setting), None)
    return timer.value
