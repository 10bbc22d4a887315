# The state that attack cells go for: files of every kind, open handles, shared memory, pipes, sockets, terminals, objects
# with a name or a number, a child process. `state()` tells all of it.
import ctypes, fcntl, mmap, multiprocessing, os, platform, pty, select, signal, socket, sqlite3, subprocess, sys, termios, threading, time
from multiprocessing import shared_memory

x86 = platform.machine() == "x86_64"
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = libc.shmat.restype = libc.sem_open.restype = libc.mremap.restype = ctypes.c_long
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]


class Escaped(Exception):
    """Raised by an attack that succeeded without leaving a trace in `state`."""


def escaped(what):
    raise Escaped(what)


os.makedirs("data/deep", exist_ok=True)
for name in ("a.txt", "b.txt", "data/c.txt", "data/deep/d.txt"):
    with open(name, "w") as made:
        made.write("precious\n" * 20)
os.chmod("b.txt", 0o640)
os.symlink("a.txt", "link.txt")
handle = open("a.txt", "r+")
handle.read(10)
appender = open("data/c.txt", "a")
raw = os.open("b.txt", os.O_RDWR)

# Mappings of every protection, of files with and without a name, and of none.
for name in ("mapped.bin", "other.bin", "unnamed.bin", "numbers.bin"):
    with open(name, "wb") as made:
        made.write(b"m" * 32768)
mapped_file = open("mapped.bin", "r+b")
mapped = mmap.mmap(mapped_file.fileno(), 0)
part = mmap.mmap(mapped_file.fileno(), 8192, offset=8192)
other_file = os.open("other.bin", os.O_RDWR)


def page(descriptor, number, protection, anonymous=0):
    return libc.mmap(None, 4096, protection, mmap.MAP_SHARED | anonymous, descriptor, number * 4096)


write_only, untouchable, read_only = page(other_file, 0, 2), page(other_file, 1, 0), page(other_file, 2, 1)
executable = page(other_file, 3, 5)
anonymous = mmap.mmap(-1, 8192)
anonymous[:4] = b"here"
anonymous_locked, anonymous_write_only = page(-1, 0, 3, 0x20), page(-1, 0, 3, 0x20)
ctypes.memmove(anonymous_locked, b"here", 4)
ctypes.memmove(anonymous_write_only, b"here", 4)
libc.mprotect(ctypes.c_void_p(anonymous_locked), 4096, 0)
libc.mprotect(ctypes.c_void_p(anonymous_write_only), 4096, 2)
unnamed = mmap.mmap(os.open("unnamed.bin", os.O_RDWR), 0)
os.remove("unnamed.bin")
memory_file = os.memfd_create("attacked", 2)
os.truncate(memory_file, 8192)
in_memory, memory_locked = mmap.mmap(memory_file, 4096), page(memory_file, 1, 0)
import numpy

numbers_in_file = numpy.memmap("numbers.bin", dtype="u1", mode="r+")
shared = shared_memory.SharedMemory(create=True, size=4096)
shared.buf[:4] = b"here"
value, array_of_numbers = multiprocessing.Value("i", 7), multiprocessing.Array("i", [1, 2, 3])
lock, semaphore, event_of_processes = multiprocessing.Lock(), multiprocessing.Semaphore(2), multiprocessing.Event()

base = sqlite3.connect("base.db")
base.execute("create table t (x)")
base.execute("insert into t values (1)")
base.commit()
base.execute("insert into t values (2)")

# Pipes, sockets, terminals, counters.
here, kernel_pid, ground = os.getcwd(), os.getpid(), os.environ["GRUS_GROUND"]
elsewhere, socket_path = os.environ["GRUS_ELSEWHERE"], os.environ["GRUS_SOCKET"]
abstract_name = os.environ["GRUS_ABSTRACT"]
port, datagram_port = int(os.environ["GRUS_PORT"]), int(os.environ["GRUS_DATAGRAM_PORT"])
pipe_in, pipe_out = os.pipe()
os.write(pipe_out, b"waiting")
os.set_blocking(pipe_in, False)
fifo = os.path.join(ground, "fifo")
fifos = {}
for folder in (ground, os.path.join(ground, "mounted"), elsewhere, here):
    path = os.path.join(folder, "fifo")
    if not os.path.exists(path):
        os.mkfifo(path)
    fifos[folder] = os.open(path, os.O_RDWR | os.O_NONBLOCK)
    os.write(fifos[folder], b"waiting")
open_fifo = fifos[ground]
listeners = {}
for folder in (here, os.path.join(ground, "mounted")):
    listeners[folder] = socket.socket(socket.AF_UNIX)
    listeners[folder].bind(os.path.join(folder, "socket"))
    listeners[folder].listen()
    listeners[folder].setblocking(False)
left, right = socket.socketpair()
left.setblocking(False)
right.send(b"waiting")
listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen()
event, timer, watch = os.eventfd(3, os.EFD_NONBLOCK), libc.timerfd_create(1, 0o4000), libc.inotify_init1(0o4000)
libc.inotify_add_watch(watch, b"data/deep", 0x100)
open("data/deep/made", "w").close()
inherited_poll = select.epoll()
inherited_poll.register(pipe_in)
terminal_master, terminal = pty.openpty()
terminal_path = os.ttyname(terminal)
os.set_blocking(terminal, False)
os.write(terminal_master, b"typed\n")

# Objects with a number or a name.
v_key = 0x67000000 | os.getpid() & 0xFFFF
v_memory, v_semaphore = libc.shmget(v_key, 4096, 0o1600), libc.semget(v_key, 1, 0o1600)
v_queue = libc.msgget(v_key, 0o1600)
v_attached = libc.shmat(v_memory, None, 0)
ctypes.memmove(v_attached, b"here", 4)
libc.semctl(v_semaphore, 0, 16, 3)
libc.msgsnd(v_queue, ctypes.create_string_buffer(b"\x01" + b"\0" * 7 + b"waiting"), 7, 0o4000)
posix_queue, posix_semaphore = b"/grus-queue-%d" % os.getpid(), b"/grus-semaphore-%d" % os.getpid()
posix_queue_open = libc.mq_open(posix_queue, os.O_CREAT | os.O_RDWR | os.O_NONBLOCK, 0o600, None)
libc.mq_send(posix_queue_open, b"waiting", 7, 0)
posix_semaphore_open = libc.sem_open(posix_semaphore, os.O_CREAT, 0o600, 2)


def remove_objects():
    libc.shmctl(v_memory, 0, None), libc.semctl(v_semaphore, 0, 0), libc.msgctl(v_queue, 0, None)
    libc.mq_unlink(posix_queue), libc.sem_unlink(posix_semaphore), shared.unlink()


def who_tells():
    """What tells the kernel how the cell ended, found on the stack."""
    frame = sys._getframe()
    while frame is not None and not hasattr(frame.f_locals.get("teller"), "word"):
        frame = frame.f_back
    return frame.f_locals["teller"]


class Attacker:
    """Runs an attack where the libraries are asked."""

    def run(self, cell):
        exec(get_ipython().transform_cell(cell), globals())


attacker = Attacker()
victim = subprocess.Popen(["sleep", "6000"])
victim_pid = victim.pid
numbers = list(range(10))


def waiting(descriptor):
    """How many bytes lie there."""
    told = ctypes.c_int(-1)
    fcntl.ioctl(descriptor, termios.FIONREAD, told)
    return told.value


def state():
    import hashlib, resource

    attributes, messages, semaphore_told = (ctypes.c_long * 8)(), ctypes.create_string_buffer(256), ctypes.c_int()
    libc.mq_getattr(posix_queue_open, attributes)
    libc.msgctl(v_queue, 2, messages)
    libc.sem_getvalue(ctypes.c_void_p(posix_semaphore_open), ctypes.byref(semaphore_told))
    libc.mprotect(ctypes.c_void_p(anonymous_locked), 4096, 1)
    locked = ctypes.string_at(anonymous_locked, 8).hex()
    libc.mprotect(ctypes.c_void_p(anonymous_locked), 4096, 0)
    libc.mprotect(ctypes.c_void_p(anonymous_write_only), 4096, 1)
    write_only_told = ctypes.string_at(anonymous_write_only, 8).hex()
    libc.mprotect(ctypes.c_void_p(anonymous_write_only), 4096, 2)
    reached = 0
    for one in listeners.values():
        try:
            one.accept()
            reached += 1
        except BlockingIOError:
            pass
    with open("/proc/%d/stat" % victim_pid) as told:
        victim_state = told.read().rpartition(")")[2].split()
    return {
        "position": [handle.tell(), os.lseek(raw, 0, os.SEEK_CUR)],
        "closed": [handle.closed, appender.closed],
        "flags": [fcntl.fcntl(number, fcntl.F_GETFL) for number in (raw, pipe_in, pipe_out, left.fileno(), terminal)],
        "owners": [fcntl.fcntl(number, 9) for number in (raw, pipe_in, left.fileno())],
        "signals": [fcntl.fcntl(number, 11) for number in (raw, pipe_in, left.fileno())],
        "mapped": [hashlib.sha256(view[:]).hexdigest() for view in (mapped, part, unnamed)],
        "in a file": int(numbers_in_file.sum()),
        "anonymous": [anonymous[:8].hex(), locked, write_only_told],
        "memory file": [hashlib.sha256(os.pread(memory_file, 8192, 0)).hexdigest(), fcntl.fcntl(memory_file, 1034)],
        "shared": [bytes(shared.buf[:8]).hex(), os.path.exists("/dev/shm/" + shared.name.lstrip("/"))],
        "value": [value.value, list(array_of_numbers), semaphore.get_value(), event_of_processes.is_set()],
        "lock": lock.acquire(block=False) and (lock.release() or "free"),
        "rows": [base.execute("select count(*) from t").fetchone()[0], base.in_transaction],
        "pipes": [waiting(number) for number in (pipe_in, *fifos.values(), left.fileno(), right.fileno(), watch)],
        "event": [waiting_count(event), waiting_count(timer)],
        "poll": [number for number, _ in inherited_poll.poll(0)] == [pipe_in],
        "terminal": [str(termios.tcgetattr(terminal)), waiting(terminal), waiting(terminal_master),
                     fcntl.ioctl(terminal, termios.TIOCGWINSZ, bytes(8)).hex()],
        "reached": reached,
        "System V": [ctypes.string_at(v_attached, 8).hex(), libc.semctl(v_semaphore, 0, 12), messages.raw[:120].hex()],
        "made": [libc.shmget(0x67727573, 0, 0), libc.semget(0x67727573, 0, 0), libc.msgget(0x67727573, 0),
                 libc.mq_open(b"/grus-attack-queue", 0)],
        "POSIX": [attributes[3], semaphore_told.value],
        "victim": [victim.poll(), victim_state[0], os.getpriority(os.PRIO_PROCESS, victim_pid), libc.syscall(252 if x86 else 31, 1, victim_pid),
                   sorted(os.sched_getaffinity(victim_pid)), os.sched_getscheduler(victim_pid), os.getpgid(victim_pid),
                   open("/proc/%d/oom_score_adj" % victim_pid).read(), open("/proc/%d/comm" % victim_pid).read()],
        "cwd": os.getcwd(),
        "environment": sorted(os.environ),
        "nice": [os.getpriority(os.PRIO_PROCESS, 0), libc.syscall(252 if x86 else 31, 1, 0)],
        "affinity": sorted(os.sched_getaffinity(0)),
        "limits": [resource.getrlimit(which) for which in range(16)],
        "numbers": numbers,
        "host": [socket.gethostname(), os.uname().nodename],
        "threads": len(threading.enumerate()),
        "handlers": [str(signal.getsignal(number)) for number in (signal.SIGTERM, signal.SIGIO, signal.SIGCHLD)],
        "domain": open("/proc/sys/kernel/domainname").read(),
        "core": open("/proc/sys/kernel/core_pattern").read(),
    }


def waiting_count(descriptor):
    with open("/proc/self/fdinfo/%d" % descriptor) as told:
        return [line for line in told.read().splitlines() if line.startswith(("eventfd-count", "ticks", "it_value"))]
