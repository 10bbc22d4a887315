# The rate falls when nothing improves; the rates that were used are listed.
# short: EPOCHS = 8
# %%
import keras
import numpy as np
from keras import layers

EPOCHS = 20_000
rng = np.random.default_rng(13)
x = rng.normal(size=(3200, 10)).astype("float32")
y = rng.normal(size=(3200, 1)).astype("float32")
model = keras.Sequential([keras.Input((10,)), layers.Dense(32, activation="relu"), layers.Dense(1)])
model.compile(keras.optimizers.SGD(1e-3), "mse")
falling = keras.callbacks.LearningRateScheduler(lambda epoch, rate: rate * 0.5 if epoch == 5 else rate)
# %% train
history = model.fit(x, y, epochs=EPOCHS, batch_size=32, callbacks=[falling], verbose=0)
# %%
rates = sorted(set(history.history["learning_rate"]))
print("the second rate:", rates[1], len(history.history["loss"]) / EPOCHS)
