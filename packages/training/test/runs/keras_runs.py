# Runs of Keras with its CSVLogger and progress lines. Usage: keras_runs.py OUTPUT [CASE ...]
import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"
os.environ["CUDA_VISIBLE_DEVICES"] = ""

from logs import in_own_process


def data(classes=4, n=512, spread=1.0):
    import numpy as np
    rng = np.random.default_rng(0)
    centres = 3 * rng.normal(size=(classes, 16))
    y = rng.integers(0, classes, n)
    return (centres[y] + spread * rng.normal(size=(n, 16))).astype("float32"), y


def fit(x, y, classes=4, lr=1e-2, optimizer="adam", epochs=12):
    import keras
    keras.utils.set_random_seed(0)
    model = keras.Sequential([keras.layers.Dense(32, activation="relu"), keras.layers.Dense(classes)])
    make = {"adam": keras.optimizers.Adam, "sgd": keras.optimizers.SGD}[optimizer]
    model.compile(make(lr), loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
    model.fit(x, y, epochs=epochs, batch_size=32, validation_split=0.25, verbose=2, callbacks=[keras.callbacks.CSVLogger("history.csv")])


def healthy_classifier():
    fit(*data())


def rate_too_high():
    fit(*data(spread=4.0), lr=1e12, optimizer="sgd")


def label_out_of_range():
    x, y = data()
    y[100] = 9
    fit(x, y)


def wrong_input_width():
    import keras
    x, y = data()
    model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(4)])
    model.compile("adam", loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(x, y, verbose=2)


cases = {name: globals()[name] for name in ("healthy_classifier", "rate_too_high", "label_out_of_range", "wrong_input_width")}

if __name__ == "__main__":
    for name in sys.argv[2:] or cases:
        in_own_process(name, cases[name], os.path.join(sys.argv[1], name))
