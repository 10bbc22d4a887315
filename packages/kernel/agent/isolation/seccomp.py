# A seccomp filter in classic BPF: which system calls answer with an error inside a copy, and for which arguments.
# Rules are (calls, condition, errno); everything else is allowed.
import ctypes
import errno

from .system import PR_SET_NO_NEW_PRIVS, known_machine, libc, prctl, syscall

# name: (x86_64, aarch64); None where the architecture has no such call.
CALLS = {
    "add_key": (248, 217), "adjtimex": (159, 171), "acct": (163, 89), "bpf": (321, 280), "chmod": (90, None),
    "chown": (92, None), "chroot": (161, 51), "clock_adjtime": (305, 266), "clock_settime": (227, 112),
    "clone": (56, 220), "clone3": (435, 435), "connect": (42, 203), "delete_module": (176, 106),
    "execve": (59, 221), "execveat": (322, 281), "fanotify_init": (300, 262), "fchmod": (91, 52),
    "fchmodat": (268, 53), "fchmodat2": (452, 452), "fchown": (93, 55), "fchownat": (260, 54),
    "finit_module": (313, 273), "fork": (57, None), "fremovexattr": (199, 16), "fsconfig": (431, 431),
    "fsetxattr": (190, 7), "fsmount": (432, 432), "fsopen": (430, 430), "fspick": (433, 433),
    "ftruncate": (77, 46), "futimesat": (261, None), "init_module": (175, 105), "io_uring_setup": (425, 425),
    "ioctl": (16, 29), "ioperm": (173, None), "iopl": (172, None), "ioprio_set": (251, 30), "kcmp": (312, 272),
    "kexec_file_load": (320, 294), "kexec_load": (246, 104), "keyctl": (250, 219), "kill": (62, 129),
    "lchown": (94, None), "lremovexattr": (198, 15), "lsetxattr": (189, 6), "migrate_pages": (256, 238),
    "mount": (165, 40), "mount_setattr": (442, 442), "move_mount": (429, 429), "move_pages": (279, 239),
    "mq_open": (240, 180), "mq_unlink": (241, 181), "msgget": (68, 186), "open": (2, None), "openat": (257, 56),
    "openat2": (437, 437), "open_by_handle_at": (304, 265), "open_tree": (428, 428),
    "perf_event_open": (298, 241), "personality": (135, 92), "pidfd_getfd": (438, 438), "pidfd_open": (434, 434),
    "pidfd_send_signal": (424, 424), "pivot_root": (155, 41), "prlimit64": (302, 261),
    "process_madvise": (440, 440), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "ptrace": (101, 117), "quotactl": (179, 60), "reboot": (169, 142), "removexattr": (197, 14),
    "request_key": (249, 218), "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240),
    "sched_setaffinity": (203, 122), "sched_setattr": (314, 274), "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119), "semget": (64, 190), "sethostname": (170, 161), "setdomainname": (171, 162),
    "setns": (308, 268), "setpriority": (141, 140), "settimeofday": (164, 170), "setxattr": (188, 5),
    "setxattrat": (463, 463), "removexattrat": (466, 466), "file_setattr": (469, 469),
    "shmget": (29, 194), "socket": (41, 198), "swapoff": (168, 225), "swapon": (167, 224), "syslog": (103, 116),
    "tgkill": (234, 131), "tkill": (200, 130), "truncate": (76, 45), "umount2": (166, 39), "unshare": (272, 97),
    "userfaultfd": (323, 282), "utime": (132, None), "utimensat": (280, 88), "utimes": (235, None),
    "vfork": (58, None), "vhangup": (153, 58), "unlink": (87, None), "unlinkat": (263, 35), "rename": (82, None),
    "renameat": (264, 38), "renameat2": (316, 276), "mkdir": (83, None), "mkdirat": (258, 34), "rmdir": (84, None),
    "link": (86, None), "linkat": (265, 37), "symlink": (88, None), "symlinkat": (266, 36), "mknod": (133, None),
    "mknodat": (259, 33), "creat": (85, None),
}

# Nothing of this has a place in a notebook cell's copy, whatever else isolates it.
ALWAYS = (
    "ptrace process_vm_readv process_vm_writev pidfd_getfd kcmp kexec_load kexec_file_load init_module "
    "finit_module delete_module bpf perf_event_open keyctl add_key request_key mount umount2 pivot_root chroot "
    "unshare setns reboot swapon swapoff settimeofday clock_settime clock_adjtime adjtimex iopl ioperm acct "
    "quotactl open_by_handle_at fanotify_init move_mount open_tree fsopen fsmount fsconfig fspick mount_setattr "
    "sethostname setdomainname syslog vhangup process_madvise move_pages migrate_pages userfaultfd"
).split()

# Calls that name a process in their first argument, other than signals.
ABOUT_A_PROCESS = "prlimit64 sched_setaffinity sched_setattr sched_setparam sched_setscheduler".split()
SIGNALS = "kill tkill tgkill rt_sigqueueinfo rt_tgsigqueueinfo".split()
NEW_PROCESSES = "fork vfork execve execveat".split()
ATTRIBUTES = (
    "chmod fchmod fchmodat fchmodat2 chown fchown fchownat lchown utime utimes futimesat utimensat setxattr "
    "lsetxattr fsetxattr removexattr lremovexattr fremovexattr setxattrat removexattrat file_setattr"
).split()
ENTRIES = (
    "unlink unlinkat rename renameat renameat2 mkdir mkdirat rmdir link linkat symlink symlinkat mknod mknodat creat"
).split()
SHARED_OBJECTS = "shmget semget msgget mq_open mq_unlink".split()

UNIX, INET, INET6, NETLINK = 1, 2, 10, 16
CLONE_THREAD = 0x00010000
O_TRUNC = 0o1000
O_ANY_WRITE = 0o1 | 0o2 | 0o100 | O_TRUNC
SETFLAGS, FSSETXATTR, TIOCSTI = 0x40086602, 0x401C5820, 0x5412

LOAD, EQUAL, ANY_BIT, RETURN, GREATER_EQUAL = 0x20, 0x15, 0x45, 0x06, 0x35
ALLOW, ERRNO, KILL = 0x7FFF0000, 0x00050000, 0x80000000


def unless_in(argument, values):
    """Fires unless the argument's low half is one of the values."""
    return lambda deny: [(LOAD, 0, 0, 16 + 8 * argument)] + _skip_if_any(values, deny)


def if_in(argument, values):
    return lambda deny: [(LOAD, 0, 0, 16 + 8 * argument)] + _deny_if_any(values, deny)


def if_bits(argument, bits):
    return lambda deny: [(LOAD, 0, 0, 16 + 8 * argument), (ANY_BIT, 0, 1, bits), deny]


def unless_bits(argument, bits):
    return lambda deny: [(LOAD, 0, 0, 16 + 8 * argument), (ANY_BIT, 1, 0, bits), deny]


def always(deny):
    return [deny]


def _skip_if_any(values, deny):
    tests = [(EQUAL, len(values) - index, 0, value & 0xFFFFFFFF) for index, value in enumerate(values)]
    return tests + [deny]


def _deny_if_any(values, deny):
    tests = [(EQUAL, len(values) - index - 1, 0, value & 0xFFFFFFFF) for index, value in enumerate(values)]
    first, last = tests[:-1], tests[-1]
    return first + [(EQUAL, 0, 1, last[3]), deny]


def shared_rules(pid, processes):
    rules = [
        (ALWAYS, always, errno.EPERM),
        (["io_uring_setup"], always, errno.ENOSYS),
        (ABOUT_A_PROCESS, unless_in(0, [0, pid]), errno.EPERM),
        (["setpriority", "ioprio_set"], unless_in(1, [0, pid]), errno.EPERM),
        (["ioctl"], if_in(1, [TIOCSTI]), errno.EPERM),
    ]
    if not processes:
        rules += [
            (SIGNALS, unless_in(0, [pid]), errno.EPERM),
            (["pidfd_send_signal", "pidfd_open"], always, errno.EPERM),
            (NEW_PROCESSES, always, errno.EPERM),
            (["clone"], unless_bits(0, CLONE_THREAD), errno.EPERM),
            (["clone3"], always, errno.ENOSYS),
        ]
    return rules


def namespace_rules(pid, processes):
    """With `processes` the copy lives in a process namespace and may start others; without, it is alone."""
    families = (["socket"], unless_in(0, [UNIX, INET, INET6, NETLINK]), errno.EAFNOSUPPORT)
    return shared_rules(pid, processes) + [families]


def landlock_rules(pid, truncation_covered):
    """No process but this one, no network, no attribute of a file: what Landlock itself leaves open."""
    rules = shared_rules(pid, False) + [
        (ATTRIBUTES, always, errno.EPERM),
        (SHARED_OBJECTS, always, errno.EPERM),
        (["socket", "connect"], always, errno.EACCES),
        (["ioctl"], if_in(1, [SETFLAGS, FSSETXATTR]), errno.EPERM),
    ]
    if not truncation_covered:
        rules += [
            (["truncate", "ftruncate"], always, errno.EPERM),
            (["openat"], if_bits(2, O_TRUNC), errno.EPERM),
            (["open"], if_bits(1, O_TRUNC), errno.EPERM),
            (["openat2"], always, errno.ENOSYS),
        ]
    return rules


def read_only_rules(pid):
    """Without Landlock: no file is opened for writing at all, and no entry of a folder changes."""
    return landlock_rules(pid, True) + [
        (ENTRIES, always, errno.EACCES),
        (["truncate", "ftruncate"], always, errno.EPERM),
        (["openat"], if_bits(2, O_ANY_WRITE), errno.EACCES),
        (["open"], if_bits(1, O_ANY_WRITE), errno.EACCES),
        (["openat2"], always, errno.ENOSYS),
    ]


def install(rules):
    """Bind this process and all that come from it. Raises OSError where the kernel has no seccomp."""
    architecture, which = known_machine()
    program = [(LOAD, 0, 0, 4), (EQUAL, 1, 0, architecture), (RETURN, 0, 0, KILL), (LOAD, 0, 0, 0)]
    if which == 0:
        # The x32 numbers of the same calls would pass every comparison below.
        program += [(GREATER_EQUAL, 0, 1, 0x40000000), (RETURN, 0, 0, ERRNO | errno.ENOSYS)]
    for names, condition, number in rules:
        body = condition((RETURN, 0, 0, ERRNO | number)) + [(LOAD, 0, 0, 0)]
        for name in names:
            call = CALLS[name][which]
            if call is not None:
                program += [(EQUAL, 0, len(body), call)] + body
    program.append((RETURN, 0, 0, ALLOW))
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    _load(program)


class _Instruction(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint16), ("jt", ctypes.c_uint8), ("jf", ctypes.c_uint8), ("k", ctypes.c_uint32)]


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_uint16), ("instructions", ctypes.POINTER(_Instruction))]


def _load(program):
    instructions = (_Instruction * len(program))(*program)
    loaded = _Program(len(program), instructions)
    libc()
    syscall((317, 277)[known_machine()[1]], 1, 0, ctypes.byref(loaded))
