# Queues, threads, locks, tasks and futures of earlier cells.
# %% take from a queue of processes
import multiprocessing, time
q1 = multiprocessing.Queue(); q1.put(4); time.sleep(0.2)
# then
assert q1.get() == 4
# %% a queue of processes that is empty
import multiprocessing
q2 = multiprocessing.Queue()
# then
assert q2.empty()
# %% a queue of processes that is not empty
import multiprocessing, time
q3 = multiprocessing.Queue(); q3.put(4); time.sleep(0.2)
# then
assert not q3.empty()
# %% take from a simple queue of processes
import multiprocessing
q4 = multiprocessing.SimpleQueue(); q4.put("x")
# then
assert q4.get() == "x"
# %% put into a queue of processes
import multiprocessing
q5 = multiprocessing.Queue()
# then
q5.put(1); assert q5.get(timeout=5) == 1
# %% a counter of processes
import multiprocessing
v6 = multiprocessing.Value("i", 3)
# then
v6.value += 1; assert v6.value == 4
# %% a lock of processes
import multiprocessing
l7 = multiprocessing.Lock()
# then
with l7: inside7 = True
# %% an event of processes
import multiprocessing
e8 = multiprocessing.Event(); e8.set()
# then
assert e8.wait(1)
# %% a queue of threads
import queue
q9 = queue.Queue(); q9.put(3)
# then
assert q9.get_nowait() == 3
# %% a queue that a thread fills
import queue, threading, time
q10 = queue.Queue()
def fill10():
    time.sleep(0.3); q10.put(3)
threading.Thread(target=fill10, daemon=True).start()
# then
assert q10.get(timeout=5) == 3
# %% a queue that a thread empties
import queue, threading, time
q11 = queue.Queue(); [q11.put(i) for i in range(3)]
def work11():
    while True: q11.get(); time.sleep(0.01); q11.task_done()
threading.Thread(target=work11, daemon=True).start()
# then
q11.join(); assert q11.empty()
# %% a thread that ends
import threading, time
t12 = threading.Thread(target=time.sleep, args=(0.3,)); t12.start()
# then
t12.join(); assert not t12.is_alive()
# %% a thread that goes on
import threading, time
t13 = threading.Thread(target=time.sleep, args=(5,), daemon=True); t13.start()
# then
assert t13.is_alive()
# %% a list that a thread fills
import threading, time
found14 = []
def work14():
    time.sleep(0.3); found14.append(1)
t14 = threading.Thread(target=work14); t14.start()
# then
t14.join(); assert found14 == [1]
# %% an event that a thread sets
import threading, time
e15 = threading.Event(); threading.Timer(0.3, e15.set).start()
# then
assert e15.wait(5)
# %% an event that is not set yet
import threading
e16 = threading.Event(); timer16 = threading.Timer(0.2, e16.set); timer16.start()
# then
timer16.join(); assert e16.is_set()
# %% a lock that a thread holds
import threading, time
l17 = threading.Lock()
def hold17():
    with l17: time.sleep(0.4)
threading.Thread(target=hold17).start(); time.sleep(0.05)
# then
assert l17.acquire(timeout=5); l17.release()
# %% a lock that is free
import threading
l18 = threading.Lock()
# then
assert l18.acquire(blocking=False); l18.release()
# %% a result of an executor
import concurrent.futures, time
e19 = concurrent.futures.ThreadPoolExecutor(1); f19 = e19.submit(lambda: time.sleep(0.3) or 3)
# then
assert f19.result(5) == 3
# %% a result that is there
import concurrent.futures, time
e20 = concurrent.futures.ThreadPoolExecutor(1); f20 = e20.submit(abs, -3); time.sleep(0.2)
# then
assert f20.done() and f20.result() == 3
# %% wait for results
import concurrent.futures, time
e21 = concurrent.futures.ThreadPoolExecutor(2); fs21 = [e21.submit(time.sleep, 0.1) for _ in range(3)]
# then
done21, left21 = concurrent.futures.wait(fs21, timeout=5); assert not left21
# %% use an executor again
import concurrent.futures
e22 = concurrent.futures.ThreadPoolExecutor(1); e22.submit(abs, 1).result()
# then
assert list(e22.map(abs, [-1, -2])) == [1, 2]
# %% a task of an earlier cell
import asyncio
async def work23(): await asyncio.sleep(0.2); return 3
task23 = asyncio.ensure_future(work23())
# then
assert await task23 == 3
# %% whether a task is done
import asyncio
task24 = asyncio.ensure_future(asyncio.sleep(0.05))
await asyncio.sleep(0.2)
# then
assert task24.done()
# %% a task that goes on
import asyncio
task25 = asyncio.ensure_future(asyncio.sleep(30))
# then
assert not task25.done(); task25.cancel()
# %% a future of the loop
import asyncio
f26 = asyncio.get_running_loop().create_future(); f26.set_result(3)
# then
assert f26.result() == 3
# %% a queue of asyncio
import asyncio
q27 = asyncio.Queue(); q27.put_nowait(3)
# then
assert q27.get_nowait() == 3
# %% threads in the cell
import threading
# then
found28 = []; t28 = threading.Thread(target=found28.append, args=(1,)); t28.start(); t28.join(); assert found28 == [1]
# %% an executor in the cell
import concurrent.futures
# then
with concurrent.futures.ThreadPoolExecutor(2) as e29: assert list(e29.map(abs, [-1])) == [1]
# %% tasks in the cell
import asyncio
# then
assert await asyncio.gather(asyncio.sleep(0, 1), asyncio.sleep(0, 2)) == [1, 2]
# %% a barrier of two
import threading
b31 = threading.Barrier(2); threading.Thread(target=b31.wait, daemon=True).start()
# then
assert b31.wait(5) in (0, 1)
# %% a semaphore that a thread releases
import threading
s32 = threading.Semaphore(0); threading.Timer(0.3, s32.release).start()
# then
assert s32.acquire(timeout=5)
# %% a condition
import threading
c33 = threading.Condition(); seen33 = []
def tell33():
    with c33: seen33.append(1); c33.notify()
threading.Timer(0.3, tell33).start()
# then
with c33: assert c33.wait_for(lambda: seen33, timeout=5)
# %% how many threads there are
import threading, time
n34 = threading.active_count()
# then
assert threading.active_count() >= 1
# %% a queue that holds another thing
import multiprocessing, time
q35 = multiprocessing.Queue(); q35.put(4); time.sleep(0.2)
# then
assert q35.get() == 5
# %% a result that fails
import concurrent.futures, time
e36 = concurrent.futures.ThreadPoolExecutor(1); f36 = e36.submit(lambda: time.sleep(0.3) or 1 / 0)
# then
f36.result(5)
# %% a thread that has not come far
import threading, time
state37 = {}
def work37():
    time.sleep(0.4); state37["loss"] = 1.0
t37 = threading.Thread(target=work37); t37.start()
# then
t37.join(); assert state37["loss"] == 1.0
# %% a manager of processes
import multiprocessing
m38 = multiprocessing.get_context("fork").Manager(); d38 = m38.dict(a=1)
# then
assert d38["a"] == 1
# %% a context variable
import contextvars
v39 = contextvars.ContextVar("v", default=3)
# then
assert v39.get() == 3
# %% a local of the thread
import threading
local40 = threading.local(); local40.x = 3
# then
assert local40.x == 3
# %% a queue of threads, whole in the cell
import queue, threading
# then
q150 = queue.Queue(); t150 = threading.Thread(target=lambda: [q150.put(i) for i in range(3)]); t150.start(); t150.join(); assert q150.qsize() == 3
# %% a queue of asyncio with a worker
import asyncio
# then
q151 = asyncio.Queue(); done151 = []
async def work151():
    while True: done151.append(await q151.get()); q151.task_done()
w151 = asyncio.create_task(work151()); [q151.put_nowait(i) for i in range(3)]; await q151.join(); w151.cancel(); assert done151 == [0, 1, 2]
# %% a list that a thread writes while the cell runs
import threading, time
log152 = []; stop152 = threading.Event()
def work152():
    while not stop152.is_set(): log152.append(1); time.sleep(0.01)
threading.Thread(target=work152, daemon=True).start(); time.sleep(0.05)
# then
n152 = len(log152); time.sleep(0.1); assert len(log152) > n152
# %% a counter behind a lock that a thread moves
import threading, time
lock153 = threading.Lock(); count153 = {"n": 0}
def work153():
    for _ in range(30):
        with lock153: count153["n"] += 1
        time.sleep(0.01)
t153 = threading.Thread(target=work153); t153.start()
# then
t153.join()
with lock153: assert count153["n"] == 30
# %% a thread beside a cell that has nothing to do with it
import threading, time
threading.Thread(target=time.sleep, args=(20,), daemon=True).start()
# then
assert sum([1, 2]) == 3
# %% a thread beside a cell with a mistake of its own
import threading, time
threading.Thread(target=time.sleep, args=(20,), daemon=True).start()
# then
sum([1, "a"])
# %% a lock held by the main thread
import threading
l156 = threading.Lock(); l156.acquire()
# then
l156.release(); assert not l156.locked()
# %% a re-entrant lock
import threading
l157 = threading.RLock()
# then
with l157:
    with l157: ok157 = True
# %% a value of processes that nobody shares
import multiprocessing
v158 = multiprocessing.Value("d", 1.5); a158 = multiprocessing.Array("i", 3)
# then
with v158.get_lock(): v158.value *= 2
a158[1] = 4; assert list(a158) == [0, 4, 0] and v158.value == 3.0
# %% a manager's list
import multiprocessing
m159 = multiprocessing.get_context("fork").Manager(); l159 = m159.list([1])
# then
l159.append(2); assert list(l159) == [1, 2]
# %% a future that failed before
import concurrent.futures
e160 = concurrent.futures.ThreadPoolExecutor(1); f160 = e160.submit(lambda: 1 / 0); concurrent.futures.wait([f160])
# then
f160.result()
# %% a task that was done before
import asyncio
t161 = asyncio.ensure_future(asyncio.sleep(0, 5)); await t161
# then
assert t161.result() == 5
# %% a loader of torch without workers
import torch
d162 = torch.utils.data.DataLoader(list(range(6)), batch_size=2)
# then
assert [b.tolist() for b in d162][0] == [0, 1]
