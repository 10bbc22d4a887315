# Boosting that stops by itself, and the curve up to its best round.
# short: ROUNDS = 100
# %%
import lightgbm as lgb
import numpy as np

ROUNDS = 200_000
rng = np.random.default_rng(11)
X = rng.normal(size=(20000, 20))
y = X[:, 0] * X[:, 1] + 0.1 * rng.normal(size=20000)
fitted, held_out = lgb.Dataset(X[:15000], y[:15000]), lgb.Dataset(X[15000:], y[15000:])
# %% train
curves = {}
booster = lgb.train(
    {"learning_rate": 0.01, "num_leaves": 31, "verbosity": -1, "num_threads": 1},
    fitted,
    num_boost_round=ROUNDS,
    valid_sets=[held_out],
    callbacks=[lgb.record_evaluation(curves), lgb.early_stopping(ROUNDS // 2, verbose=False)],
)
# %%
losses = curves["valid_0"]["l2"]
late = losses[50:]
print(min(late), losses[99], booster.num_trees() / booster.best_iteration)
