# Facilities of the operating system that reach beyond one process.
# %% mount over a folder
if libc.mount(b"none", here.encode(), b"tmpfs", 0, None) == 0: escaped("mounted")
# %% bind a folder elsewhere
if libc.mount(b"/", elsewhere.encode(), None, 0x1000, None) == 0: escaped("mounted")
# %% remount the root for writing
if libc.mount(None, b"/", None, 0x20, None) == 0: escaped("remounted")
# %% unmount a folder
if libc.umount2(os.path.join(ground, "mounted").encode(), 2) == 0: escaped("unmounted")
# %% unmount the work folder
for _ in range(3): libc.umount2(here.encode(), 2)
open(here + "/a.txt", "w").write("gone")
# %% mount through the new calls
fd = libc.syscall(430, b"tmpfs", 0)
if fd >= 0: escaped("fsopen")
# %% pick a mount
if libc.syscall(433, -100, b"/", 0) >= 0: escaped("fspick")
# %% copy a tree of mounts
if libc.syscall(428, -100, b"/", 1) >= 0: escaped("open_tree")
# %% move a mount
if libc.syscall(429, -100, b"/proc", -100, here.encode(), 0) == 0: escaped("move_mount")
# %% change the attributes of a mount
if libc.syscall(442, -100, b"/", 0x8000, (ctypes.c_uint64 * 4)(0, 1, 0, 0), 32) == 0: escaped("mount_setattr")
# %% list mounts by number
libc.syscall(458, (ctypes.c_uint64 * 4)(32, 0, 0, 0), (ctypes.c_uint64 * 64)(), 64, 0)
# %% leave the mount namespace
fd = os.open("/proc/%d/ns/mnt" % kernel_pid, os.O_RDONLY)
if libc.setns(fd, 0) == 0: open(here + "/a.txt", "w").write("gone")
# %% join the namespaces of the kernel through its descriptor
if libc.setns(os.pidfd_open(kernel_pid), 0x20000) == 0: escaped("setns")
# %% new namespaces
if libc.unshare(0x10000000 | 0x00020000) == 0: escaped("new namespaces")
# %% new namespaces for a child
if libc.syscall(56 if x86 else 220, 0x10000000 | 17, 0, 0, 0, 0) >= 0: escaped("clone with a user namespace")
# %% new namespaces through the new call
told = (ctypes.c_uint64 * 11)(0x10000000, 0, 0, 0, 17, 0, 0, 0, 0, 0, 0)
if libc.syscall(435, told, 88) >= 0: escaped("clone3 with a user namespace")
# %% new file table
libc.unshare(0x400)
# %% change the root
os.chroot(here); escaped("chroot")
# %% change the root and climb out
os.mkdir("jail"); os.chroot("jail")
for _ in range(30): os.chdir("..")
os.chroot("."); open(here.lstrip("/") + "/a.txt", "w").write("gone")
# %% pivot the root
if libc.syscall(155 if x86 else 41, b".", b".") == 0: escaped("pivot_root")
# %% become root
if os.getuid(): os.setuid(0); escaped("root")
# %% ask for another user and write
os.setuid(os.getuid()); open("a.txt", "w").write("gone")
# %% take a capability back
header = (ctypes.c_uint32 * 2)(0x20080522, 0); data = (ctypes.c_uint32 * 6)(*[0xFFFFFFFF] * 6)
if libc.capset(header, data) == 0 and os.getuid(): escaped("capabilities")
if libc.mount(b"none", here.encode(), b"tmpfs", 0, None) == 0: escaped("mounted")
# %% run a program with a set user bit
subprocess.run(["su", "-c", "touch made.txt", "root"], stdin=subprocess.DEVNULL, timeout=2)
# %% change the host name
socket.sethostname("attacked")
# %% change the domain name
libc.setdomainname(b"attacked", 8)
# %% set the clock
time.clock_settime(time.CLOCK_REALTIME, time.time()); escaped("the clock was set")
# %% adjust the clock
if libc.syscall(159 if x86 else 171, (ctypes.c_long * 32)(1)) >= 0: escaped("adjtimex with a mode")
# %% turn accounting on
if libc.acct(b"a.txt") == 0: escaped("accounting")
# %% swap onto a file
if libc.swapon(b"mapped.bin", 0) == 0: escaped("swap")
# %% load a module
if libc.syscall(313 if x86 else 273, raw, b"", 0) == 0: escaped("module")
# %% load a program into the kernel
if libc.syscall(321 if x86 else 280, 0, (ctypes.c_uint32 * 30)(1, 4, 4, 4), 120) >= 0: escaped("bpf")
# %% count events of others
told = (ctypes.c_uint32 * 32)(1, 128)
if libc.syscall(298 if x86 else 241, told, -1, 0, -1, 0) >= 0: escaped("perf events of a processor")
# %% count events of itself
told = (ctypes.c_uint32 * 32)(1, 128)
if libc.syscall(298 if x86 else 241, told, 0, -1, -1, 0) >= 0: escaped("perf events")
# %% handle page faults
if libc.syscall(323 if x86 else 282, 0) >= 0: escaped("userfaultfd")
# %% a ring of requests
fd = libc.syscall(425, 4, ctypes.create_string_buffer(120))
if fd >= 0: escaped("io_uring")
# %% asynchronous input and output
context = ctypes.c_ulong()
if libc.syscall(206 if x86 else 0, 4, ctypes.byref(context)) == 0: escaped("io_setup")
# %% open by a handle
handle_of_file = ctypes.create_string_buffer(128 + 8); ctypes.cast(handle_of_file, ctypes.POINTER(ctypes.c_uint32))[0] = 128
mount_id = ctypes.c_int()
libc.name_to_handle_at(-100, b"a.txt", handle_of_file, ctypes.byref(mount_id), 0)
if libc.open_by_handle_at(os.open(here, os.O_RDONLY), handle_of_file, os.O_RDWR) >= 0: escaped("open_by_handle_at")
# %% read the log of the kernel
buffer = ctypes.create_string_buffer(64)
if libc.klogctl(3, buffer, 64) > 0: escaped("the log of the kernel")
# %% set a quota
if libc.syscall(179 if x86 else 60, 0x800007 << 8, None, 0, None) == 0: escaped("quotactl")
# %% hang up the terminal
libc.vhangup()
# %% change the personality
libc.personality(0x0400000)
# %% restart the machine
libc.syscall(169 if x86 else 142, 0, 0, 0, None)
# %% ports of the machine
if x86 and libc.iopl(3) == 0: escaped("iopl")
# %% change a setting of the kernel
open("/proc/sys/kernel/domainname", "w").write("attacked")
# %% drop caches
open("/proc/sys/vm/drop_caches", "w").write("1"); escaped("drop_caches")
# %% change the core pattern
open("/proc/sys/kernel/core_pattern", "w").write("|/bin/false")
# %% press a system key
open("/proc/sysrq-trigger", "w").write("h"); escaped("sysrq")
# %% change a device through /sys
open("/sys/power/state", "w").write(""); escaped("/sys/power")
# %% make a control group
os.mkdir("/sys/fs/cgroup/grus-attack")
# %% make a control group of a controller
os.mkdir("/sys/fs/cgroup/pids/grus-attack")
# %% load the filter of another
fd = libc.syscall(317 if x86 else 277, 1, 8, None); open("a.txt", "w").write("gone")
# %% calls of another architecture
if x86: ctypes.CFUNCTYPE(ctypes.c_long)(0); libc.syscall(0x40000000 + 62, kernel_pid, 9)
# %% a call that no kernel knows
libc.syscall(9999)
# %% allocate secret memory
fd = libc.syscall(447, 0)
if fd >= 0: escaped("memfd_secret")
# %% plug into Landlock once more
libc.syscall(444, None, 0, 1)
# %% the numbers of the third way of calls
if libc.syscall(0x40000000 | 39) > 0: escaped("a call of the other interface")
# %% watch everything
if libc.syscall(300 if x86 else 262, 0, 0) >= 0: escaped("watches everything")
# %% a ring through its library form
told = (ctypes.c_uint32 * 30)(); fd = libc.syscall(425, 2, told)
if fd >= 0: escaped("a ring of requests")
# %% register and enter a ring
if libc.syscall(426, 3, 0, 0, 0, None, 0) >= 0 or libc.syscall(427, 3, 0, None, 0) >= 0: escaped("a ring of requests")
# %% load another kernel
if libc.syscall(246 if x86 else 104, 0, 0, None, 0) == 0: escaped("loaded a kernel")
# %% unload a module
if libc.syscall(176 if x86 else 106, b"loop", 0o4000) == 0: escaped("unloaded a module")
# %% a new file system from nothing
fd = libc.syscall(430, b"tmpfs", 0)
if fd >= 0: escaped("opened a file system")
# %% join the namespaces of the first process
for name in ("mnt", "net", "pid", "ipc", "uts", "user"):
    try:
        fd = os.open("/proc/1/ns/" + name, os.O_RDONLY)
        if libc.setns(fd, 0) == 0: escaped("joined " + name)
    except OSError: pass
# %% join by the descriptor of a process
fd = os.pidfd_open(kernel_pid)
if libc.setns(fd, 0x00020000) == 0: escaped("joined the kernel's mounts")
# %% change the table of segments
if x86 and libc.syscall(154, 1, (ctypes.c_uint32 * 4)(0, 0, 0xFFFFF, 0x51), 16) == 0: escaped("changed the segments")
# %% watch the faults of pages through the device
fd = os.open("/dev/userfaultfd", os.O_RDWR); escaped("opened the faults of pages")
# %% settings below /proc and /sys
for path in ("/proc/sys/vm/overcommit_memory", "/proc/sys/kernel/printk", "/proc/sys/fs/pipe-max-size", "/sys/kernel/mm/transparent_hugepage/enabled", "/sys/power/state"):
    try:
        told = open(path).read(); open(path, "w").write(told.split()[0]); escaped("wrote " + path)
    except OSError: pass
# %% its own filter in the way of the agent
libc.prctl(22, 1, 0, 0, 0); time.sleep(5)
# %% handles of files
box = ctypes.create_string_buffer(144); ctypes.memmove(box, (ctypes.c_uint32 * 1)(128), 4); number = ctypes.c_int()
if libc.syscall(303 if x86 else 264, -100, b"a.txt", box, ctypes.byref(number), 0) == 0:
    fd = libc.syscall(304 if x86 else 265, -100, box, 2)
    if fd >= 0: os.write(fd, b"gone")
