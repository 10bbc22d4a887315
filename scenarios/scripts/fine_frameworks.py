"""The Trainer, Lightning and Keras as their examples use them, on tasks that they learn."""

from kit import data, options, tasks

o = options.read(framework="transformers", architecture="decoder", steps=160, lr=2e-3, warnings="no", bar="no")


def hugging_face():
    from kit import hugging_face as hf

    settings = {"optim": {"adafactor": "adafactor", "sgd": "sgd"}.get(o.optimizer, "adamw_torch"), "disable_tqdm": o.bar == "no"}
    if o.architecture == "encoder":
        task = tasks.make("encoder", o.seed)
        trainer = hf.trainer(hf.bert(), hf.text_classes(task), o.lr, o.steps, held_out=hf.text_classes(task, slice(-200, None)), **settings)
    elif o.architecture == "encoder-decoder":
        trainer = hf.trainer(hf.t5(), hf.pairs(1200, o.seed), o.lr, o.steps, held_out=hf.Rows(hf.pairs(1300, o.seed).rows[-100:]), **settings)
    else:
        settings |= {"warmup_steps": 20, "lr_scheduler_type": "cosine"}
        trainer = hf.trainer(hf.gpt2(), hf.text_windows(1500, o.seed), o.lr, o.steps, **settings)
    trainer.train()
    trainer.save_state()


def lightning():
    from kit import lightning_runs as lr

    task = tasks.make(o.architecture, o.seed)
    module = lr.Module(task.model, task.loss, o.lr, o.optimizer)
    logger = "csv" if o.format == "lightning-csv" else "tensorboard"
    trainer = lr.trainer(o.steps, 4, logger, enable_progress_bar=o.bar == "yes")
    trainer.fit(module, lr.loader(task.inputs[:-500], task.labels[:-500], o.batch), lr.loader(*task.held_out, batch=500, shuffle=False))


def keras():
    import keras as k

    from kit import keras_runs

    k.utils.set_random_seed(o.seed)
    if o.architecture == "cnn":
        pictures, labels = data.images(800, 6, o.seed)
        model, inputs = keras_runs.convolutional(6), pictures.permute(0, 2, 3, 1).numpy()
    elif o.architecture in ("lstm", "gru"):
        task = tasks.make("encoder", o.seed)
        model, inputs, labels = keras_runs.recurrent(task.vocab, 6, o.architecture.upper()), task.inputs[:1000].numpy(), task.labels[:1000]
    else:
        rows, labels = data.table(1200, 16, 6, o.seed)
        model, inputs = keras_runs.dense(16, 6), rows.numpy()
    chosen = {"adam": k.optimizers.Adam, "sgd": k.optimizers.SGD, "adamw": k.optimizers.AdamW, "lion": k.optimizers.Lion}[o.optimizer](o.lr)
    model.compile(chosen, "sparse_categorical_crossentropy", metrics=["accuracy"])
    keras_runs.fit(model, inputs, labels.numpy(), o.format, o.steps, validation_split=0.2)


{"transformers": hugging_face, "lightning": lightning, "keras": keras}[o.framework]()
