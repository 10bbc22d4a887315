# Landlock: which files a copy may change, enforced by the kernel for every system call, native code included. Also
# keeps a process from reaching into others: what is outside its domain cannot be traced, nor signalled on new kernels.
import ctypes
import functools
import os

from .policy import HARMLESS_DEVICES
from .system import PR_SET_NO_NEW_PRIVS, prctl, syscall

CREATE, ADD_RULE, RESTRICT = 444, 445, 446
BENEATH = 1

WRITE_FILE, READ_FILE, REFER, TRUNCATE, IOCTL_DEVICE = 1 << 1, 1 << 2, 1 << 13, 1 << 14, 1 << 15
MAKE_CHAR, MAKE_BLOCK = 1 << 6, 1 << 11
# write_file, remove_dir, remove_file, and the making of every kind of entry.
CHANGES = WRITE_FILE | 1 << 4 | 1 << 5 | MAKE_CHAR | 1 << 7 | 1 << 8 | 1 << 9 | 1 << 10 | MAKE_BLOCK | 1 << 12
SCOPE_ABSTRACT_SOCKETS, SCOPE_SIGNAL = 1, 2
SCOPES = SCOPE_ABSTRACT_SOCKETS | SCOPE_SIGNAL


@functools.cache
def version():
    """0 where the kernel has no Landlock."""
    try:
        return syscall(CREATE, 0, 0, 1)
    except OSError:
        return 0


def writable_below(folders):
    """Nothing may be changed but below these folders, and no device used but the harmless ones."""
    known = version()
    handled = CHANGES | READ_FILE
    for since, right in ((2, REFER), (3, TRUNCATE), (5, IOCTL_DEVICE)):
        if known >= since:
            handled |= right
    ruleset = _ruleset(handled, SCOPES if known >= 6 else 0)
    for name in os.listdir("/"):
        if name != "dev":
            _allow(ruleset, "/" + name, READ_FILE)
    for folder in folders:
        _allow(ruleset, folder, handled)
    for device in HARMLESS_DEVICES:
        _allow(ruleset, device, handled & (WRITE_FILE | READ_FILE | TRUNCATE))
    _enforce(ruleset)


def separate_domain():
    """Forbid only what no cell needs, for the domain's sake: processes outside it are out of reach."""
    known = version()
    handled = MAKE_CHAR | MAKE_BLOCK | (REFER if known >= 2 else 0)
    ruleset = _ruleset(handled, SCOPE_SIGNAL if known >= 6 else 0)
    if known >= 2:
        _allow(ruleset, "/", REFER)
    _enforce(ruleset)


def _ruleset(handled, scoped):
    # struct landlock_ruleset_attr: handled_access_fs, handled_access_net, scoped; older kernels know the first only.
    attributes = (ctypes.c_uint64 * 3)(handled, 0, scoped)
    return syscall(CREATE, ctypes.byref(attributes), 24 if scoped else 8, 0)


def _allow(ruleset, path, access):
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    # struct landlock_path_beneath_attr, packed: allowed_access (8 bytes), parent_fd (4 bytes).
    attributes = (ctypes.c_uint32 * 3)(access & 0xFFFFFFFF, access >> 32, descriptor)
    syscall(ADD_RULE, ruleset, BENEATH, ctypes.byref(attributes), 0)
    os.close(descriptor)


def _enforce(ruleset):
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    syscall(RESTRICT, ruleset, 0)
    os.close(ruleset)
