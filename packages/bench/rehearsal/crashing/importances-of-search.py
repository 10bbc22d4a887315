# The best estimator of a long search is a pipeline, which has no importances.
# short: ROUNDS = 1
# raises: AttributeError
# %%
import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import ParameterSampler, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

ROUNDS = 2000
rng = np.random.RandomState(3)
X = rng.normal(size=(1500, 12))
y = (X[:, 0] + X[:, 1] ** 2 > 1).astype(int)
# %% train
space = {"randomforestclassifier__max_depth": list(range(2, 20)), "randomforestclassifier__min_samples_leaf": list(range(1, 200))}
best_score, best = -1.0, None
for candidate in ParameterSampler(space, n_iter=ROUNDS, random_state=0):
    pipeline = make_pipeline(StandardScaler(), RandomForestClassifier(n_estimators=150, random_state=0)).set_params(**candidate)
    score = cross_val_score(pipeline, X, y, cv=5).mean()
    if score > best_score:
        best_score, best = score, pipeline.fit(X, y)
print(best_score)
# %% crash
order = np.argsort(best.feature_importances_)[::-1]
print(order[:5])
# %% instead
order = np.argsort(best[-1].feature_importances_)[::-1]
print(order[:5])
