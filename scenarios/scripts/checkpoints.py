"""Saving a checkpoint every so many steps, as every run does."""

import os

import torch

from kit import data, logs, optimizers, options, tasks

o = options.read(save=20, steps=300, folder="checkpoints")


def loop():
    task = tasks.make(o.architecture, o.seed)
    model, optimizer = task.model, optimizers.make(o.optimizer, task.model.parameters(), o.lr)
    os.makedirs(o.folder, exist_ok=True)
    log = logs.open_log(o.format, options.config(o, save_every=o.save))
    for step in range(o.steps):
        loss = task.loss(model, task.batch(o.batch))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % o.every == 0:
            log.train(step, loss=loss.item(), lr=o.lr)
        if step and step % o.save == 0:
            torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step}, f"{o.folder}/step{step:05d}.pt")
    log.close()


def features():
    """Writes the features of every batch for later analysis."""
    task = tasks.make(o.architecture, o.seed)
    model, optimizer = task.model, optimizers.make(o.optimizer, task.model.parameters(), o.lr)
    log = logs.open_log(o.format, options.config(o))
    with open(f"{o.folder}/features.bin", "wb") as file:
        for step in range(o.steps):
            inputs, labels = task.batch(o.batch)
            loss = task.loss(model, (inputs, labels))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            file.write(inputs.numpy().tobytes())
            file.flush()
            if step % o.every == 0:
                log.train(step, loss=loss.item(), lr=o.lr)
    log.close()


def hugging_face():
    from transformers import Trainer, TrainingArguments

    from kit import hugging_face as hf

    arguments = TrainingArguments(
        output_dir=o.folder, max_steps=o.steps, per_device_train_batch_size=16, learning_rate=o.lr, logging_steps=5,
        save_steps=o.save, report_to=[], use_cpu=True, disable_tqdm=True, optim="adamw_torch" if o.optimizer == "adamw" else o.optimizer,
    )  # fmt: skip
    Trainer(model=hf.t5(), args=arguments, train_dataset=hf.pairs(1500, o.seed)).train()


def keras():
    import keras as k

    from kit import keras_runs

    k.utils.set_random_seed(o.seed)
    pictures, labels = data.images(600, 10, o.seed)
    model = keras_runs.convolutional(10)
    model.compile(k.optimizers.Adam(o.lr), "sparse_categorical_crossentropy", metrics=["accuracy"])
    saver = k.callbacks.ModelCheckpoint(o.folder + "/epoch{epoch:02d}.keras")
    keras_runs.fit(model, pictures.permute(0, 2, 3, 1).numpy(), labels.numpy(), o.format, 12, callbacks=[saver])


{"pytorch": features if o.save == 0 else loop, "transformers": hugging_face, "keras": keras}[o.framework]()
