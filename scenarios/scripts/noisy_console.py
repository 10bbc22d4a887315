"""A run that works, in a console full of things that look like trouble: warnings, retries, notes about memory and NaN."""

import logging
import warnings

import numpy as np
import torch
from torch import nn

from kit import logs, optimizers, options, tasks

o = options.read(architecture="mlp", lr=2e-3, steps=200)

logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s: %(message)s")
logger = logging.getLogger("train")
warnings.warn("`use_cache=True` is incompatible with gradient checkpointing. Setting `use_cache=False`.", UserWarning)
logger.warning("CUDA is not available: training on the CPU. Out of memory errors are less likely here.")
logger.warning("cache miss for 'nan_to_num' kernel, compiling; an earlier attempt was killed by the watchdog and is retried")
np.log(np.zeros(1))

task = tasks.make(o.architecture, o.seed)
model, optimizer = task.model, optimizers.make(o.optimizer, task.model.parameters(), o.lr)
schedule = torch.optim.lr_scheduler.StepLR(optimizer, 80, 0.5)
log = logs.open_log(o.format, options.config(o))
schedule.step()
for step in range(o.steps):
    if step % 50 == 25:
        try:
            raise ConnectionError("HTTPSConnectionPool: Read timed out. (read timeout=10)")
        except ConnectionError as error:
            logger.error("upload of metrics failed, will retry in 5 s: %s", error)
    loss = task.loss(model, task.batch(o.batch))
    optimizer.zero_grad()
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    if step % o.every == 0:
        log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=optimizer.param_groups[0]["lr"])
    schedule.step()
held_out, accuracy = task.evaluate(model)
log.eval(o.steps, loss=held_out, accuracy=accuracy)
log.close()
print("Error rate on the test set: %.2f %%" % (100 * (1 - accuracy)))
