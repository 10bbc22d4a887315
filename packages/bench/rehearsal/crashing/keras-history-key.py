# The history of Keras calls the metric by another name than the plot.
# short: EPOCHS = 2
# raises: KeyError
# %%
import matplotlib.pyplot as plt
import numpy as np
import keras
from keras import layers

EPOCHS = 20000
rng = np.random.default_rng(0)
# %%
x_train = rng.normal(size=(6400, 20)).astype("float32")
y_train = (x_train[:, 0] * x_train[:, 1] > 0).astype("int32")
model = keras.Sequential([keras.Input((20,)), layers.Dense(64, activation="relu"), layers.Dense(1, activation="sigmoid")])
model.compile(optimizer="adam", loss="binary_crossentropy", metrics=["accuracy"])
# %% train
history = model.fit(x_train, y_train, epochs=EPOCHS, batch_size=64, validation_split=0.2, verbose=0)
# %% crash
plt.plot(history.history["acc"], label="training")
plt.plot(history.history["val_acc"], label="validation")
plt.legend()
# %% instead
plt.plot(history.history["accuracy"], label="training")
plt.plot(history.history["val_accuracy"], label="validation")
plt.legend()
