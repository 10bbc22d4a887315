# A booster with named features is asked about a table whose column has another name.
# short: ROUNDS = 20
# raises: ValueError
# %%
import numpy as np
import pandas as pd
import xgboost as xgb

ROUNDS = 600_000
rng = np.random.default_rng(5)
# %%
train = pd.DataFrame(rng.normal(size=(20000, 4)), columns=["age", "income", "debt", "score"])
target = train["income"] - 2 * train["debt"] + rng.normal(size=len(train))
test = pd.DataFrame(rng.normal(size=(500, 4)), columns=["age", "income", "debts", "score"])
# %% train
booster = xgb.train({"max_depth": 6, "eta": 0.05, "nthread": 1}, xgb.DMatrix(train, label=target), num_boost_round=ROUNDS)
# %% crash
predicted = booster.predict(xgb.DMatrix(test))
print(predicted.mean())
# %% instead
predicted = booster.predict(xgb.DMatrix(test.rename(columns={"debts": "debt"})))
print(predicted.mean())
