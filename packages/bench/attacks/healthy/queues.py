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
