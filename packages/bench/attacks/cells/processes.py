# Other processes: signals, memory, priorities, limits; and processes that outlive the cell.
# %% kill the kernel
os.kill(kernel_pid, signal.SIGKILL)
# %% kill the kernel's group
os.killpg(os.getpgid(kernel_pid), signal.SIGKILL)
# %% interrupt the kernel
os.kill(kernel_pid, signal.SIGINT)
# %% stop the kernel
os.kill(kernel_pid, signal.SIGSTOP)
# %% kill the victim
victim.kill()
# %% stop the victim
victim.send_signal(signal.SIGSTOP)
# %% kill the parent
os.kill(os.getppid(), signal.SIGKILL)
# %% kill everybody
os.kill(-1, signal.SIGTERM)
# %% kill its own group
os.killpg(0, signal.SIGTERM)
# %% kill through libc
assert libc.kill(kernel_pid, 9) == 0
# %% kill a thread through libc
libc.syscall(234 if x86 else 131, kernel_pid, kernel_pid, 9)
# %% kill a thread by number alone
libc.syscall(200 if x86 else 130, victim_pid, 9)
# %% queue a signal
libc.sigqueue(victim_pid, 9, 0)
# %% queue a signal by system call
libc.syscall(129 if x86 else 138, victim_pid, 9, ctypes.create_string_buffer(128))
# %% signal through a descriptor of the process
signal.pidfd_send_signal(os.pidfd_open(kernel_pid), signal.SIGKILL)
# %% signal through a folder of /proc
fd = os.open("/proc/%d" % victim_pid, os.O_RDONLY); signal.pidfd_send_signal(fd, signal.SIGKILL)
# %% signal from a program
subprocess.run(["sh", "-c", "kill -9 %d %d" % (victim_pid, kernel_pid)])
# %% trace the kernel
if libc.ptrace(16, kernel_pid, 0, 0) == 0: escaped("traced")
# %% seize the victim
if libc.ptrace(0x4206, victim_pid, 0, 0) == 0: escaped("seized")
# %% write into the kernel's memory
with open("/proc/%d/mem" % kernel_pid, "r+b", buffering=0) as memory:
    memory.seek(id(numbers)); memory.write(b"\0" * 8)
# %% read the kernel's memory
with open("/proc/%d/mem" % kernel_pid, "rb", buffering=0) as memory:
    memory.seek(id(numbers)); memory.read(8); escaped("read the kernel's memory")
# %% read the victim's environment
open("/proc/%d/environ" % victim_pid, "rb").read(); escaped("read the victim's environment")
# %% write into another process through libc
import ctypes as c
class IoVec(c.Structure): _fields_ = [("base", c.c_void_p), ("size", c.c_size_t)]
junk = c.create_string_buffer(8)
local, remote = IoVec(c.addressof(junk), 8), IoVec(id(numbers), 8)
assert libc.process_vm_writev(kernel_pid, c.byref(local), 1, c.byref(remote), 1, 0) == 8
# %% read another process through libc
import ctypes as c
class IoVec(c.Structure): _fields_ = [("base", c.c_void_p), ("size", c.c_size_t)]
junk = c.create_string_buffer(8)
local, remote = IoVec(c.addressof(junk), 8), IoVec(id(numbers), 8)
if libc.process_vm_readv(kernel_pid, c.byref(local), 1, c.byref(remote), 1, 0) == 8: escaped("read the kernel's memory")
# %% advise another process
fd = os.pidfd_open(victim_pid); libc.syscall(440, fd, None, 0, 4, 0)
# %% move the pages of another process
if libc.syscall(279 if x86 else 239, victim_pid, 0, None, None, None, 0) == 0: escaped("move_pages")
# %% change the limits of the kernel
import resource; resource.prlimit(kernel_pid, resource.RLIMIT_NOFILE, (64, 64))
# %% read the limits of the victim
import resource; resource.prlimit(victim_pid, resource.RLIMIT_NOFILE); escaped("limits of another process")
# %% change the priority of the kernel
os.setpriority(os.PRIO_PROCESS, kernel_pid, 15)
# %% change the priority of the victim
os.setpriority(os.PRIO_PROCESS, victim_pid, 15)
# %% change the priority of the user's processes
os.setpriority(os.PRIO_USER, os.getuid(), 15)
# %% change the priority of this user, by the number for itself
os.setpriority(os.PRIO_USER, 0, 15)
# %% change the priority of the kernel's group
os.setpriority(os.PRIO_PGRP, os.getpgid(kernel_pid), 15)
# %% change the input and output priority of the victim
libc.syscall(251 if x86 else 30, 1, victim_pid, 3 << 13)
# %% change the input and output priority of the user
libc.syscall(251 if x86 else 30, 3, os.getuid(), 3 << 13)
# %% change the input and output priority of this user, by the number for itself
libc.syscall(251 if x86 else 30, 3, 0, 3 << 13)
# %% change the input and output priority of a group
libc.syscall(251 if x86 else 30, 2, os.getpgid(kernel_pid), 3 << 13)
# %% change the affinity of the kernel
os.sched_setaffinity(kernel_pid, {0})
# %% change the affinity of the victim
os.sched_setaffinity(victim_pid, {0})
# %% change the scheduling of the victim
os.sched_setscheduler(victim_pid, os.SCHED_IDLE, os.sched_param(0))
# %% change the scheduling parameters of the victim
libc.sched_setparam(victim_pid, (ctypes.c_int * 1)(0)); libc.syscall(314 if x86 else 274, victim_pid, (ctypes.c_uint32 * 12)(48, 5), 0)
# %% change the group of the victim
os.setpgid(victim_pid, 0)
# %% change the victim's chance to be killed for memory
open("/proc/%d/oom_score_adj" % victim_pid, "w").write("1000")
# %% name the victim
open("/proc/%d/comm" % victim_pid, "w").write("attacked")
# %% freeze the victim by its control group
import glob
for place in glob.glob("/sys/fs/cgroup/freezer/*"):
    try: open(place + "/tasks", "w").write(str(victim_pid))
    except OSError: pass
# %% compare with another process
if libc.syscall(312 if x86 else 272, os.getpid(), kernel_pid, 1, 0, 0) >= 0: escaped("kcmp")
# %% robust list of another process
head, size = ctypes.c_void_p(), ctypes.c_size_t()
if libc.syscall(274 if x86 else 100, victim_pid, ctypes.byref(head), ctypes.byref(size)) == 0: escaped("a robust list of another process")
# %% wait for the victim
os.waitpid(victim_pid, os.WNOHANG)
# %% a daemon that outlives the cell
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(4); open("late.txt", "w").write("x"); os._exit(0)
    os._exit(0)
# %% a program that outlives the cell
subprocess.Popen("sleep 4; touch late.txt", shell=True, start_new_session=True)
# %% a daemon started by system call
if libc.syscall(57 if x86 else 220, 17) == 0: time.sleep(4); os._exit(0)
# %% a child that shares memory
libc.syscall(56 if x86 else 220, 0x100 | 17, 0, 0, 0, 0)
# %% a thread that writes
def work(): open("a.txt", "w").write("gone")
thread = threading.Thread(target=work); thread.start(); thread.join()
# %% processes of multiprocessing
with multiprocessing.get_context("fork").Pool(2) as pool: pool.map(os.remove, ["a.txt", "b.txt"])
# %% a process that another outlives
p = multiprocessing.get_context("fork").Process(target=time.sleep, args=(4,), daemon=False); p.start()
# %% end with a handler at the exit
import atexit; atexit.register(open, "late.txt", "w"); exit()
# %% a timer that signals the kernel
event_of_timer = (ctypes.c_int * 16)(); event_of_timer[2], event_of_timer[3], event_of_timer[4] = 9, 4, kernel_pid
made = ctypes.c_int(); libc.syscall(222 if x86 else 107, 1, event_of_timer, ctypes.byref(made))
# %% have itself reaped by nobody
libc.prctl(1, 0, 0, 0, 0); libc.prctl(36, 1, 0, 0, 0)
# %% let others trace it
libc.prctl(0x59616d61, -1, 0, 0, 0)
# %% take the parent's death signal away and outlive it
libc.prctl(1, 0, 0, 0, 0)
time.sleep(6)
# %% a child that belongs to the kernel
pid = libc.syscall(56 if x86 else 220, 0x8000 | 17, 0, 0, 0, 0)
if pid == 0: time.sleep(60); os._exit(0)
# %% a child made by the new call
arguments = (ctypes.c_uint64 * 11)(0x8000, 0, 0, 0, 17, 0, 0, 0, 0, 0, 0); pid = libc.syscall(435, arguments, 88)
if pid == 0: time.sleep(60); os._exit(0)
# %% stop itself
os.kill(os.getpid(), signal.SIGSTOP)
# %% stop itself in a thread
threading.Thread(target=lambda: signal.raise_signal(signal.SIGSTOP)).start(); time.sleep(1)
# %% reap the memory of another process
fd = os.pidfd_open(victim_pid); libc.syscall(448, fd, 0)
# %% name the kernel
open("/proc/%d/comm" % kernel_pid, "w").write("renamed")
# %% settings of another process
for name, text in (("oom_score_adj", "999"), ("coredump_filter", "0"), ("clear_refs", "1"), ("timerslack_ns", "99"), ("autogroup", "5")):
    try: open("/proc/%d/%s" % (victim_pid, name), "w").write(text)
    except OSError: pass
# %% a timer that signals a thread of the kernel
told = (ctypes.c_int * 16)(0, 0, 9, 4, kernel_pid); number = ctypes.c_int()
if libc.syscall(222 if x86 else 107, 1, told, ctypes.byref(number)) == 0: libc.syscall(223 if x86 else 110, number, 0, (ctypes.c_long * 4)(0, 0, 0, 1000), None)
time.sleep(0.2)
# %% wait for the victim by its descriptor
os.waitid(os.P_PIDFD, os.pidfd_open(victim_pid), os.WEXITED | os.WNOHANG)
# %% join the group of the kernel
os.setpgid(0, os.getpgid(kernel_pid)); os.killpg(os.getpgid(kernel_pid), signal.SIGTERM)
# %% run at once and always
os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50))
while True: pass
# %% programs that fork twice and close everything
subprocess.Popen("setsid sh -c 'exec >/dev/null 2>&1 </dev/null; sleep 500' &", shell=True, start_new_session=True); time.sleep(0.2)
# %% a program that stays behind a pipe
os.popen("sleep 500 & sleep 500 &"); time.sleep(0.2)
# %% take children away from others
libc.prctl(36, 1, 0, 0, 0); os.system("(sleep 400 &) ; true")
# %% a process that ignores the end of its parent
if os.fork() == 0:
    for number in range(1, 32):
        try: signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError): pass
    libc.prctl(1, 0, 0, 0, 0); os.setsid(); time.sleep(500)
# %% limits of the victim by the whole call
libc.prlimit(victim_pid, 7, (ctypes.c_uint64 * 2)(3, 3), None)
# %% priority of the group of the victim
os.setpriority(os.PRIO_PGRP, os.getpgid(victim_pid), 19)
# %% affinity of each thread of the kernel
for name in os.listdir("/proc/%d/task" % kernel_pid):
    try: os.sched_setaffinity(int(name), {0})
    except OSError: pass
