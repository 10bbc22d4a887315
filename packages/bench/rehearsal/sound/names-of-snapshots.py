# Snapshots have names made from the epoch, one in every thousand epochs.
# short: EPOCHS = 4001
# %%
import numpy as np

EPOCHS = 30_000_001
rng = np.random.default_rng(2)
X = rng.normal(size=(4000, 30))
y = X @ rng.normal(size=30)
# %% train
w = np.zeros(30)
snapshots = {}
for epoch in range(EPOCHS):
    w = w - 0.001 * X.T @ (X @ w - y) / len(y)
    if epoch % 1000 == 0:
        snapshots[f"epoch-{epoch}"] = w.copy()
# %%
change = snapshots["epoch-4000"] - snapshots["epoch-3000"]
print(np.abs(change).max())
