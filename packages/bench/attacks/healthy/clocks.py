# Clocks, process numbers, randomness of the system and the state of the machine.
# %% time has passed since an earlier cell
import time
t1 = time.time()
# then
assert time.time() >= t1
# %% not much time has passed
import time
t2 = time.monotonic()
# then
assert time.monotonic() - t2 < 600
# %% measure a loop
import time
# then
t3 = time.perf_counter(); total3 = sum(range(1000)); print("took", time.perf_counter() - t3)
# %% the time of the processor
import time
c4 = time.process_time()
# then
assert time.process_time() >= c4
# %% the time of the process of an earlier cell in a rate
import time
c5 = time.process_time(); spent5 = [i * i for i in range(300000)]
# then
rate5 = 1 / (time.process_time() - c5); assert rate5 > 0
# %% an hour of the day
import datetime
# then
assert 0 <= datetime.datetime.now().hour < 24
# %% a name of the day
import datetime
# then
name7 = "run-%s" % datetime.date.today().isoformat()
# %% wait until a time
import time
until8 = time.time() + 0.3
# then
time.sleep(max(0, until8 - time.time())); assert time.time() >= until8 - 0.01
# %% sleep the rest of a pause
import time
until9 = time.time() + 1.5
# then
time.sleep(until9 - time.time())
# %% give up after a time
import time
# then
end10 = time.time() + 0.05
while time.time() < end10: pass
# %% its own number is the kernel's
import os
pid11 = os.getpid()
# then
assert os.getpid() == pid11
# %% a file named by the number of the process
import os, tempfile
d12 = tempfile.mkdtemp(); open(os.path.join(d12, str(os.getpid())), "w").close()
# then
assert os.path.exists(os.path.join(d12, str(os.getpid())))
# %% read a file named by the number of the process
import os, tempfile
d13 = tempfile.mkdtemp(); open("%s/%d.txt" % (d13, os.getpid()), "w").write("3")
# then
n13 = int(open("%s/%d.txt" % (d13, os.getpid())).read())
# %% a table by the number of the process
import os
table14 = {os.getpid(): "here"}
# then
assert table14[os.getpid()] == "here"
# %% a function that asks for the number
import os
pid15 = os.getpid()
def here15(): return os.getpid() == pid15
# then
assert here15()
# %% the number of the thread
import threading
n16 = threading.get_native_id()
# then
assert threading.get_native_id() == n16
# %% the parent
import os
parent17 = os.getppid()
# then
assert os.getppid() == parent17
# %% the current process of multiprocessing
import multiprocessing
c18 = multiprocessing.current_process().pid
# then
assert multiprocessing.current_process().pid == c18
# %% shown by its number
import os
# then
print("process", os.getpid())
# %% the session
import os
s20 = os.getsid(0)
# then
assert os.getsid(0) == s20
# %% the group
import os
g21 = os.getpgrp()
# then
assert g21 == os.getpgrp()
# %% free space
import shutil
free22 = shutil.disk_usage(".").free
# then
assert abs(shutil.disk_usage(".").free - free22) < 50 * 2 ** 30
# %% enough free space
import shutil
total23 = shutil.disk_usage("/").total
# then
assert shutil.disk_usage("/").total == total23
# %% free space of a file system
import os
blocks24 = os.statvfs("/tmp").f_blocks
# then
assert os.statvfs("/tmp").f_blocks == blocks24
# %% a random name
import uuid
# then
name25 = uuid.uuid4().hex; assert len(name25) == 32
# %% random bytes
import os
# then
key26 = os.urandom(16); print(len(key26))
# %% a coin of the system
import secrets
# then
side27 = "heads" if secrets.randbelow(2) else "tails"
# %% a generator without a seed
import numpy as np
# then
x28 = np.random.default_rng().normal(size=5); print(x28.mean())
# %% a generator with a seed
import numpy as np
rng29 = np.random.default_rng(3)
# then
assert rng29.integers(10) < 10
# %% the next number of the session
import random
random30 = random.Random(4); first30 = random.Random(4).random()
# then
assert random30.random() == first30
# %% the next number of NumPy
import numpy as np
np.random.seed(4); first31 = np.random.rand(); np.random.seed(4)
# then
assert np.random.rand() == first31
# %% the load
import os
# then
assert len(os.getloadavg()) == 3
# %% memory of the machine
# then
assert int(open("/proc/meminfo").readline().split()[1]) > 0
# %% its own status
import os
name34 = open("/proc/self/status").readline()
# then
assert open("/proc/self/status").readline() == name34
# %% its number in its own status
import os
line35 = [l for l in open("/proc/self/status") if l.startswith("Pid:")]
# then
assert [l for l in open("/proc/self/status") if l.startswith("Pid:")] == line35
# %% a lucky number of the clock
import time
# then
if int(time.time()) % 2 == 0: lucky36 = 1
else: lucky36 = 0
# %% a choice by the clock that is healthy either way
import time
# then
value37 = [1, 2][int(time.time()) % 2]
# %% a stopwatch of its own
import time
class Watch38:
    def __init__(self): self.start = time.time()
    def late(self): return time.time() - self.start > 3600
w38 = Watch38()
# then
assert not w38.late()
# %% an alarm that was set
import signal
signal.signal(signal.SIGALRM, lambda *a: None); signal.setitimer(signal.ITIMER_REAL, 100)
# then
left39 = signal.getitimer(signal.ITIMER_REAL)[0]; assert left39 > 0
# %% no alarm
import signal
signal.setitimer(signal.ITIMER_REAL, 0)
# then
assert signal.getitimer(signal.ITIMER_REAL)[0] == 0
