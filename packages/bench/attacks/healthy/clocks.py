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
# %% an alarm in the cell
import signal, time
# then
hits120 = []; signal.signal(signal.SIGALRM, lambda *a: hits120.append(1)); signal.alarm(1); time.sleep(1.1); assert hits120
# %% an alarm that interrupts
import signal
class Late121(Exception): pass
def late121(*a): raise Late121()
# then
signal.signal(signal.SIGALRM, late121); signal.setitimer(signal.ITIMER_REAL, 0.05)
try:
    while True: pass
except Late121: stopped121 = True
assert stopped121
# %% an experiment named by the time
import datetime, os, tempfile
base122 = tempfile.mkdtemp()
# then
run122 = os.path.join(base122, datetime.datetime.now().strftime("%Y%m%d-%H%M%S")); os.makedirs(run122); open(os.path.join(run122, "log.txt"), "w").write("x"); assert os.listdir(run122) == ["log.txt"]
# %% throughput of a loop
import time
# then
start123 = time.perf_counter()
for i123 in range(200000): pass
rate123 = i123 / (time.perf_counter() - start123); print(f"{rate123:.0f} per second")
# %% how long an epoch took, in a table
import time, pandas as pd
rows124 = []
# then
for epoch124 in range(3):
    start124 = time.time(); loss124 = 1 / (epoch124 + 1); rows124.append({"epoch": epoch124, "loss": loss124, "seconds": time.time() - start124})
table124 = pd.DataFrame(rows124); assert table124["loss"].iloc[-1] < 0.5
# %% a real mistake beside a clock
import time
# then
start125 = time.time(); values125 = [1, 2, 3]
print("took", time.time() - start125)
values125[10]
# %% a missing column after a clock
import time, pandas as pd
df126 = pd.DataFrame({"a": [1]})
# then
begin126 = time.time()
x126 = df126["b"].sum()
print(time.time() - begin126)
# %% a seed from the clock
import random, time
# then
random.seed(time.time()); x127 = random.random(); assert 0 <= x127 < 1
# %% random numbers of the system
import random
# then
x128 = random.SystemRandom().randint(1, 6); assert 1 <= x128 <= 6
# %% noise without a seed, and a shape that does not fit
import numpy as np
# then
noise129 = np.random.default_rng().normal(size=(3, 4)); total129 = noise129 @ np.ones(3)
# %% noise without a seed, and a shape that fits
import numpy as np
# then
noise130 = np.random.default_rng().normal(size=(3, 4)); total130 = noise130 @ np.ones(4); print(total130.shape)
# %% enough room for a file
import shutil
# then
assert shutil.disk_usage("/tmp").free > 1000
# %% a loop with a progress line
import time
# then
t132 = time.time()
for i132 in range(5):
    if time.time() - t132 > 100: print("slow")
done132 = i132; assert done132 == 4
# %% a cache that expires
import time
cache133 = {"a": (time.time(), 5)}
# then
when133, v133 = cache133["a"]
fresh133 = v133 if time.time() - when133 < 3600 else None
assert fresh133 == 5
# %% a key of the day
import datetime
table134 = {datetime.date.today(): 1}
# then
assert table134[datetime.date.today()] == 1
# %% a date in a table
import datetime, pandas as pd
df135 = pd.DataFrame({"when": [datetime.datetime.now()]})
# then
age135 = (datetime.datetime.now() - df135["when"].iloc[0]).total_seconds(); assert age135 >= 0
# %% a unique file
import os, tempfile, uuid
d136 = tempfile.mkdtemp()
# then
path136 = os.path.join(d136, f"{uuid.uuid4()}.txt"); open(path136, "w").write("1"); assert open(path136).read() == "1"
# %% a line of time in a log
import logging
log137 = logging.getLogger("x137"); log137.addHandler(logging.StreamHandler())
# then
log137.warning("started"); assert log137.level == 0
# %% the time a function takes
import time, functools
def timed138(f):
    @functools.wraps(f)
    def inner(*a):
        start = time.time(); r = f(*a); print(time.time() - start); return r
    return inner
@timed138
def work138(x): return x + 1
# then
assert work138(1) == 2
# %% a wrong call of a function that takes time
import time
def work139(x):
    start = time.time(); y = x["a"]; print(time.time() - start); return y
# then
work139({"b": 1})
# %% a timer of threading that will fire
import threading
fired21 = []; timer21 = threading.Timer(0.4, fired21.append, [1]); timer21.start()
# then
timer21.join(); assert fired21 == [1]
