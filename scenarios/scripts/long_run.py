"""A run with nothing wrong in it that needs longer than it is given."""

import os
import time

from torch import nn

from kit import logs, optimizers, options, tasks

o = options.read(steps=20_000, every=5, pause=0.01)


def loop():
    task = tasks.make(o.architecture, o.seed)
    model = task.model
    if "RANK" in os.environ:
        import torch.distributed as dist

        dist.init_process_group("gloo")
        model = nn.parallel.DistributedDataParallel(model)
    optimizer = optimizers.make(o.optimizer, model.parameters(), o.lr)
    log = logs.open_log(o.format, options.config(o))
    for step in range(o.steps):
        started = time.time()
        loss = task.loss(model, task.batch(o.batch))
        optimizer.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        time.sleep(o.pause)
        if step % o.every == 0 and os.environ.get("RANK", "0") == "0":
            log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=o.lr, step_time=time.time() - started)
            if o.format not in ("plain", "nanogpt", "megatron", "hf-console", "hf-console-old"):
                print(f"step {step}/{o.steps}", flush=True)
    log.close()


def lightning():
    import lightning as L

    from kit import lightning_runs

    class Progress(L.Callback):
        def on_train_batch_end(self, trainer, *_):
            if trainer.global_step % 25 == 0:
                print(f"step {trainer.global_step}/{o.steps}", flush=True)

    task = tasks.make(o.architecture, o.seed)
    module = lightning_runs.Module(task.model, task.loss, o.lr, o.optimizer)
    loader = lightning_runs.loader(task.inputs, task.labels, o.batch)
    lightning_runs.trainer(o.steps, every=5, callbacks=[Progress()]).fit(module, loader)


{"pytorch": loop, "lightning": lightning}[o.framework]()
