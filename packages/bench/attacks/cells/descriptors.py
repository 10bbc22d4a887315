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
