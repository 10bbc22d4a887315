# Memory, processor time, storage and numbers of things.
# %% memory until there is none
blocks = []
for _ in range(200): blocks.append(bytearray(512 << 20))
# %% memory through a library in C
import numpy; blocks = [numpy.ones(1 << 27) for _ in range(200)]
# %% processor without end
while True: pass
# %% processor without end in native code
sum(range(10 ** 12))
# %% sleep without end
time.sleep(600)
# %% catch everything and go on
while True:
    try:
        while True: pass
    except BaseException: pass
# %% ignore signals and go on
for number in range(1, 64):
    try: signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError): pass
while True: pass
# %% a storm of forks
for _ in range(40):
    try:
        if os.fork() == 0: time.sleep(1); os._exit(0)
    except OSError: break
# %% a bomb of forks
while True:
    try: os.fork()
    except OSError: break
# %% a storm of threads
for _ in range(300):
    try: threading.Thread(target=time.sleep, args=(5,), daemon=True).start()
    except RuntimeError: break
# %% fill the disk
with open("big.bin", "wb") as made:
    for _ in range(64): made.write(b"\0" * (64 << 20))
# %% fill the temporary folder
import tempfile
with tempfile.TemporaryFile() as made:
    for _ in range(64): made.write(b"\0" * (64 << 20))
# %% fill memory files
made = [os.memfd_create("x") for _ in range(8)]
for fd in made: os.ftruncate(fd, 1 << 40)
# %% thousands of files
import tempfile
folder = tempfile.mkdtemp(prefix="grus-attack")
for number in range(3000): open("%s/%d" % (folder, number), "w").close()
# %% all descriptors
made = []
while True:
    try: made.append(os.open("/dev/null", os.O_RDONLY))
    except OSError: break
# %% lift the limits
import resource
for which in (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_FSIZE):
    try: resource.setrlimit(which, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    except (OSError, ValueError): pass
open("a.txt", "w").write("gone")
# %% lock all memory
libc.mlockall(3)
# %% deep recursion in native code
import sys; sys.setrecursionlimit(10 ** 9)
def f(): return f()
f()
# %% a core file
os.abort()
# %% a crash in native code
ctypes.string_at(0)
# %% flood the result
while True: print("x" * 100000)
# %% print without an end to the line
sys.stdout.write("x" * (64 << 20))
# %% keep the collector from freeing
class Stay:
    def __del__(self): open("late.txt", "w").write("x"); kept.append(self)
kept = []; Stay(); gc_list = [Stay() for _ in range(100)]; del gc_list
# %% an expression that never ends
import re; re.match(r"(a|aa)+$", "a" * 60 + "b")
# %% a number that never ends
9 ** 9 ** 9
# %% a display without end
from IPython.display import display
while True: display({"text/plain": "x" * 100000}, raw=True)
# %% all watches of the user
made = []
while True:
    fd = libc.inotify_init1(0o4000)
    if fd < 0: break
    made.append(fd)
# %% memory in pipes
made = []
while True:
    r, w = os.pipe(); os.set_blocking(w, False); fcntl.fcntl(w, 1031, 1 << 20); os.write(w, b"x" * (1 << 20)); made.append((r, w))
# %% timers without end
for _ in range(100000):
    if libc.syscall(222 if x86 else 107, 1, None, ctypes.byref(ctypes.c_int())) != 0: break
signal.signal(signal.SIGALRM, signal.SIG_IGN)
# %% three thousand temporary folders side by side
import tempfile
where = tempfile.gettempdir()
for number in range(3000): os.mkdir("%s/grus-attack-%d" % (where, number))
# %% an exception without end
class Long(Exception):
    def __str__(self): return "x" * (1 << 28)
raise Long()
# %% an exception that cannot be told
class Mean(Exception):
    def __str__(self):
        while True: pass
raise Mean()
# %% a chain of exceptions without end
def deeper(n):
    try: raise ValueError(n)
    except ValueError:
        if n: deeper(n - 1)
        raise
deeper(900)
# %% objects that are slow to go
class Slow:
    def __del__(self): time.sleep(100)
slow = [Slow() for _ in range(10)]; del slow
