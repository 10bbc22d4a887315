# The predictions of the training rows are put beside the test rows.
# short: MAX_ITER = 3
# raises: ValueError
# %%
import numpy as np
import pandas as pd
from sklearn.neural_network import MLPRegressor

MAX_ITER = 200_000
rng = np.random.default_rng(23)
frame = pd.DataFrame(rng.normal(size=(6000, 8)), columns=list("abcdefgh"))
frame["price"] = frame["a"] * frame["b"] + rng.normal(size=6000)
train, test = frame.iloc[:5000], frame.iloc[5000:].copy()
# %% train
network = MLPRegressor(hidden_layer_sizes=(200, 100), max_iter=MAX_ITER, tol=0.0, n_iter_no_change=MAX_ITER, random_state=0)
network.fit(train.drop(columns="price"), train["price"])
# %%
predicted = network.predict(train.drop(columns="price"))
# %% crash
test["predicted"] = predicted
print(test.head())
# %% instead
test["predicted"] = network.predict(test.drop(columns="price"))
print(test.head())
