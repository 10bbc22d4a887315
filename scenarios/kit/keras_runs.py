"""Small Keras models and the ways people keep a Keras run: CSVLogger, the history as JSON, or only the progress lines."""

import json

import keras


def dense(features, classes, width=32, layers=2, activation="relu", **options):
    hidden = [keras.layers.Dense(width, activation=activation, **options) for _ in range(layers)]
    return keras.Sequential([keras.Input((features,)), *hidden, keras.layers.Dense(classes, activation="softmax")])


def convolutional(classes, size=16, width=8):
    return keras.Sequential(
        [
            keras.Input((size, size, 1)),
            keras.layers.Conv2D(width, 3, activation="relu", padding="same"),
            keras.layers.MaxPooling2D(),
            keras.layers.Conv2D(2 * width, 3, activation="relu", padding="same"),
            keras.layers.GlobalAveragePooling2D(),
            keras.layers.Dense(classes, activation="softmax"),
        ]
    )


def recurrent(vocab, classes, cell="LSTM", width=24):
    head = keras.layers.Dense(classes, activation="softmax")
    return keras.Sequential([keras.layers.Embedding(vocab, width), getattr(keras.layers, cell)(width), head])


def fit(model, inputs, labels, log, epochs, batch=32, callbacks=(), **options):
    """`log`: keras-csv, keras-history or keras-console."""
    kept = [keras.callbacks.CSVLogger("training.csv")] if log == "keras-csv" else []
    history = model.fit(
        inputs, labels, batch_size=batch, epochs=epochs, callbacks=[*kept, *callbacks],
        verbose=0 if log == "keras-csv" else 2, **options,
    )  # fmt: skip
    if log == "keras-history":
        with open("history.json", "w") as file:
            json.dump({name: [float(v) for v in values] for name, values in history.history.items()}, file)
    return history
