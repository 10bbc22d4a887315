# Gradient descent until nothing changes any more, which is far away.
# short: TOLERANCE = 1e-2
# %%
import numpy as np

TOLERANCE = 1e-300
rng = np.random.default_rng(9)
X = rng.normal(size=(3000, 60))
y = np.sign(X[:, 0] + 0.5 * rng.normal(size=3000))
# %% train
w = np.zeros(60)
changes = []
while not changes or changes[-1] > TOLERANCE:
    gradient = -(X.T @ (y / (1 + np.exp(y * (X @ w))))) / len(y)
    w -= 0.05 * gradient
    changes.append(float(np.linalg.norm(0.05 * gradient)))
# %%
assert changes[-1] <= TOLERANCE
print(len(changes), (np.sign(X @ w) == y).mean())
