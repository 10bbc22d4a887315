# Named pipes, which a read-only view of their folder does not close.
# %% drain a named pipe
fd = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK); os.read(fd, 100)
# %% fill a named pipe
fd = os.open(fifo, os.O_WRONLY | os.O_NONBLOCK); os.write(fd, b"more")
# %% open a named pipe both ways
fd = os.open(fifo, os.O_RDWR | os.O_NONBLOCK); os.read(fd, 3); os.write(fd, b"other")
# %% drain a named pipe with open
with open(fifo, "rb", buffering=0) as pipe: pipe.read(4)
# %% drain a named pipe in a folder without mounts below
fd = os.open(os.path.join(elsewhere, "fifo"), os.O_RDONLY | os.O_NONBLOCK); os.read(fd, 100)
# %% drain a named pipe in the work folder
fd = os.open("fifo", os.O_RDONLY | os.O_NONBLOCK); os.read(fd, 100)
# %% drain a named pipe on another mount
fd = os.open(os.path.join(ground, "mounted", "fifo"), os.O_RDONLY | os.O_NONBLOCK); os.read(fd, 100)
# %% drain a named pipe through a link
os.symlink(fifo, "pipe"); fd = os.open("pipe", os.O_RDONLY | os.O_NONBLOCK); os.read(fd, 100)
# %% drain a named pipe through its folder's descriptor
folder = os.open(ground, os.O_RDONLY); fd = os.open("fifo", os.O_RDONLY | os.O_NONBLOCK, dir_fd=folder); os.read(fd, 100)
# %% drain a named pipe through /proc of the kernel
fd = os.open("/proc/%d/root%s" % (kernel_pid, fifo), os.O_RDONLY | os.O_NONBLOCK); os.read(fd, 100)
# %% drain an inherited pipe through /proc
fd = os.open("/proc/self/fd/%d" % pipe_in, os.O_RDONLY | os.O_NONBLOCK); os.read(fd, 100)
# %% drain a pipe of the kernel through /proc
fd = os.open("/proc/%d/fd/%d" % (kernel_pid, pipe_in), os.O_RDONLY | os.O_NONBLOCK); os.read(fd, 100)
# %% drain a named pipe with a program
subprocess.run(["dd", "if=" + fifo, "iflag=nonblock", "bs=100", "count=1"], timeout=1)
# %% drain a named pipe with a library in C
import numpy; numpy.fromfile(fifo, dtype="u1", count=4)
# %% drain an open named pipe
os.set_blocking(open_fifo, False); os.read(open_fifo, 100)
# %% remove a named pipe
os.remove(os.path.join(elsewhere, "fifo"))
# %% make a named pipe
os.mkfifo("made.fifo")
# %% make a named pipe among temporary files
import tempfile; os.mkfifo(os.path.join(tempfile.gettempdir(), "grus-attack-fifo"))
# %% reopen a named pipe by a path descriptor
fd = os.open(fifo, os.O_PATH); os.read(os.open("/proc/self/fd/%d" % fd, os.O_RDONLY | os.O_NONBLOCK), 10)
# %% a reader with an opener of its own
with open(fifo, "rb", buffering=0, opener=lambda path, flags: os.open(path, os.O_RDWR | os.O_NONBLOCK)) as pipe: pipe.read(4)
# %% a frame out of a named pipe
import pandas; pandas.read_csv(fifo)
# %% another name for a named pipe
os.link(fifo, "same"); os.read(os.open("same", os.O_RDONLY | os.O_NONBLOCK), 10)
# %% move a named pipe and read it there
os.rename(os.path.join(elsewhere, "fifo"), "moved"); os.read(os.open("moved", os.O_RDONLY | os.O_NONBLOCK), 10)
# %% copy a named pipe
import shutil; shutil.copyfile(fifo, "copied")
# %% change the mode of a named pipe
os.chmod(fifo, 0o777)
# %% an open named pipe through its own number
os.read(os.open("/dev/fd/%d" % open_fifo, os.O_RDONLY | os.O_NONBLOCK), 10)
