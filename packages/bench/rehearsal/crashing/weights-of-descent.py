# Gradient descent in NumPy with a bias column; new data come without it.
# short: iterations = 500
# raises: ValueError
# %%
import numpy as np

iterations = 45_000_000
rng = np.random.default_rng(7)
X = np.c_[np.ones(3000), rng.normal(size=(3000, 30))]
true_weights = rng.normal(size=31)
y = 1 / (1 + np.exp(-X @ true_weights)) > rng.uniform(size=3000)
# %% train
weights = np.zeros(X.shape[1])
rate = 0.1
for i in range(iterations):
    p = 1 / (1 + np.exp(-X @ weights))
    weights -= rate * X.T @ (p - y) / len(y)
# %%
X_new = rng.normal(size=(200, 30))
# %% crash
risk = 1 / (1 + np.exp(-X_new @ weights))
print("at risk:", (risk > 0.5).sum())
# %% instead
risk = 1 / (1 + np.exp(-np.c_[np.ones(len(X_new)), X_new] @ weights))
print("at risk:", (risk > 0.5).sum())
