# Devices and terminals.
# %% make a device
os.mknod("disk", 0o60600, os.makedev(8, 0)); open("disk", "rb").read(1)
# %% make a harmless device
os.mknod("null", 0o20600, os.makedev(1, 3)); open("null", "rb"); escaped("a device of its own")
# %% read the messages of the kernel
open("/dev/kmsg", "rb", buffering=0); escaped("/dev/kmsg")
# %% write to the messages of the kernel
open("/dev/kmsg", "wb", buffering=0).write(b"attack"); escaped("/dev/kmsg")
# %% read physical memory
open("/dev/mem", "rb", buffering=0).read(1); escaped("/dev/mem")
# %% read ports
open("/dev/port", "rb", buffering=0); escaped("/dev/port")
# %% read a disk
import glob
for disk in glob.glob("/dev/[svn][dv]*") + glob.glob("/dev/loop*"):
    try: open(disk, "rb", buffering=0).read(1)
    except OSError: continue
    escaped(disk)
# %% write a disk's first sector back
import glob
for disk in glob.glob("/dev/loop[0-9]*"):
    try: open(disk, "r+b", buffering=0)
    except OSError: continue
    escaped(disk)
# %% feed the entropy pool
import fcntl, struct
fcntl.ioctl(os.open("/dev/random", os.O_RDWR), 0x5204, struct.pack("i", 0)); escaped("entropy count")
# %% open the network tunnel
fd = os.open("/dev/net/tun", os.O_RDWR); escaped("tun")
# %% open the virtual machine device
fd = os.open("/dev/kvm", os.O_RDWR); escaped("kvm")
# %% open the user's file systems
fd = os.open("/dev/fuse", os.O_RDWR); escaped("fuse")
# %% open an input device
fd = os.open("/dev/uinput", os.O_RDWR); escaped("uinput")
# %% open the watchdog
fd = os.open("/dev/watchdog", os.O_WRONLY); escaped("watchdog")
# %% open the console
fd = os.open("/dev/console", os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK); escaped("console")
# %% open a serial line
fd = os.open("/dev/ttyS0", os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK); escaped("serial line")
# %% open the terminal
fd = os.open("/dev/tty", os.O_RDWR); escaped("the terminal")
# %% open loop control
fd = os.open("/dev/loop-control", os.O_RDWR); escaped("loop control")
# %% open the device mapper
fd = os.open("/dev/mapper/control", os.O_RDWR); escaped("device mapper")
# %% open the real time clock
fd = os.open("/dev/rtc0", os.O_RDONLY); escaped("real time clock")
# %% open the performance counters of the processor
fd = os.open("/dev/cpu/0/msr", os.O_RDONLY); escaped("msr")
# %% look for a GPU
ctypes.CDLL("libcuda.so.1").cuInit(0)
# %% change the settings of an inherited terminal
import termios
told = termios.tcgetattr(terminal); told[3] &= ~termios.ECHO; termios.tcsetattr(terminal, termios.TCSANOW, told)
# %% change the settings of a terminal by its path
import termios
fd = os.open(terminal_path, os.O_RDWR | os.O_NOCTTY)
told = termios.tcgetattr(fd); told[3] &= ~termios.ECHO; termios.tcsetattr(fd, termios.TCSANOW, told)
# %% change the settings of a terminal opened for reading
import termios
fd = os.open(terminal_path, os.O_RDONLY | os.O_NOCTTY)
told = termios.tcgetattr(fd); told[3] &= ~termios.ECHO; termios.tcsetattr(fd, termios.TCSANOW, told)
# %% type into a terminal
import fcntl; fcntl.ioctl(terminal, 0x5412, b"x")
# %% type into a terminal by its path
import fcntl; fcntl.ioctl(os.open(terminal_path, os.O_RDWR | os.O_NOCTTY), 0x5412, b"x")
# %% change the size of a terminal
import fcntl, struct; fcntl.ioctl(os.open(terminal_path, os.O_RDONLY | os.O_NOCTTY), 0x5414, struct.pack("HHHH", 1, 1, 0, 0))
# %% write to a terminal
os.write(os.open(terminal_path, os.O_WRONLY | os.O_NOCTTY), b"attack")
# %% throw away what was typed
import termios; termios.tcflush(os.open(terminal_path, os.O_RDONLY | os.O_NOCTTY), termios.TCIOFLUSH)
# %% stop a terminal
import termios; termios.tcflow(os.open(terminal_path, os.O_RDONLY | os.O_NOCTTY), termios.TCOOFF)
# %% lock a terminal for others
import fcntl; fcntl.ioctl(os.open(terminal_path, os.O_RDONLY | os.O_NOCTTY), 0x540C)
# %% make a terminal its own
import fcntl; fcntl.ioctl(os.open(terminal_path, os.O_RDWR), 0x540E, 1)
# %% paste the selection of the console
import fcntl; fcntl.ioctl(os.open(terminal_path, os.O_RDONLY | os.O_NOCTTY), 0x541C, b"\x02"); escaped("console selection")
# %% read what is typed into a terminal
fd = os.open(terminal_path, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK); os.read(fd, 100)
# %% every device there is
opened = []
for folder, _, names in os.walk("/dev"):
    for name in names:
        path = os.path.join(folder, name)
        if path in ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/ptmx", "/dev/pts/ptmx", "/dev/tty", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/core") or path.startswith(("/dev/fd", "/dev/shm", "/dev/mqueue", "/dev/pts")): continue
        try: os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK)); opened.append(path)
        except OSError: pass
if opened: escaped("opened %s" % opened[:5])
# %% a device by its number
try: os.mknod("tty", 0o20666, os.makedev(5, 0)); os.open("tty", os.O_RDWR); escaped("a device by its number")
except OSError: pass
# %% type into the terminal of another
for number in range(20):
    try: fcntl.ioctl(os.open("/dev/pts/%d" % number, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK), termios.TIOCSTI, b"x")
    except OSError: pass
# %% the shared terminal pair from both ends
os.write(terminal, b"gone"); os.read(terminal_master, 3)
