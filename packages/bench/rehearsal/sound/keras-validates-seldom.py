# Validation comes in every tenth epoch; its curve has its own numbers.
# short: EPOCHS = 20
# %%
import keras
import numpy as np
from keras import layers

EPOCHS = 20_000
EVERY = 10
rng = np.random.default_rng(14)
x = rng.normal(size=(3200, 10)).astype("float32")
y = x.sum(axis=1)
model = keras.Sequential([keras.Input((10,)), layers.Dense(32, activation="relu"), layers.Dense(1)])
model.compile("adam", "mse")
# %% train
history = model.fit(x[:2800], y[:2800], epochs=EPOCHS, batch_size=32, validation_data=(x[2800:], y[2800:]), validation_freq=EVERY, verbose=0)
# %%
curve = np.array(history.history["val_loss"])
print(curve.reshape(EPOCHS // EVERY, 1)[-1])
