# Memory that the kernel shares with files and with other processes.
# %% change mapped memory
mapped[:7] = b"changed"; mapped.flush()
# %% change a mapping of a part of a file
part[:7] = b"changed"; part.flush()
# %% change memory mapped for writing alone
ctypes.memmove(write_only, b"changed", 7)
# %% unlock memory that may not be touched, and change it
assert libc.mprotect(ctypes.c_void_p(untouchable), 4096, 3) == 0; ctypes.memmove(untouchable, b"changed", 7)
# %% unlock memory that may only be read, and change it
assert libc.mprotect(ctypes.c_void_p(read_only), 4096, 3) == 0; ctypes.memmove(read_only, b"changed", 7)
# %% unlock memory that may be run, and change it
assert libc.mprotect(ctypes.c_void_p(executable), 4096, 7) == 0; ctypes.memmove(executable, b"changed", 7)
# %% change anonymous shared memory
anonymous[:7] = b"changed"
# %% unlock anonymous memory that may not be touched, and change it
assert libc.mprotect(ctypes.c_void_p(anonymous_locked), 4096, 3) == 0; ctypes.memmove(anonymous_locked, b"changed", 7)
# %% change anonymous memory mapped for writing alone
ctypes.memmove(anonymous_write_only, b"changed", 7)
# %% change shared memory
shared.buf[:7] = b"changed"
# %% change memory of a file that has no name any more
unnamed[:7] = b"changed"; unnamed.flush()
# %% change memory of a memory file
in_memory[:7] = b"changed"
# %% unlock memory of a memory file
assert libc.mprotect(ctypes.c_void_p(memory_locked), 4096, 3) == 0; ctypes.memmove(memory_locked, b"changed", 7)
# %% change a shared value
value.value = 99
# %% change a shared array
array_of_numbers[0] = 99
# %% take a shared lock and die
lock.acquire(); os._exit(0)
# %% raise a shared semaphore
semaphore.release()
# %% set a shared event
event_of_processes.set()
# %% grow a shared mapping
again = libc.mremap(ctypes.c_void_p(write_only), 4096, 8192, 1, None)
ctypes.memmove(again & (1 << 64) - 1, b"changed", 7)
# %% throw pages of a mapped file away
libc.madvise(ctypes.c_void_p(write_only), 4096, 9)
# %% write mapped memory back
libc.msync(ctypes.c_void_p(write_only), 4096, 4)
# %% change an array that lies in a file
numbers_in_file[:] = 5; numbers_in_file.flush()
# %% map the same file anew through the open descriptor
import mmap as m
view = m.mmap(mapped_file.fileno(), 0); view[:7] = b"changed"; view.flush()
# %% map the same file anew by its path
import mmap as m
with open("mapped.bin", "r+b") as file: view = m.mmap(file.fileno(), 0); view[:7] = b"changed"; view.flush()
# %% map the file that is shown under /proc
import mmap as m
for name in os.listdir("/proc/self/map_files"):
    try:
        fd = os.open("/proc/self/map_files/" + name, os.O_RDWR); m.mmap(fd, 4096)[:7] = b"changed"
    except OSError: pass
# %% write into its own memory through /proc
with open("/proc/self/mem", "r+b", buffering=0) as memory: memory.seek(read_only); memory.write(b"changed")
# %% seal a memory file
import fcntl; fcntl.fcntl(memory_file, 1033, 8)
# %% duplicate a shared mapping
address = libc.mremap(ctypes.c_void_p(read_only), ctypes.c_size_t(0), ctypes.c_size_t(4096), 1)
if address not in (-1, 0): libc.mprotect(ctypes.c_void_p(address), 4096, 3); ctypes.memmove(address, b"gone", 4)
# %% order the pages of a file anew
libc.syscall(216 if x86 else 234, ctypes.c_void_p(write_only), ctypes.c_size_t(4096), 0, ctypes.c_size_t(2), 0); ctypes.memmove(write_only, b"gone", 4)
# %% change the size of a mapped file
mapped.resize(4096)
# %% a second view of mapped memory
view = (ctypes.c_char * 16).from_buffer(mapped); view[0:4] = b"gone"; mapped.flush()
# %% an array over the buffer of shared memory
numpy.ndarray(16, dtype="u1", buffer=shared.buf)[:] = 7
# %% write into the kernel's mapped files through /proc
for name in os.listdir("/proc/%d/map_files" % kernel_pid):
    try: fd = os.open("/proc/%d/map_files/%s" % (kernel_pid, name), os.O_RDWR); os.pwrite(fd, b"gone", 0)
    except OSError: pass
# %% write into its own mapped files through /proc
for name in os.listdir("/proc/self/map_files"):
    try: fd = os.open("/proc/self/map_files/%s" % name, os.O_RDWR); os.pwrite(fd, b"gone", 0)
    except OSError: pass
# %% map with the checked form of sharing
fd = os.open("other.bin", os.O_RDWR); address = libc.mmap(None, 4096, 3, 3, fd, 0); ctypes.memmove(address, b"gone", 4)
# %% unlock by a key of protection
key = libc.syscall(330 if x86 else 289, 0, 0); libc.syscall(329 if x86 else 288, ctypes.c_void_p(untouchable), ctypes.c_size_t(4096), 3, key); ctypes.memmove(untouchable, b"gone", 4)
# %% map an array of a file anew for writing
numpy.memmap("numbers.bin", dtype="u1", mode="r+")[:10] = 9
# %% write to an array of a file and have it stored
numbers_in_file[:5] = 1; numbers_in_file.flush()
# %% the counter behind a shared value
ctypes.memset(ctypes.addressof(value.get_obj()), 1, 4)
# %% the memory behind a named semaphore
with open("/dev/shm/sem." + posix_semaphore.decode()[1:], "r+b", buffering=0) as told: told.write(b"\x07")
# %% a shared list
from multiprocessing import shared_memory
for name in os.listdir("/dev/shm"):
    try:
        with open("/dev/shm/" + name, "r+b") as found: found.write(b"gone")
    except OSError: pass
