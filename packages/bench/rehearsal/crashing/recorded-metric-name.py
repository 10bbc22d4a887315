# LightGBM recorded one metric, and another one is plotted.
# short: ROUNDS = 20
# raises: KeyError
# %%
import lightgbm as lgb
import matplotlib.pyplot as plt
import numpy as np

ROUNDS = 1_200_000
rng = np.random.default_rng(6)
features = rng.normal(size=(20000, 20))
target = (features[:, 0] * features[:, 1] > 0).astype(int)
# %%
fitted = lgb.Dataset(features[:16000], target[:16000])
held_out = lgb.Dataset(features[16000:], target[16000:], reference=fitted)
# %% train
curves = {}
booster = lgb.train(
    {"objective": "binary", "metric": "binary_logloss", "num_leaves": 63, "verbosity": -1, "num_threads": 1},
    fitted,
    num_boost_round=ROUNDS,
    valid_sets=[held_out],
    callbacks=[lgb.record_evaluation(curves)],
)
# %% crash
plt.plot(curves["valid_0"]["auc"])
plt.ylabel("AUC")
# %% instead
plt.plot(curves["valid_0"]["binary_logloss"])
plt.ylabel("log loss")
