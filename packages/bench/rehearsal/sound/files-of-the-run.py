# The newest of the files that the run wrote now and then.
# short: STEPS = 2000
# %%
import glob
import os

import numpy as np

STEPS = 40_000_000
os.makedirs("kept", exist_ok=True)
rng = np.random.default_rng(15)
X = rng.normal(size=(2000, 40))
y = X @ rng.normal(size=40)
# %% train
w = np.zeros(40)
for step in range(1, STEPS + 1):
    w -= 0.001 * X.T @ (X @ w - y) / len(y)
    if step % 1000 == 0:
        np.save(f"kept/{step:09}.npy", w)
# %%
newest = sorted(glob.glob("kept/*.npy"))[-1]
print(newest, np.load(newest).shape, np.load(sorted(glob.glob("kept/*.npy"))[1]).mean())
