# A log of every hundredth epoch beside the numbers of these epochs.
# short: EPOCHS = 300
# %%
import numpy as np
import pandas as pd

EPOCHS = 6_000_000
rng = np.random.default_rng(3)
X = rng.normal(size=(3000, 40))
y = X @ rng.normal(size=40) + rng.normal(size=3000)
# %% train
w, logged = np.zeros(40), []
for epoch in range(EPOCHS):
    error = X @ w - y
    w -= 0.01 * X.T @ error / len(y)
    if epoch % 100 == 0:
        logged.append(float((error**2).mean()))
# %%
table = pd.DataFrame({"epoch": range(0, EPOCHS, 100), "loss": logged})
print(table.tail())
