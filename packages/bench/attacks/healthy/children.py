# Processes that were started before the cell, and those that the cell starts.
# %% wait for a child
import subprocess
p1 = subprocess.Popen(["sh", "-c", "exit 3"])
# then
assert p1.wait() == 3
# %% a child is still running
import subprocess
p2 = subprocess.Popen(["sleep", "30"])
# then
assert p2.poll() is None
# %% the output of a child
import subprocess
p3 = subprocess.Popen(["echo", "42"], stdout=subprocess.PIPE)
# then
assert int(p3.stdout.read()) == 42
# %% talk to a child
import subprocess
p4 = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
# then
assert p4.communicate(b"hello")[0] == b"hello"
# %% a line of a child
import subprocess
p5 = subprocess.Popen(["sh", "-c", "echo ready; sleep 30"], stdout=subprocess.PIPE, text=True)
# then
assert p5.stdout.readline().strip() == "ready"
# %% end a child
import subprocess
p6 = subprocess.Popen(["sleep", "30"])
# then
p6.terminate(); assert p6.wait(5) == -15
# %% the code of an ended child
import subprocess, time
p7 = subprocess.Popen(["false"]); time.sleep(0.2)
# then
assert p7.poll() == 1
# %% wait for any child
import os
if os.fork() == 0: os._exit(5)
own8 = {int(pid) for pid in open("/proc/self/task/%d/children" % os.getpid()).read().split()}
# then
pid8, status8 = os.wait(); assert pid8 in own8
# %% no child but its own
import os
own8 = {int(pid) for pid in open("/proc/self/task/%d/children" % os.getpid()).read().split()}
# then
try: pid8 = os.waitpid(-1, os.WNOHANG)[0]
except ChildProcessError: pid8 = 0
assert pid8 == 0 or pid8 in own8
# %% wait for a child by its number
import os
pid9 = os.fork()
if pid9 == 0: os._exit(4)
# then
assert os.waitpid(pid9, 0)[0] == pid9
# %% no child is left
import os
# then
try: os.waitpid(-1, os.WNOHANG); left10 = "a child"
except ChildProcessError: left10 = None
# %% a child of multiprocessing
import multiprocessing, os
q11 = multiprocessing.get_context("fork").Process(target=os._exit, args=(3,)); q11.start()
# then
q11.join(); assert q11.exitcode == 3
# %% whether a child of multiprocessing lives
import multiprocessing, time
q12 = multiprocessing.get_context("fork").Process(target=time.sleep, args=(30,), daemon=True); q12.start()
# then
assert q12.is_alive()
# %% the code of a child of multiprocessing
import multiprocessing, time
q13 = multiprocessing.get_context("fork").Process(target=int, daemon=True); q13.start(); time.sleep(0.3)
# then
assert q13.exitcode == 0
# %% the children that are alive
import multiprocessing, time
q14 = multiprocessing.get_context("fork").Process(target=time.sleep, args=(30,), daemon=True); q14.start()
# then
assert q14 in multiprocessing.active_children()
# %% a pool that was made before
import multiprocessing
pool15 = multiprocessing.get_context("fork").Pool(1)
# then
assert pool15.map(abs, [-1, -2]) == [1, 2]
# %% a result of a pool
import multiprocessing, time
pool16 = multiprocessing.get_context("fork").Pool(1); r16 = pool16.apply_async(abs, (-3,)); time.sleep(0.3)
# then
assert r16.get(5) == 3
# %% whether a result is there
import multiprocessing, time
pool17 = multiprocessing.get_context("fork").Pool(1); r17 = pool17.apply_async(time.sleep, (0.2,))
# then
r17.wait(3); assert r17.ready()
# %% an executor of processes
import concurrent.futures, multiprocessing
e18 = concurrent.futures.ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("fork")); f18 = e18.submit(abs, -3)
# then
assert f18.result(5) == 3
# %% whether a child's number is there
import os, subprocess
p19 = subprocess.Popen(["sleep", "30"])
# then
os.kill(p19.pid, 0)
# %% a child in the table of processes
import os, subprocess
p20 = subprocess.Popen(["sleep", "30"])
# then
assert "sleep" in open("/proc/%d/comm" % p20.pid).read()
# %% a program that the cell runs
import subprocess
# then
assert subprocess.run(["echo", "1"], capture_output=True, text=True).stdout == "1\n"
# %% a program that fails, and is expected to
import subprocess
# then
assert subprocess.run(["false"]).returncode == 1
# %% the shell
import os
# then
assert os.system("exit 3") >> 8 == 3
# %% a fork in the cell
import os
# then
pid24 = os.fork()
if pid24 == 0: os._exit(7)
assert os.waitstatus_to_exitcode(os.waitpid(pid24, 0)[1]) == 7
# %% a pool in the cell
import multiprocessing
# then
with multiprocessing.get_context("fork").Pool(2) as pool25: assert pool25.map(abs, [-1]) == [1]
# %% a child whose output was read before
import subprocess
p26 = subprocess.Popen(["echo", "x"], stdout=subprocess.PIPE); out26 = p26.communicate()[0]
# then
assert p26.returncode == 0 and out26 == b"x\n"
# %% a child that ended badly
import subprocess
p27 = subprocess.Popen(["sh", "-c", "exit 9"])
# then
assert p27.wait() == 0
# %% the group of a child
import os, subprocess
p28 = subprocess.Popen(["sleep", "30"], start_new_session=True)
# then
assert os.getpgid(p28.pid) == p28.pid
# %% a child with a time limit
import subprocess
p29 = subprocess.Popen(["sleep", "0.1"])
# then
assert p29.wait(timeout=5) == 0
# %% a program over pexpect's way
import os, pty, subprocess
m30, s30 = pty.openpty(); p30 = subprocess.Popen(["echo", "hi"], stdout=s30); os.close(s30)
# then
assert os.read(m30, 100).strip() == b"hi"
# %% a context that starts afresh
import multiprocessing
# then
assert multiprocessing.get_context("fork").cpu_count() >= 1
# %% resource use of children
import resource, subprocess
subprocess.run(["true"])
# then
assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss > 0
# %% lines of a child that sorts
import subprocess
p101 = subprocess.Popen(["sort"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True); p101.stdin.write("b\na\n"); p101.stdin.close()
# then
first101 = p101.stdout.read().split()[0]; assert first101 == "a"
# %% two programs in a row
import subprocess
# then
a102 = subprocess.Popen(["printf", "3\\n1\\n2\\n"], stdout=subprocess.PIPE); b102 = subprocess.Popen(["sort"], stdin=a102.stdout, stdout=subprocess.PIPE)
assert b102.communicate()[0].split() == [b"1", b"2", b"3"]
# %% the output of a program as a number
import subprocess
# then
n103 = int(subprocess.check_output("echo 7", shell=True)); assert n103 == 7
# %% a program that fails, unexpectedly
import subprocess
# then
subprocess.run(["sh", "-c", "exit 4"], check=True)
# %% lines of a shell magic
# then
lines105 = !printf 'a\nb\n'
assert lines105 == ["a", "b"]
# %% a shell magic that lists files
import os, tempfile
d106 = tempfile.mkdtemp(); open(d106 + "/x.csv", "w").close()
# then
found106 = !ls {d106}
name106 = found106[0]; assert name106 == "x.csv"
# %% an asynchronous program
import asyncio
# then
p107 = await asyncio.create_subprocess_exec("echo", "5", stdout=asyncio.subprocess.PIPE)
out107, _ = await p107.communicate(); assert int(out107) == 5
# %% an asynchronous program of an earlier cell
import asyncio
p108 = await asyncio.create_subprocess_exec("sh", "-c", "sleep 0.2; exit 2")
# then
assert await p108.wait() == 2
# %% kill what was started, and look
import subprocess
p109 = subprocess.Popen(["sleep", "60"])
# then
p109.kill(); p109.wait(); assert p109.returncode == -9
# %% wait for all children by hand
import os, subprocess
p110 = [subprocess.Popen(["true"]) for _ in range(3)]
# then
codes110 = [p.wait() for p in p110]; assert codes110 == [0, 0, 0]
# %% a child that talks in a thread
import subprocess, threading
p111 = subprocess.Popen(["sh", "-c", "for i in 1 2 3; do echo $i; sleep 0.05; done"], stdout=subprocess.PIPE, text=True); got111 = []
t111 = threading.Thread(target=lambda: got111.extend(p111.stdout)); t111.start()
# then
t111.join(); assert len(got111) == 3
# %% a pool by joblib
import joblib
# then
assert joblib.Parallel(n_jobs=1)(joblib.delayed(abs)(-i) for i in range(3)) == [0, 1, 2]
# %% a version of a program
import subprocess, sys
# then
assert subprocess.run([sys.executable, "-c", "print(1 + 1)"], capture_output=True, text=True).stdout.strip() == "2"
# %% a pid file
import os, tempfile
f113 = tempfile.mktemp(); open(f113, "w").write(str(os.getpid()))
# then
assert int(open(f113).read()) == os.getpid()
# %% the process of psutil
import os
import psutil
me114 = psutil.Process().create_time()
# then
assert psutil.Process(os.getpid()).create_time() == me114
