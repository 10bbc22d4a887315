# Temporary files, locks, and other things of the file system.
# %% a temporary file of an earlier cell
import os, tempfile
p1 = os.path.join(tempfile.gettempdir(), "grus-healthy-1.txt"); open(p1, "w").write("3")
# then
assert open(os.path.join(tempfile.gettempdir(), "grus-healthy-1.txt")).read() == "3"
# %% a temporary folder of an earlier cell
import os, tempfile
d2 = tempfile.mkdtemp(); open(d2 + "/a", "w").write("1")
# then
assert os.listdir(d2) == ["a"]
# %% a temporary file by its object
import tempfile
f3 = tempfile.NamedTemporaryFile("w+"); f3.write("abc"); f3.flush()
# then
assert open(f3.name).read() == "abc"
# %% a temporary file in memory
import tempfile
f4 = tempfile.SpooledTemporaryFile(); f4.write(b"abc"); f4.seek(0)
# then
assert f4.read() == b"abc"
# %% write into a temporary file of before
import tempfile
f5 = tempfile.NamedTemporaryFile("w+")
# then
f5.write("abc"); f5.flush(); f5.seek(0); assert f5.read() == "abc"
# %% a temporary folder in the cell
import os, tempfile
# then
with tempfile.TemporaryDirectory() as d6: open(d6 + "/a", "w").close(); assert os.path.exists(d6 + "/a")
# %% the temporary folder is where it was
import tempfile
where7 = tempfile.gettempdir()
# then
assert tempfile.gettempdir() == where7
# %% a name in the temporary folder
import os, tempfile
n8 = len(os.listdir(tempfile.gettempdir()))
# then
assert len(os.listdir(tempfile.gettempdir())) >= 0
# %% the variable of the temporary folder
import os
t9 = os.environ.get("TMPDIR")
# then
assert os.environ.get("TMPDIR") == t9
# %% a file lock of an earlier cell
import fcntl, tempfile
f10 = tempfile.NamedTemporaryFile("w"); fcntl.flock(f10, fcntl.LOCK_EX)
# then
fcntl.flock(f10, fcntl.LOCK_UN)
# %% a file lock taken again
import fcntl, tempfile
f11 = tempfile.NamedTemporaryFile("w"); fcntl.flock(f11, fcntl.LOCK_EX)
# then
fcntl.flock(f11, fcntl.LOCK_EX | fcntl.LOCK_NB)
# %% a record lock taken again
import fcntl, tempfile
f12 = tempfile.NamedTemporaryFile("w"); fcntl.lockf(f12, fcntl.LOCK_EX)
# then
fcntl.lockf(f12, fcntl.LOCK_EX | fcntl.LOCK_NB)
# %% a file removed while open
import os, tempfile
f13 = open(tempfile.mktemp(), "w+"); f13.write("abc"); f13.flush(); os.remove(f13.name); f13.seek(0)
# then
assert f13.read() == "abc"
# %% append to a file left open
import tempfile
f14 = tempfile.NamedTemporaryFile("a+"); f14.write("1"); f14.flush()
# then
f14.write("2"); f14.flush(); assert open(f14.name).read() == "12"
# %% the number of a file
import os, tempfile
f15 = tempfile.NamedTemporaryFile(); i15 = os.stat(f15.name).st_ino
# then
assert os.stat(f15.name).st_ino == i15
# %% the same file
import os, tempfile
f16 = tempfile.NamedTemporaryFile()
# then
assert os.path.sameopenfile(f16.fileno(), os.open(f16.name, os.O_RDONLY))
# %% a database in a file
import sqlite3, tempfile
p17 = tempfile.mktemp(); b17 = sqlite3.connect(p17); b17.execute("create table t (x)"); b17.commit()
# then
b17.execute("insert into t values (1)"); b17.commit(); assert b17.execute("select count(*) from t").fetchone() == (1,)
# %% a database in memory
import sqlite3
b18 = sqlite3.connect(":memory:"); b18.execute("create table t (x)")
# then
b18.execute("insert into t values (1)"); assert b18.execute("select x from t").fetchone() == (1,)
# %% another connection to a database
import sqlite3, tempfile
p19 = tempfile.mktemp(); b19 = sqlite3.connect(p19); b19.execute("create table t (x)"); b19.commit()
# then
assert sqlite3.connect(p19).execute("select count(*) from t").fetchone() == (0,)
# %% a memory map
import mmap, tempfile
f20 = tempfile.NamedTemporaryFile(); f20.write(b"x" * 4096); f20.flush(); m20 = mmap.mmap(f20.fileno(), 0)
# then
m20[0:1] = b"y"; assert m20[0:2] == b"yx"
# %% an array in a file
import numpy as np, tempfile
a21 = np.memmap(tempfile.mktemp(), dtype="f4", mode="w+", shape=(10,))
# then
a21[:] = 1; assert a21.sum() == 10
# %% shared memory by its name
from multiprocessing import shared_memory
s22 = shared_memory.SharedMemory(create=True, size=16)
# then
again22 = shared_memory.SharedMemory(name=s22.name); again22.buf[0] = 1; assert again22.buf[0] == 1; again22.close()
# %% a link
import os, tempfile
d23 = tempfile.mkdtemp(); open(d23 + "/a", "w").close()
# then
os.symlink(d23 + "/a", d23 + "/b"); assert os.path.islink(d23 + "/b")
# %% a mode
import os, tempfile
f24 = tempfile.NamedTemporaryFile()
# then
os.chmod(f24.name, 0o600); assert os.stat(f24.name).st_mode & 0o777 == 0o600
# %% a time of a file
import os, tempfile
f25 = tempfile.NamedTemporaryFile()
# then
os.utime(f25.name, (1, 1)); assert os.stat(f25.name).st_mtime == 1
# %% rename
import os, tempfile
d26 = tempfile.mkdtemp(); open(d26 + "/a", "w").close()
# then
os.rename(d26 + "/a", d26 + "/b"); assert os.listdir(d26) == ["b"]
# %% remove a tree
import os, shutil, tempfile
d27 = tempfile.mkdtemp(); os.makedirs(d27 + "/a/b")
# then
shutil.rmtree(d27); assert not os.path.exists(d27)
# %% a file that is not there
import tempfile
p28 = tempfile.mktemp()
# then
try: open(p28)
except FileNotFoundError: missing28 = True
assert missing28
# %% a file that is really not there
import tempfile
p29 = tempfile.mktemp()
# then
open(p29)
# %% a file that was written half
import json, tempfile
p30 = tempfile.mktemp(); open(p30, "w").write('{"a": ')
# then
json.load(open(p30))
# %% how a descriptor is opened
import fcntl, os, tempfile
f31 = tempfile.TemporaryFile()
# then
assert fcntl.fcntl(f31, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDWR
# %% the size of a file left open
import os, tempfile
f32 = tempfile.TemporaryFile(); f32.write(b"abc"); f32.flush()
# then
assert os.fstat(f32.fileno()).st_size == 3
# %% a temporary folder lies in the folder of the variable
import os, tempfile
# then
d33 = tempfile.mkdtemp(); assert d33.startswith(os.environ.get("TMPDIR", "/tmp"))
# %% where temporary files are made
import os, tempfile
w34 = tempfile.gettempdir()
# then
assert tempfile.tempdir == w34
# %% closed, and read by its name
import os, tempfile
p35 = tempfile.mktemp(); f35 = open(p35, "w")
# then
f35.write("abc"); f35.close(); assert open(p35).read() == "abc"
# %% the size by its name after a write
import os, tempfile
f36 = tempfile.NamedTemporaryFile()
# then
f36.write(b"abc"); f36.flush(); assert os.path.getsize(f36.name) == 3
# %% the number of a file left open
import os, tempfile
f37 = tempfile.NamedTemporaryFile(); i37 = os.fstat(f37.fileno()).st_ino
# then
f37.write(b"abc"); f37.flush(); assert os.fstat(f37.fileno()).st_ino == i37 and os.fstat(f37.fileno()).st_size == 3
# %% a mistake after a write to a file left open
import tempfile
f38 = tempfile.NamedTemporaryFile()
# then
f38.write(b"abc"); f38.flush(); [1, 2][5]
# %% a lock file
import os, tempfile
p170 = tempfile.mktemp(suffix=".lock")
# then
fd170 = os.open(p170, os.O_CREAT | os.O_EXCL | os.O_RDWR); os.close(fd170); os.remove(p170); assert not os.path.exists(p170)
# %% a journal beside a database
import sqlite3, tempfile
p171 = tempfile.mktemp(); b171 = sqlite3.connect(p171); b171.execute("pragma journal_mode=wal"); b171.execute("create table t (x)"); b171.commit()
# then
b171.execute("insert into t values (1)"); b171.commit(); assert b171.execute("select count(*) from t").fetchone()[0] == 1
# %% a database written and read by pandas
import pandas as pd, sqlite3, tempfile
p172 = tempfile.mktemp(); b172 = sqlite3.connect(p172)
# then
pd.DataFrame({"a": [1, 2]}).to_sql("t", b172, index=False); assert pd.read_sql("select sum(a) s from t", b172)["s"][0] == 3
# %% a table that is not in the database
import sqlite3, tempfile
b173 = sqlite3.connect(tempfile.mktemp())
# then
b173.execute("select * from missing")
# %% an archive of numbers
import numpy as np, tempfile
p174 = tempfile.mktemp(suffix=".npz")
# then
np.savez(p174, a=np.arange(3)); assert np.load(p174)["a"].sum() == 3
# %% a model saved and loaded
import joblib, tempfile
p175 = tempfile.mktemp()
# then
joblib.dump({"a": 1}, p175); assert joblib.load(p175)["a"] == 1
# %% a checkpoint of torch
import torch, tempfile
p176 = tempfile.mktemp()
# then
torch.save({"w": torch.ones(2)}, p176); assert torch.load(p176)["w"].sum() == 2
# %% a key that the checkpoint lacks
import torch, tempfile
p177 = tempfile.mktemp(); torch.save({"w": 1}, p177)
# then
torch.load(p177)["weights"]
# %% the newest file of a folder
import glob, os, tempfile
d178 = tempfile.mkdtemp()
for n178 in range(3): open(f"{d178}/{n178}.ckpt", "w").close(); os.utime(f"{d178}/{n178}.ckpt", (n178, n178))
# then
newest178 = max(glob.glob(d178 + "/*.ckpt"), key=os.path.getmtime); assert newest178.endswith("2.ckpt")
# %% the newest file of a folder that the cell writes to
import glob, os, tempfile
d179 = tempfile.mkdtemp()
# then
for n179 in range(2): open(f"{d179}/{n179}.ckpt", "w").close()
newest179 = max(glob.glob(d179 + "/*.ckpt"), key=os.path.getmtime); assert newest179.endswith(".ckpt")
# %% a folder that is there already
import os, tempfile
d180 = tempfile.mkdtemp()
# then
os.makedirs(d180)
# %% a folder made if it is not there
import os, tempfile
d181 = tempfile.mkdtemp()
# then
os.makedirs(d181 + "/out", exist_ok=True); assert os.path.isdir(d181 + "/out")
# %% log lines into a file left open
import csv, tempfile
p182 = tempfile.mktemp(); f182 = open(p182, "w", newline=""); w182 = csv.writer(f182)
# then
w182.writerow([1, 2]); f182.flush(); assert f182.tell() > 0
# %% who may read it
import os, stat, tempfile
p183 = tempfile.mktemp(); open(p183, "w").close()
# then
os.chmod(p183, 0o400); assert stat.filemode(os.stat(p183).st_mode) == "-r--------"
# %% a link to a file that is gone
import os, tempfile
d184 = tempfile.mkdtemp(); os.symlink(d184 + "/none", d184 + "/l")
# then
open(d184 + "/l")
# %% memory shared by a name of its own
from multiprocessing import shared_memory
# then
s185 = shared_memory.SharedMemory(create=True, size=10); s185.buf[0] = 5; t185 = shared_memory.SharedMemory(s185.name); assert t185.buf[0] == 5; t185.close(); s185.close(); s185.unlink()
# %% an array in a file of an earlier cell
import numpy as np, tempfile
p186 = tempfile.mktemp(); np.arange(10, dtype="f4").tofile(p186); a186 = np.memmap(p186, dtype="f4", mode="r")
# then
assert float(a186[3]) == 3.0
# %% a read beyond an array in a file
import numpy as np, tempfile
p187 = tempfile.mktemp(); np.arange(10, dtype="f4").tofile(p187); a187 = np.memmap(p187, dtype="f4", mode="r")
# then
a187[20]
# %% a lock file of another process
import subprocess, os, tempfile, sys, fcntl
d12 = tempfile.mkdtemp(); c12 = subprocess.Popen([sys.executable, "-c", "import fcntl, sys, time; f = open(sys.argv[1], 'w'); fcntl.flock(f, fcntl.LOCK_EX); print('held', flush=True); time.sleep(30)", d12 + "/lock"], stdout=subprocess.PIPE); c12.stdout.readline()
# then
with open(d12 + "/lock") as f12:
    try:
        fcntl.flock(f12, fcntl.LOCK_EX | fcntl.LOCK_NB); raise RuntimeError("nobody holds the lock")
    except BlockingIOError: pass
c12.kill(); c12.wait()
# %% its own lock on a file
import fcntl, tempfile
f13 = tempfile.NamedTemporaryFile(); fcntl.flock(f13, fcntl.LOCK_EX)
# then
with open(f13.name) as g13:
    try:
        fcntl.flock(g13, fcntl.LOCK_EX | fcntl.LOCK_NB); raise RuntimeError("the lock is gone")
    except BlockingIOError: pass
# %% a memory map of a temporary file
import mmap, tempfile
f35 = tempfile.TemporaryFile(); f35.write(b"0" * 4096); f35.flush(); m35 = mmap.mmap(f35.fileno(), 4096)
# then
m35[:2] = b"ok"; f35.seek(0); assert f35.read(2) == b"ok"
# %% a memory map read back under the name
import mmap, tempfile, numpy as np
p36 = tempfile.mkdtemp() + "/a.npy"; a36 = np.memmap(p36, dtype="i4", mode="w+", shape=(4,)); a36[:] = 1; a36.flush()
# then
a36[0] = 7; a36.flush(); assert np.fromfile(p36, dtype="i4")[0] == 7
