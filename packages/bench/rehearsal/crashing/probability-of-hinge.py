# Probabilities are asked of a linear machine that has none.
# short: ROUNDS = 3
# raises: AttributeError
# %%
import numpy as np
from sklearn.linear_model import SGDClassifier

ROUNDS = 420_000
rng = np.random.default_rng(13)

def stream(count):
    x = rng.normal(size=(count, 100))
    return x, (x[:, :5].sum(axis=1) > 0).astype(int)
# %% train
svm = SGDClassifier(loss="hinge", average=True)
seen = 0
while seen < ROUNDS * 10_000:
    x, y = stream(10_000)
    svm.partial_fit(x, y, classes=np.array([0, 1]))
    seen += len(x)
# %%
x_test, y_test = stream(2000)
print("accuracy", svm.score(x_test, y_test))
# %% crash
scores = svm.predict_proba(x_test)[:, 1]
print("sure of", (scores > 0.9).sum())
# %% instead
scores = svm.decision_function(x_test)
print("sure of", (scores > 1).sum())
