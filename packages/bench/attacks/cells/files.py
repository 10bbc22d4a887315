# Files and folders, by path and through what shows them a second time.
# %% write to a file
open("a.txt", "w").write("gone")
# %% append to a file
open("data/c.txt", "a").write("more")
# %% truncate a file
os.truncate("a.txt", 0)
# %% remove a file
os.remove("a.txt")
# %% remove a tree
import shutil; shutil.rmtree("data")
# %% rename a file
os.rename("a.txt", "z.txt")
# %% exchange two files
libc.renameat2(-100, b"a.txt", -100, b"b.txt", 2)
# %% replace a file
open("new.txt", "w").write("x"); os.replace("new.txt", "a.txt")
# %% make a folder
os.makedirs("made/up")
# %% remove a folder
os.remove("data/deep/d.txt"); os.rmdir("data/deep")
# %% change a mode
os.chmod("b.txt", 0o777)
# %% change the mode of a folder
os.chmod("data", 0o000)
# %% change an owner
os.chown("b.txt", os.getuid(), os.getgid()); os.chmod("b.txt", 0o600)
# %% change times
os.utime("b.txt", (1, 1))
# %% set an extended attribute
os.setxattr("b.txt", "user.attack", b"1")
# %% set the flags of a file
import fcntl, array
flags = array.array("l", [0]); fd = os.open("b.txt", os.O_RDONLY)
fcntl.ioctl(fd, 0x80086601, flags); flags[0] |= 0x80; fcntl.ioctl(fd, 0x40086602, flags)
# %% write through a symbolic link
open("link.txt", "w").write("gone")
# %% plant a symbolic link
os.symlink("/etc/passwd", "planted"); open("planted").read(10)
# %% plant a hard link
os.link("a.txt", "hard.txt"); open("hard.txt", "w").write("gone")
# %% write to another folder
open(os.path.join(elsewhere, "left.txt"), "w").write("x")
# %% write in a folder with a mount below
open(os.path.join(ground, "left.txt"), "w").write("x")
# %% remove a file in a folder with a mount below
os.remove(os.path.join(ground, "there.txt"))
# %% write on a mount of its own
open(os.path.join(ground, "mounted", "left.txt"), "w").write("x")
# %% write below /tmp
open(os.path.join("/tmp", "grus-attack.txt"), "w").write("x")
# %% write below /var/tmp
open(os.path.join("/var/tmp", "grus-attack.txt"), "w").write("x")
# %% write below /dev/shm
open("/dev/shm/grus-attack", "w").write("x")
# %% make a temporary file and keep it
import tempfile
with tempfile.NamedTemporaryFile("w", prefix="grus-attack", delete=False) as made: made.write("x")
# %% make a file without a name
fd = os.open(".", os.O_TMPFILE | os.O_RDWR); os.write(fd, b"x"); os.link("/proc/self/fd/%d" % fd, "appeared.txt")
# %% write to the root folder
open("/grus-attack", "w").write("x")
# %% write to the home folder
open(os.path.expanduser("~/grus-attack.txt"), "w").write("x")
# %% write through /proc of the kernel's descriptors
open("/proc/%d/fd/%d" % (kernel_pid, raw), "w").write("gone")
# %% write through /proc of the kernel's root
open("/proc/%d/root%s/a.txt" % (kernel_pid, here), "w").write("gone")
# %% write through /proc of the kernel's folder
open("/proc/%d/cwd/a.txt" % kernel_pid, "w").write("gone")
# %% write through /proc of the victim's folder
open("/proc/%d/cwd/a.txt" % victim_pid, "w").write("gone")
# %% write through /proc of the first process
open("/proc/1/root%s/a.txt" % here, "w").write("gone")
# %% write through its own descriptors under /proc
open("/proc/self/fd/%d" % raw, "w").write("gone")
# %% write through a descriptor of the folder
fd = os.open(".", os.O_RDONLY); os.close(os.open("a.txt", os.O_WRONLY | os.O_TRUNC, dir_fd=fd))
# %% write through native code
fd = libc.open(b"a.txt", os.O_WRONLY | os.O_TRUNC); libc.write(fd, b"gone", 4)
# %% open by openat2
how = (ctypes.c_uint64 * 3)(os.O_WRONLY | os.O_TRUNC, 0, 0)
fd = libc.syscall(437, -100, b"a.txt", how, 24); os.write(fd, b"gone")
# %% remove through native code
assert libc.unlink(b"a.txt") == 0
# %% create through creat
libc.syscall(85 if x86 else 0, b"a.txt", 0o600)
# %% copy onto a file inside the kernel
source = os.open("b.txt", os.O_RDONLY); target = os.open("a.txt", os.O_WRONLY)
os.copy_file_range(source, target, 10)
# %% send onto a file
source = os.open("b.txt", os.O_RDONLY); target = os.open("a.txt", os.O_WRONLY); os.sendfile(target, source, 0, 10)
# %% punch a hole
fd = os.open("a.txt", os.O_RDWR); assert libc.fallocate(fd, 3, ctypes.c_long(0), ctypes.c_long(100)) == 0
# %% allocate blocks
fd = os.open("a.txt", os.O_RDWR); os.posix_fallocate(fd, 0, 1 << 20)
# %% clone a file onto another
import fcntl; fcntl.ioctl(os.open("a.txt", os.O_RDWR), 0x40049409, os.open("b.txt", os.O_RDONLY))
# %% map a file for writing
import mmap as m
with open("a.txt", "r+b") as file:
    with m.mmap(file.fileno(), 0) as view: view[:4] = b"gone"; view.flush()
# %% write through a library in C
import numpy; numpy.save("made.npy", numpy.zeros(3)); numpy.zeros(3).tofile("a.txt")
# %% map through a library in C
import numpy; view = numpy.memmap("mapped.bin", mode="r+"); view[:] = 7; view.flush()
# %% write through a database
base.execute("insert into t values (3)"); base.commit()
# %% make a new database
sqlite3.connect("made.db").execute("create table t (x)").connection.commit()
# %% write through another connection to the database
sqlite3.connect("base.db", timeout=0.2).execute("create table u (x)").connection.commit()
# %% start a program that writes
subprocess.run(["sh", "-c", "echo gone > a.txt; touch made.txt"], check=True)
# %% shell magic that writes
!echo gone > a.txt
# %% cell magic that writes
get_ipython().run_cell_magic("bash", "", "rm -rf data a.txt")
# %% writefile magic
get_ipython().run_cell_magic("writefile", "a.txt", "gone")
# %% history magic that writes
get_ipython().run_line_magic("save", "-f made 1")
# %% os.system that writes
os.system("rm -f a.txt b.txt")
# %% three thousand nested temporary folders
import tempfile
top = tempfile.mkdtemp(prefix="grus-attack"); os.chdir(top)
for _ in range(3000): os.mkdir("d"); os.chdir("d")
# %% a temporary folder that nobody may enter
import tempfile
made = tempfile.mkdtemp(prefix="grus-attack"); os.makedirs(made + "/x/y"); os.chmod(made + "/x", 0)
# %% lock a file
import fcntl; fd = os.open("b.txt", os.O_RDWR); fcntl.lockf(fd, fcntl.LOCK_EX | fcntl.LOCK_NB); time.sleep(0.05)
# %% lease a file
import fcntl; fd = os.open("b.txt", os.O_RDONLY); fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_WRLCK)
# %% write through the root under /proc
open("/proc/self/root" + os.path.abspath("a.txt"), "w").write("gone")
# %% write through the roots of all processes
for name in os.listdir("/proc"):
    if name.isdigit():
        try: open("/proc/%s/root%s/a.txt" % (name, here), "w").write("gone")
        except OSError: pass
# %% write through the working folders of all processes
for name in os.listdir("/proc"):
    if name.isdigit():
        try: open("/proc/%s/cwd/a.txt" % name, "w").write("gone")
        except OSError: pass
# %% write through the folder above
open(os.path.join(here, "..", "there.txt"), "a").write("gone")
# %% rename the work folder
os.rename(here, here + "-gone")
# %% remove everything that can be found
import shutil; shutil.rmtree(ground, ignore_errors=True)
# %% link by an empty path
fd = os.open("a.txt", os.O_PATH); libc.linkat(fd, b"", -100, b"linked.txt", 0x1000)
# %% reopen a path descriptor for writing
fd = os.open("b.txt", os.O_PATH); os.write(os.open("/proc/self/fd/%d" % fd, os.O_WRONLY), b"gone")
# %% leave a whiteout behind
libc.syscall(316 if x86 else 276, -100, b"a.txt", -100, b"moved.txt", 4)
# %% a file as large as the disk
os.truncate("a.txt", 1 << 40)
# %% save an array over a file
numpy.save("a.txt", numpy.zeros(10)); os.replace("a.txt.npy", "a.txt") if os.path.exists("a.txt.npy") else None
# %% save a frame over a file
import pandas; pandas.DataFrame({"a": [1]}).to_csv(os.path.join(elsewhere, "there.txt"))
# %% log into a file
import logging; logging.FileHandler("data/c.txt", mode="w").emit(logging.makeLogRecord({"msg": "gone"}))
# %% keep a shelf
import shelve; shelve.open("shelf")["a"] = 1
# %% attach another database
other = sqlite3.connect(":memory:"); other.execute("attach 'base.db' as b"); other.execute("delete from b.t"); other.commit()
# %% keep a journal beside the database
sqlite3.connect("base.db").execute("pragma journal_mode=wal")
# %% copy one database over another
sqlite3.connect(":memory:").backup(sqlite3.connect("base.db"))
# %% end the transaction of the kernel's connection
base.rollback(); base.execute("drop table t"); base.commit(); base.close()
# %% write a database into a file
sqlite3.connect(":memory:").execute("vacuum into 'vacuumed.db'")
# %% unpack an archive over the folder
import io, tarfile
made = io.BytesIO(); box = tarfile.open(fileobj=made, mode="w"); told = tarfile.TarInfo("a.txt"); told.size = 4; box.addfile(told, io.BytesIO(b"gone")); box.close()
made.seek(0); tarfile.open(fileobj=made).extractall(here)
# %% edit a file in place
import fileinput
for line in fileinput.input("a.txt", inplace=True): print("gone")
# %% truncate through a mode of open in C
libc.fopen.restype = ctypes.c_void_p; libc.fopen(b"b.txt", b"w")
# %% save through a library in C
import torch; torch.save({"a": 1}, "a.txt")
# %% a path longer than a path may be
os.chdir("data")
for _ in range(30): os.mkdir("x" * 200); os.chdir("x" * 200)
open("deep.txt", "w").write("left")
# %% temporary links to what is precious
import tempfile
where = tempfile.mkdtemp(); os.symlink(elsewhere, where + "/link"); os.symlink(here, where + "/other"); os.symlink("/", where + "/root")
# %% a temporary folder full of odd entries
import tempfile
where = tempfile.mkdtemp().encode()
for name in (b"new\nline", b"\xff\xfe", b"-rf", b" ", b"*"): open(where + b"/" + name, "w").close()
os.mkfifo(where + b"/pipe"); os.symlink(b"loop", where + b"/loop"); os.link(where + b"/-rf", where + b"/hard"); os.chmod(where, 0)
# %% crontab of the user
subprocess.run("(echo '* * * * * true') | crontab -", shell=True)
# %% change the folder's own attributes through its descriptor
fd = os.open(elsewhere, os.O_RDONLY); os.fchmod(fd, 0o700); os.utime(fd, (1, 1)); os.fsync(fd)
