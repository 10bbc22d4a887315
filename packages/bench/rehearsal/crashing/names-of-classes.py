# Four classes are in the data, three names in the report.
# short: passes = 2
# raises: ValueError
# %%
import numpy as np
from sklearn.linear_model import SGDClassifier
from sklearn.metrics import classification_report
from sklearn.preprocessing import StandardScaler

passes = 210_000
rng = np.random.default_rng(9)
X = StandardScaler().fit_transform(rng.normal(size=(20000, 30)))
y = np.digitize(X[:, 0] + X[:, 1], [-1, 0, 1])
# %% train
model = SGDClassifier(loss="log_loss", random_state=0)
for _ in range(passes):
    order = rng.permutation(16000)
    for part in np.array_split(order, 20):
        model.partial_fit(X[part], y[part], classes=[0, 1, 2, 3])
# %% crash
print(classification_report(y[16000:], model.predict(X[16000:]), target_names=["low", "middle", "high"]))
# %% instead
print(classification_report(y[16000:], model.predict(X[16000:]), target_names=["low", "below", "above", "high"]))
