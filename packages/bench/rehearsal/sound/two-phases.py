# A first phase chooses columns, a second one trains on these alone.
# short: EPOCHS = 300
# %%
import numpy as np

EPOCHS = 3_000_000
rng = np.random.default_rng(16)
X = rng.normal(size=(3000, 40))
y = 5 * X[:, 3] - 4 * X[:, 7] + 0.1 * rng.normal(size=3000)

def descend(X, epochs):
    w = np.zeros(X.shape[1])
    for _ in range(epochs):
        w -= 0.01 * X.T @ (X @ w - y) / len(y)
    return w
# %% train
first = descend(X, EPOCHS)
# %%
chosen = np.flatnonzero(np.abs(first) > 3.5)
second = descend(X[:, chosen], EPOCHS)
# %%
print("strongest column", chosen[np.abs(second).argmax()], second.max())
