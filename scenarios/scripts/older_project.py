"""A project written for other versions or another build of its libraries."""

import torch

from kit import data, logs, optimizers, options, tasks

o = options.read(uses="device", steps=60)
log = logs.open_log(o.format, options.config(o)) if o.framework == "pytorch" else None


def device():
    task = tasks.make(o.architecture, o.seed)
    model = task.model.cuda()
    train(task, model)


def backend():
    torch.distributed.init_process_group("nccl", init_method="tcp://127.0.0.1:29533", rank=0, world_size=1)
    task = tasks.make(o.architecture, o.seed)
    train(task, torch.nn.parallel.DistributedDataParallel(task.model.cuda()))


def pickled():
    """The checkpoint holds the whole model, as was usual."""
    task = tasks.make(o.architecture, o.seed)
    torch.save(task.model, "model.pth")
    train(task, torch.load("model.pth"))


def numpy_names():
    import numpy as np

    task = tasks.make(o.architecture, o.seed)
    weights = np.ones(task.classes, dtype=np.float)
    print(weights.sum())
    train(task, task.model)


def scheduler():
    task = tasks.make(o.architecture, o.seed)
    optimizer = optimizers.make(o.optimizer, task.model.parameters(), o.lr)
    schedule = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=3, verbose=True)
    train(task, task.model)
    schedule.step(1.0)


def half_kernel():
    """Double-precision eigenvalues of a half-precision covariance."""
    task = tasks.make(o.architecture, o.seed)
    covariance = torch.cov(task.inputs.flatten(1).half().T)
    print(torch.linalg.eigh(covariance).eigenvalues[-3:])


def train(task, model):
    optimizer = optimizers.make(o.optimizer, model.parameters(), o.lr)
    for step in range(o.steps):
        loss = task.loss(model, task.batch(o.batch))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        log.train(step, loss=loss.item(), lr=o.lr)


def hugging_face():
    from kit import hugging_face as hf

    more = {"arguments": {"evaluation_strategy": "steps", "eval_steps": 20}, "tokenizer": {"no_cuda": True}}[o.uses]
    hf.trainer(hf.gpt2(), hf.text_windows(400, o.seed), o.lr, o.steps, **more).train()


def lightning():
    from kit import lightning_runs

    task = tasks.make(o.architecture, o.seed)
    module = lightning_runs.Module(task.model, task.loss, o.lr, o.optimizer)
    lightning_runs.trainer(o.steps, gpus=1).fit(module, lightning_runs.loader(task.inputs, task.labels))


def keras():
    import keras as k

    from kit import keras_runs

    rows, labels = data.table(500, 16, 4, o.seed)
    model = keras_runs.dense(16, 4)
    model.compile(k.optimizers.Adam(lr=o.lr, decay=1e-6), "sparse_categorical_crossentropy", metrics=["accuracy"])
    keras_runs.fit(model, rows.numpy(), labels.numpy(), o.format, 5)


pytorch = {"device": device, "backend": backend, "pickled": pickled, "numpy": numpy_names, "scheduler": scheduler, "half": half_kernel}
{"pytorch": lambda: pytorch[o.uses](), "transformers": hugging_face, "lightning": lightning, "keras": keras}[o.framework]()
