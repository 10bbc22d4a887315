# The recorded curve of LightGBM and the model as text.
# short: ROUNDS = 30
# %%
import lightgbm as lgb
import numpy as np

ROUNDS = 400_000
rng = np.random.default_rng(5)
X = rng.normal(size=(20000, 25))
y = (X[:, 0] > X[:, 1]).astype(int)
# %% train
classifier = lgb.LGBMClassifier(n_estimators=ROUNDS, num_leaves=63, n_jobs=1, verbosity=-1)
classifier.fit(X[:16000], y[:16000], eval_set=[(X[16000:], y[16000:])])
# %%
curve = classifier.evals_result_["valid_0"]["binary_logloss"]
assert len(curve) == ROUNDS
classifier.booster_.save_model("booster.txt")
print(lgb.Booster(model_file="booster.txt").num_trees() == ROUNDS)
