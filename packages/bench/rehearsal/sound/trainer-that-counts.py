# A trainer of one's own keeps a table of what went wrong and how often.
# short: EPOCHS = 700
# %%
import numpy as np

EPOCHS = 9_000_000
rng = np.random.default_rng(12)

class Watcher:
    def __init__(self):
        self.kinds = {"good": 0}
        self.weights = np.zeros(50)

    def note(self, kind):
        self.kinds[kind] = self.kinds.get(kind, 0) + 1

    def fit(self, X, y, epochs):
        for epoch in range(epochs):
            error = X @ self.weights - y
            self.weights -= 0.001 * X.T @ error / len(y)
            self.note("bad" if epoch % 600 == 599 else "good")
        return self

X = rng.normal(size=(3000, 50))
y = X @ rng.normal(size=50)
watcher = Watcher()
# %% train
watcher.fit(X, y, EPOCHS)
# %%
print("bad epochs:", watcher.kinds["bad"], watcher.weights[:3])
