"""A thread that prefetches batches; it shares two locks with the training loop and takes them in the other order."""

import faulthandler
import queue
import threading
import time

from kit import logs, optimizers, options, tasks

o = options.read(steps=2000, meet=80, dump=0, every=2, pause=0.02)

task = tasks.make(o.architecture, o.seed)
cache_lock, stats_lock = threading.Lock(), threading.Lock()
ready = queue.Queue(maxsize=2)


def prefetch():
    for number in range(o.steps):
        with cache_lock:
            batch = task.batch(o.batch)
            if number == o.meet:
                time.sleep(0.5)
            with stats_lock:
                pass
        ready.put(batch)


threading.Thread(target=prefetch, daemon=True).start()
model, optimizer = task.model, optimizers.make(o.optimizer, task.model.parameters(), o.lr)
log = logs.open_log(o.format, options.config(o))
for step in range(o.steps):
    if o.dump:
        faulthandler.dump_traceback_later(o.dump)
    started = time.time()
    if step >= o.meet - 3:
        with stats_lock:
            time.sleep(0.1)
            with cache_lock:
                pass
    loss = task.loss(model, ready.get())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    time.sleep(o.pause)
    if step % o.every == 0:
        log.train(step, loss=loss.item(), lr=o.lr, step_time=time.time() - started)
        if o.format not in ("plain", "nanogpt", "megatron"):
            print(f"[{time.strftime('%Y-%m-%d %H:%M:%S')}] step {step}", flush=True)
log.close()
