# The best model of a run with callbacks is loaded again.
# short: EPOCHS = 2
# %%
import keras
import numpy as np
import pandas as pd
from keras import layers

EPOCHS = 20_000
rng = np.random.default_rng(0)
x = rng.normal(size=(6400, 12)).astype("float32")
y = x.sum(axis=1)
# %%
model = keras.Sequential([keras.Input((12,)), layers.Dense(64, activation="relu"), layers.Dense(1)])
model.compile("adam", "mse", metrics=["mae"])
keeping = keras.callbacks.ModelCheckpoint("best.keras", monitor="val_loss", save_best_only=True)
# %% train
history = model.fit(x, y, epochs=EPOCHS, batch_size=32, validation_split=0.1, callbacks=[keeping], verbose=0)
# %%
best = keras.models.load_model("best.keras")
curves = pd.DataFrame(history.history)
print(curves["val_mae"].min(), best.predict(x[:3], verbose=0).shape)
assert len(curves) == EPOCHS
