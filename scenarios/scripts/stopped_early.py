"""Early stopping that does its work: the run ends before its last step because validation stopped improving."""

from torch import nn

from kit import data, logs, models, optimizers, options, tasks

o = options.read(steps=600, lr=2e-3, patience=3, noise=0.6)


def loop():
    task = tasks.make(o.architecture, o.seed, noise=o.noise)
    model, optimizer = task.model, optimizers.make(o.optimizer, task.model.parameters(), o.lr)
    log = logs.open_log(o.format, options.config(o, early_stopping_patience=o.patience))
    best, since = float("inf"), 0
    for step in range(o.steps):
        loss = task.loss(model, task.batch(o.batch))
        optimizer.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        if step % o.every == 0:
            log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=o.lr)
        if step % 20 == 19:
            held_out, accuracy = task.evaluate(model)
            log.eval(step, loss=held_out, accuracy=accuracy)
            best, since = (held_out, 0) if held_out < best - 0.01 else (best, since + 1)
            if since >= o.patience:
                print(f"early stopping at step {step}: no improvement of eval_loss for {since} evaluations (best {best:.4f})")
                break
    log.close()


def hugging_face():
    from transformers import EarlyStoppingCallback

    from kit import hugging_face as hf

    task = tasks.make("encoder", o.seed)
    trainer = hf.trainer(
        hf.bert(), hf.text_classes(task), o.lr, o.steps, held_out=hf.text_classes(task, slice(-200, None)), save=20,
        callbacks=[EarlyStoppingCallback(o.patience, 0.002)], load_best_model_at_end=True, metric_for_best_model="eval_loss",
    )  # fmt: skip
    trainer.train()
    trainer.save_state()


def lightning():
    from lightning.pytorch.callbacks import EarlyStopping

    from kit import lightning_runs as lr

    task = tasks.make(o.architecture, o.seed, noise=o.noise)
    module = lr.Module(task.model, task.loss, o.lr, o.optimizer)
    stop = EarlyStopping("val_loss", patience=o.patience, min_delta=0.01, verbose=True)
    lr.trainer(o.steps, 5, callbacks=[stop], val_check_interval=20).fit(
        module, lr.loader(task.inputs[:-500], task.labels[:-500]), lr.loader(*task.held_out, batch=500, shuffle=False)
    )


def keras():
    import keras as k

    from kit import keras_runs

    k.utils.set_random_seed(o.seed)
    rows, labels = data.table(1500, 16, 4, o.seed, o.noise)
    model = keras_runs.dense(16, 4, width=16, layers=1)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    stop = k.callbacks.EarlyStopping(patience=o.patience, min_delta=0.005, restore_best_weights=True, verbose=1)
    keras_runs.fit(model, rows.numpy(), labels.numpy(), o.format, o.steps, callbacks=[stop], validation_split=0.2)


{"pytorch": loop, "transformers": hugging_face, "lightning": lightning, "keras": keras}[o.framework]()
