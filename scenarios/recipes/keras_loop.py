"""The same plan under Keras: its own loop, its own lines and files, around the model of the plan (Keras on PyTorch)."""

import json
import os

from . import records

formats = ["keras-console", "keras-csv", "keras-history"]
makers = {
    "adam": "Adam", "adamw": "AdamW", "sgd": "SGD", "momentum": "SGD", "nesterov": "SGD", "rmsprop": "RMSprop",
    "adagrad": "Adagrad", "lion": "Lion", "adafactor": "Adafactor",
}  # fmt: skip


def train(recipe, plan, say):
    os.environ["KERAS_BACKEND"] = "torch"
    import keras

    records.say_settings(recipe, plan, say)
    model = keras.Sequential([keras.layers.TorchModuleWrapper(plan.model)])

    def whole(targets):
        """Keras hands every target over as a fraction."""
        return targets if plan.problem.kind == "regression" else targets.long()

    def score(targets, outputs):
        return plan.problem.score(outputs.detach(), whole(targets))

    score.__name__ = recipe.named("accuracy")
    model.compile(
        optimizer_of(keras, plan),
        loss=lambda targets, outputs: plan.loss(outputs, whole(targets)),
        metrics=[score] if {"accuracy", "val_accuracy"} & set(recipe.values) else [],
    )

    class Follow(keras.callbacks.Callback):
        """Sets the rate of each step, and keeps what held-out rows lose."""

        step = 0

        def on_train_batch_begin(self, batch, logs=None):
            model.optimizer.learning_rate = plan.rate * plan.factor(self.step)
            self.step += 1

        def on_epoch_end(self, epoch, logs=None):
            plan.validate()
            if logs is not None and "lr" in recipe.values:
                logs["learning_rate"] = float(model.optimizer.learning_rate)

    inputs, targets = (part.numpy() for part in plan.problem.train)
    held_out = tuple(part.numpy() for part in plan.held_out or plan.problem.held_out)
    kept = [keras.callbacks.CSVLogger("training.csv")] if recipe.format == "keras-csv" else []
    history = model.fit(
        inputs, targets, batch_size=plan.batch, epochs=max(2, -(-plan.steps // plan.epoch_steps)), shuffle=plan.shuffles,
        validation_data=held_out if "val_loss" in recipe.values else None, callbacks=[Follow(), *kept], verbose=0 if recipe.format == "keras-csv" else 2,
    )  # fmt: skip
    if recipe.format == "keras-history":
        with open("history.json", "w") as file:
            json.dump({name: [float(value) for value in values] for name, values in history.history.items()}, file)


def optimizer_of(keras, plan):
    options = (
        {"momentum": plan.momentum, "nesterov": plan.optimizer == "nesterov"}
        if plan.optimizer in ("momentum", "nesterov")
        else {}
    )
    if plan.decay:
        options["weight_decay"] = plan.decay
    return getattr(keras.optimizers, makers[plan.optimizer])(learning_rate=plan.rate, global_clipnorm=plan.clip, **options)
