# The rows of which a classifier is sure, once it has learned enough.
# short: PASSES = 40
# %%
import numpy as np
from sklearn.linear_model import SGDClassifier

PASSES = 400_000
rng = np.random.default_rng(8)
X = rng.normal(size=(8000, 20))
y = (X[:, 0] - X[:, 1] > 0).astype(int)
# %% train
model = SGDClassifier(loss="log_loss", learning_rate="constant", eta0=1e-4, random_state=0)
for _ in range(PASSES):
    order = rng.permutation(8000)
    for part in np.array_split(order, 40):
        model.partial_fit(X[part], y[part], classes=[0, 1])
# %%
chance = model.predict_proba(X)[:, 1]
sure = np.flatnonzero(chance > 0.8)
print("the first sure row:", sure[0], "of", len(sure))
