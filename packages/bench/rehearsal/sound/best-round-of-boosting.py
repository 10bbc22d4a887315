# The metric at the best round of a booster.
# short: ROUNDS = 30
# %%
import numpy as np
import xgboost as xgb

ROUNDS = 300_000
rng = np.random.default_rng(4)
X = rng.normal(size=(20000, 15))
y = X[:, 0] * X[:, 1] + rng.normal(size=20000)
# %% train
curves = {}
booster = xgb.train(
    {"max_depth": 6, "eta": 0.02, "nthread": 1},
    xgb.DMatrix(X[:15000], y[:15000]),
    num_boost_round=ROUNDS,
    evals=[(xgb.DMatrix(X[15000:], y[15000:]), "valid")],
    evals_result=curves,
    verbose_eval=False,
)
# %%
best = int(np.argmin(curves["valid"]["rmse"]))
print(best, curves["valid"]["rmse"][ROUNDS - 1])
print(booster.predict(xgb.DMatrix(X[:2]), iteration_range=(0, best + 1)))
