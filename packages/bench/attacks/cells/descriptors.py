# Descriptors that the kernel had open before the copy was made.
# %% truncate through an open descriptor
os.ftruncate(raw, 0)
# %% write through an open handle
handle.write("changed"); handle.flush()
# %% write through an appending handle
appender.write("changed\n"); appender.flush()
# %% write through a raw descriptor
os.write(raw, b"changed")
# %% write at a place through a raw descriptor
os.pwrite(raw, b"changed", 3)
# %% write pieces through a raw descriptor
os.writev(raw, [b"chan", b"ged"])
# %% move the position of an open descriptor
os.lseek(raw, 5, os.SEEK_SET); handle.seek(0)
# %% read on in an open handle
handle.read(50)
# %% close open descriptors
os.close(raw); handle.close(); appender.close()
# %% change a mode through a descriptor
os.fchmod(raw, 0o777)
# %% change times through a descriptor
os.utime(raw, (1, 1))
# %% set an attribute through a descriptor
os.setxattr(raw, "user.attack", b"1")
# %% copy a descriptor and write
os.write(os.dup(raw), b"changed")
# %% replace a descriptor
os.dup2(os.open("/dev/null", os.O_RDWR), raw)
# %% change the flags of an open file
import fcntl; fcntl.fcntl(raw, fcntl.F_SETFL, os.O_APPEND | os.O_NONBLOCK)
# %% write into every descriptor
for number in range(0, 256):
    try: os.write(number, b"garbage\n")
    except OSError: pass
# %% read from every descriptor
for number in range(3, 256):
    try: os.set_blocking(number, False); os.read(number, 1 << 16)
    except OSError: pass
# %% close every descriptor
os.closerange(0, 512)
# %% make every descriptor blocking
for number in range(3, 256):
    try: os.set_blocking(number, False)
    except OSError: pass
# %% drain a pipe
os.read(pipe_in, 100)
# %% fill a pipe
os.set_blocking(pipe_out, False); os.write(pipe_out, b"more")
# %% splice a pipe away
os.splice(pipe_in, os.open("/dev/null", os.O_WRONLY), 100)
# %% peek and take from a socket pair
left.recv(100)
# %% send on a socket pair
left.send(b"changed")
# %% shut a socket pair down
left.shutdown(socket.SHUT_RDWR)
# %% set an option of a socket pair
left.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
# %% pass a descriptor over a socket pair
socket.send_fds(left, [b"x"], [raw])
# %% take a connection from a listening socket
listener.setblocking(False); listener.accept()
# %% close the listening socket for good
listener.shutdown(socket.SHUT_RDWR)
# %% own a socket and be signalled
import fcntl; fcntl.fcntl(left.fileno(), 8, victim_pid); fcntl.fcntl(left.fileno(), 10, 9); fcntl.fcntl(left.fileno(), fcntl.F_SETFL, 0o20000)
# %% set the signal of an open file
import fcntl; fcntl.fcntl(raw, 10, 9)
# %% own a new pipe for the victim, and have it killed
import fcntl
r, w = os.pipe(); fcntl.fcntl(r, 8, victim_pid); fcntl.fcntl(r, 10, 9); fcntl.fcntl(r, fcntl.F_SETFL, 0o20000); os.write(w, b"x")
time.sleep(0.05)
# %% own a new socket for the kernel's group, and have it killed
import fcntl, struct
a, b = socket.socketpair(); fcntl.ioctl(a, 0x8901, struct.pack("i", -os.getpgid(kernel_pid))); fcntl.fcntl(a, 10, 9)
fcntl.fcntl(a, fcntl.F_SETFL, 0o20000); b.send(b"x"); time.sleep(0.05)
# %% own a new pipe through the extended form
import fcntl, struct
r, w = os.pipe(); fcntl.fcntl(r, 15, struct.pack("ii", 1, victim_pid)); fcntl.fcntl(r, 10, 9); fcntl.fcntl(r, fcntl.F_SETFL, 0o20000); os.write(w, b"x")
time.sleep(0.05)
# %% ask for a signal through another ioctl
import fcntl, struct
r, w = os.pipe(); fcntl.ioctl(r, 0x8902, struct.pack("i", victim_pid)); fcntl.ioctl(r, 0x5452, struct.pack("i", 1)); os.write(w, b"x"); time.sleep(0.05)
# %% watch a folder and be signalled
import fcntl; fd = os.open(here, os.O_RDONLY); fcntl.fcntl(fd, 1026, 1)
# %% count up an event descriptor
os.eventfd_write(event, 5)
# %% take from an event descriptor
os.eventfd_read(event)
# %% change an inherited poll set
inherited_poll.unregister(pipe_in)
# %% arm an inherited timer
libc.timerfd_settime(timer, 0, (ctypes.c_long * 4)(0, 0, 0, 1), None)
# %% read an inherited watch
os.read(watch, 4096)
# %% take a watch away
libc.inotify_rm_watch(watch, 1)
# %% steal a descriptor of the kernel
fd = libc.syscall(438, os.pidfd_open(kernel_pid), raw, 0)
if fd >= 0: escaped("a descriptor of the kernel")
# %% allocate through an inherited descriptor
os.posix_fallocate(raw, 0, 1 << 16)
# %% append with a flag of the call
os.pwritev(raw, [b"gone"], 0, 0x10)
# %% copy a range between two inherited files
os.lseek(raw, 0, 0); os.copy_file_range(raw, handle.fileno(), 20)
# %% make an inherited pipe smaller
fcntl.fcntl(pipe_in, 1031, 4096); os.write(pipe_out, b"x" * 70000)
# %% send a file into an inherited pipe
os.sendfile(pipe_out, raw, 0, 50)
# %% map memory into an inherited pipe
iov = (ctypes.c_size_t * 2)(ctypes.addressof(ctypes.create_string_buffer(b"gone")), 4); libc.vmsplice(pipe_out, iov, 1, 0)
# %% a second object over an inherited socket
socket.socket(fileno=os.dup(left.fileno())).recv(100)
# %% take a descriptor out of a message to itself and use it
a, b = socket.socketpair(); socket.send_fds(a, [b"x"], [left.fileno(), raw]); _, got, *_ = socket.recv_fds(b, 1, 4)
os.write(got[1], b"gone"); os.read(got[0], 10)
# %% write through a file object over the same number
over = os.fdopen(os.dup(raw), "r+b", buffering=0); over.seek(0); over.write(b"gone")
# %% close a range of descriptors and open others in their place
os.closerange(3, 200); [os.open("b.txt", os.O_RDWR) for _ in range(40)]; os.write(raw, b"gone")
# %% cut a memory file down
os.ftruncate(memory_file, 4096)
# %% write into a memory file
os.pwrite(memory_file, b"gone", 100)
# %% open a memory file of the kernel through its folder of descriptors
fd = os.open("/proc/%d/fd/%d" % (kernel_pid, memory_file), os.O_RDWR); os.pwrite(fd, b"gone", 0)
# %% open a memory file through another thread's folder
fd = os.open("/proc/thread-self/fd/%d" % memory_file, os.O_RDWR); os.pwrite(fd, b"gone", 0)
# %% wake an inherited counter from a thread
threading.Thread(target=os.eventfd_write, args=(event, 5)).start(); time.sleep(0.1)
# %% ask for urgent data on an inherited socket
right.send(b"!", socket.MSG_OOB)
# %% a filter on an inherited socket
left.setsockopt(socket.SOL_SOCKET, 26, (ctypes.c_char * 16)())
