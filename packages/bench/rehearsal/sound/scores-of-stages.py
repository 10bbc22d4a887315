# The score of every stage of a boosted ensemble in a table.
# short: STAGES = 30
# %%
import numpy as np
import pandas as pd
from sklearn.ensemble import GradientBoostingRegressor

STAGES = 30_000
rng = np.random.default_rng(9)
X = rng.normal(size=(4000, 20))
y = X[:, 0] * X[:, 1] + rng.normal(size=4000)
# %% train
model = GradientBoostingRegressor(n_estimators=STAGES, max_depth=4, random_state=0)
model.fit(X, y)
# %%
table = pd.DataFrame({"stage": range(1, STAGES + 1), "loss": model.train_score_})
print(table.tail(2), len(list(model.staged_predict(X[:5]))))
