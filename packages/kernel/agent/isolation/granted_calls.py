# Which system calls each strength of isolation grants a copy, and for which arguments. What is not named is refused. An
# argument that selects a target (a process, a kind of socket, an operation on a descriptor) is always checked.
import errno
import functools

from .seccomp import PROCESS, TIMER, Filter, clear, has, one_of

# Its own memory, descriptors, time, identity; reading files. None of these names anything of another process.
EVERYDAY = (
    "read write readv writev pread64 pwrite64 preadv pwritev preadv2 pwritev2 lseek close close_range dup dup2 dup3 "
    "stat fstat lstat newfstatat statx statfs fstatfs access faccessat faccessat2 readlink readlinkat getdents "
    "getdents64 getcwd chdir fchdir umask getxattr lgetxattr fgetxattr getxattrat listxattr llistxattr flistxattr "
    "listxattrat flock fsync fdatasync sync syncfs sync_file_range readahead fadvise64 cachestat sendfile splice tee "
    "vmsplice copy_file_range pipe pipe2 poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait "
    "epoll_pwait epoll_pwait2 eventfd eventfd2 signalfd signalfd4 timerfd_create timerfd_settime timerfd_gettime "
    "inotify_init inotify_init1 inotify_add_watch inotify_rm_watch memfd_create mmap munmap mprotect mremap msync "
    "madvise mincore brk mlock mlock2 munlock mlockall munlockall mbind set_mempolicy get_mempolicy "
    "set_mempolicy_home_node pkey_alloc pkey_free pkey_mprotect map_shadow_stack membarrier mseal futex futex_waitv "
    "futex_wake futex_wait futex_requeue set_robust_list set_tid_address rseq arch_prctl rt_sigaction rt_sigprocmask "
    "rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigsuspend sigaltstack restart_syscall pause nanosleep "
    "clock_nanosleep clock_gettime clock_getres gettimeofday time times getitimer setitimer alarm timer_create "
    "timer_gettime timer_getoverrun exit exit_group wait4 waitid getpid gettid getppid getpgid getpgrp getsid setsid "
    "sched_yield sched_getaffinity sched_getparam sched_getscheduler sched_get_priority_max sched_get_priority_min "
    "sched_rr_get_interval sched_getattr getcpu getpriority ioprio_get getrlimit setrlimit getrusage sysinfo uname "
    "getrandom getuid geteuid getgid getegid getresuid getresgid getgroups setuid setgid setreuid setregid setresuid "
    "setresgid setfsuid setfsgid setgroups capget capset seccomp landlock_create_ruleset landlock_add_rule "
    "landlock_restrict_self sendto sendmsg sendmmsg recvfrom recvmsg recvmmsg shutdown getsockname getpeername "
    "setsockopt getsockopt"
).split()
CONNECTIONS = "bind listen accept accept4 connect".split()
ENTRIES = "unlink unlinkat rename renameat renameat2 mkdir mkdirat rmdir link linkat symlink symlinkat creat".split()
ATTRIBUTES = (
    "chmod fchmod fchmodat fchmodat2 chown fchown fchownat lchown utime utimes futimesat utimensat setxattr "
    "lsetxattr fsetxattr removexattr lremovexattr fremovexattr setxattrat removexattrat"
).split()
# Calls that name a process in their first argument.
OF_A_PROCESS = (
    "kill tgkill tkill rt_sigqueueinfo rt_tgsigqueueinfo prlimit64 sched_setaffinity sched_setattr sched_setparam "
    "sched_setscheduler setpgid get_robust_list"
).split()
SHARED_MEMORY = "shmget shmat shmdt shmctl".split()
NEW_PROCESSES = "fork vfork execve execveat pidfd_open pidfd_send_signal".split()

UNIX, INET, INET6, NETLINK = 1, 2, 10, 16
STREAM, SEQPACKET, KIND_OF_SOCKET = 1, 5, 0xF
CLONE_THREAD, CLONE_NEW = 0x00010000, 0x7E020080
O_TRUNC, O_ASYNC = 0o1000, 0o20000
O_ANY_WRITE = 0o1 | 0o2 | 0o100 | O_TRUNC
S_IFMT, S_IFREG, S_IFIFO = 0o170000, 0o100000, 0o010000
PRIO_PROCESS, IOPRIO_WHO_PROCESS = 0, 1
PERSONALITIES = (0, 8, 0x20000, 0x20008, 0xFFFFFFFF)
PR_SET_PDEATHSIG, PR_SCHED_CORE = 1, 62
F_SETFL = 4
# Memory without a key: with one, the cell looks for what somebody else has made.
IPC_PRIVATE = 0
# Of fcntl: duplicates, flags, locks, the size of a pipe, seals. Not the owner, the signal, leases, notices of a folder.
OPERATIONS = (0, 1, 2, 3, 5, 6, 7, 9, 11, 16, 36, 37, 38, 1025, 1030, 1031, 1032, 1033, 1034)
# Of ioctl: how much lies there, blocking or not, closed by programs or not, whether it is a terminal and how large; the
# flags of a file; a copy of a file's blocks; the addresses of the copy's own network.
REQUESTS = (
    0x541B,
    0x5421,
    0x5450,
    0x5451,
    0x5401,
    0x5413,
    0x540F,
    0x802C542A,
    0x80086601,
    0x40049409,
    0x4020940D,
    0x8910,
    0x8912,
    0x8913,
    0x8915,
    0x8921,
    0x8927,
    0x8933,
)
# Of terminals that the copy has made itself: their settings, their size, a new pair.
OF_OWN_TERMINALS = (
    0x5402,
    0x5403,
    0x5404,
    0x5405,
    0x5409,
    0x540A,
    0x540B,
    0x540E,
    0x5410,
    0x5414,
    0x5422,
    0x5429,
    0x5441,
    0x402C542B,
    0x402C542C,
    0x402C542D,
    0x80045430,
    0x40045431,
    0x80045438,
    0x80045439,
)


def _granted(own_processes):
    """What every strength grants. With `own_processes` all that can be named lives in the copy's own process namespace."""
    calls: dict[str, tuple] = dict.fromkeys(EVERYDAY, ())
    itself = () if own_processes else (one_of(0, (PROCESS,)),)
    itself_or_none = () if own_processes else (one_of(0, (0, PROCESS)),)
    for name in OF_A_PROCESS:
        signals = "kill" in name or "queue" in name
        calls[name] = itself if signals else itself_or_none
    if own_processes:
        calls.update(dict.fromkeys(NEW_PROCESSES, ()))
    calls["clone"] = (clear(0, CLONE_NEW),) if own_processes else (has(0, CLONE_THREAD), clear(0, CLONE_NEW))
    calls["setpriority"] = (one_of(0, (PRIO_PROCESS,)), one_of(1, (0, PROCESS)))
    calls["ioprio_set"] = (one_of(0, (IOPRIO_WHO_PROCESS,)), one_of(1, (0, PROCESS)))
    calls["personality"] = (one_of(0, PERSONALITIES),)
    # What ends the copy is not the copy's to stop: its timer, and the signal when the kernel ends.
    tied = (PR_SCHED_CORE,) if own_processes else (PR_SCHED_CORE, PR_SET_PDEATHSIG)
    calls["prctl"] = (one_of(0, tied, wanted=False),)
    calls["timer_settime"] = calls["timer_delete"] = (one_of(0, (TIMER,), wanted=False),)
    calls["fcntl"] = (one_of(1, (*OPERATIONS, F_SETFL)), clear(2, O_ASYNC, when=(1, F_SETFL)))
    calls["socketpair"] = (one_of(0, (UNIX,)), one_of(1, (STREAM, SEQPACKET), mask=KIND_OF_SOCKET))
    return calls


@functools.cache
def under_namespaces(own_processes, local_sockets, graphics, own_memory):
    """Files are the copy's own, and so is the network; `local_sockets` says whether the socket files are, too. `graphics`:
    there is a driver of graphics. `own_memory`: a number of shared memory means none but the copy's own."""
    calls = _granted(own_processes)
    if own_memory:
        calls.update({**dict.fromkeys(SHARED_MEMORY, ()), "shmget": (one_of(0, (IPC_PRIVATE,)),)})
    for name in (*CONNECTIONS, *ENTRIES, *ATTRIBUTES, "open", "openat", "openat2", "truncate", "ftruncate", "fallocate"):
        calls[name] = ()
    families = (INET, INET6) + ((UNIX,) if local_sockets else ())
    netlink = one_of(2, (0,), when=(0, NETLINK))
    calls["socket"] = (one_of(0, (*families, NETLINK), refused=errno.EAFNOSUPPORT), netlink)
    calls["mknod"] = (one_of(1, (0, S_IFREG, S_IFIFO), mask=S_IFMT),)
    calls["mknodat"] = (one_of(2, (0, S_IFREG, S_IFIFO), mask=S_IFMT),)
    # What a graphics driver asks of its devices cannot be told apart; no other device can be opened.
    calls["ioctl"] = () if graphics else (one_of(1, REQUESTS + OF_OWN_TERMINALS),)
    return Filter(calls)


@functools.cache
def under_landlock(truncation_covered):
    """Landlock says which files may be changed; no attribute of a file, no connection, no other process."""
    calls = _granted(False)
    for name in (*ENTRIES, "fallocate"):
        calls[name] = ()
    calls["ioctl"] = (one_of(1, REQUESTS),)
    calls["mknod"] = (one_of(1, (0, S_IFREG, S_IFIFO), mask=S_IFMT),)
    calls["mknodat"] = (one_of(2, (0, S_IFREG, S_IFIFO), mask=S_IFMT),)
    if truncation_covered:
        calls["open"] = calls["openat"] = calls["openat2"] = calls["truncate"] = calls["ftruncate"] = ()
    else:
        calls["open"], calls["openat"] = (clear(1, O_TRUNC),), (clear(2, O_TRUNC),)
        del calls["creat"]
    return Filter(calls)


@functools.cache
def reading_alone():
    """No file is opened for writing, and no entry of a folder changes."""
    calls = _granted(False)
    calls["open"] = (clear(1, O_ANY_WRITE, refused=errno.EACCES),)
    calls["openat"] = (clear(2, O_ANY_WRITE, refused=errno.EACCES),)
    calls["ioctl"] = (one_of(1, REQUESTS),)
    return Filter(calls)
