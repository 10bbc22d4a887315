# The curve of a network of scikit-learn, and the loss at its middle.
# short: ROUNDS = 10
# %%
import numpy as np
from sklearn.neural_network import MLPClassifier

ROUNDS = 20_000
rng = np.random.default_rng(10)
X = rng.normal(size=(5000, 30))
y = (X[:, 0] * X[:, 1] > 0).astype(int)
# %% train
model = MLPClassifier((100,), max_iter=ROUNDS, tol=0.0, n_iter_no_change=ROUNDS, random_state=0)
model.fit(X, y)
# %%
curve = np.array(model.loss_curve_)
print(curve[ROUNDS // 2], curve.reshape(2, ROUNDS // 2).mean(axis=1), model.n_iter_ / ROUNDS)
