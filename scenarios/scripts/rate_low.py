"""Training with a learning rate so low that nothing moves."""

from torch import nn

from kit import data, logs, optimizers, options, tasks

o = options.read()


def loop():
    task = tasks.make(o.architecture, o.seed)
    model, optimizer = task.model, optimizers.make(o.optimizer, task.model.parameters(), o.lr)
    log = logs.open_log(o.format, options.config(o))
    print(f"{sum(p.numel() for p in model.parameters()):,} parameters, {o.steps} steps")
    for step in range(o.steps):
        loss = task.loss(model, task.batch(o.batch))
        optimizer.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % o.every == 0:
            log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=o.lr)
        if step % 60 == 59:
            held_out, accuracy = task.evaluate(model)
            log.eval(step, loss=held_out, accuracy=accuracy)
    log.close()
    print("done")


def hugging_face():
    from kit import hugging_face as hf

    task = tasks.make("encoder", o.seed)
    trainer = hf.trainer(hf.bert(), hf.text_classes(task), o.lr, o.steps, held_out=hf.text_classes(task, slice(-200, None)))
    trainer.train()
    trainer.save_state()


def keras():
    import keras as k

    from kit import keras_runs

    k.utils.set_random_seed(o.seed)
    pictures, labels = data.images(1000, 10, o.seed)
    model = keras_runs.convolutional(10)
    model.compile(k.optimizers.SGD(o.lr), "sparse_categorical_crossentropy", metrics=["accuracy"])
    keras_runs.fit(model, pictures.permute(0, 2, 3, 1).numpy(), labels.numpy(), o.format, o.steps, validation_split=0.2)


{"pytorch": loop, "transformers": hugging_face, "keras": keras}[o.framework]()
