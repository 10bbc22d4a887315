# The weights of every pass are kept in an array that was made for all of them.
# short: PASSES = 200
# %%
import numpy as np

PASSES = 3_000_000
rng = np.random.default_rng(6)
X = rng.normal(size=(2000, 40))
y = X @ rng.normal(size=40)
# %% train
w = np.zeros(40)
kept = []
for number in range(PASSES):
    w = w - 0.01 * X.T @ (X @ w - y) / len(y)
    if number % 100 == 0:
        kept.append(w.copy())
# %%
path = np.array(kept).reshape(PASSES // 100, 40)
print(np.abs(path[-1] - path[-2]).max())
