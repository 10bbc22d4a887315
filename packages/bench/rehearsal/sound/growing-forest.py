# A forest grows tree by tree; its scores are read at the end.
# short: TREES = 30
# %%
import numpy as np
from sklearn.ensemble import RandomForestRegressor

TREES = 8000
rng = np.random.default_rng(3)
X = rng.normal(size=(6000, 20))
y = X[:, 0] ** 2 + X[:, 1]
# %% train
forest = RandomForestRegressor(n_estimators=0, warm_start=True, oob_score=False, random_state=0)
scores = []
for count in range(10, TREES + 1, 10):
    forest.set_params(n_estimators=count)
    forest.fit(X[:5000], y[:5000])
    scores.append(forest.score(X[5000:], y[5000:]))
# %%
assert len(forest.estimators_) == TREES
print(scores[TREES // 10 - 1])
