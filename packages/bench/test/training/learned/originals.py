"""Fits the Python originals of our learners on public data sets and prints data, splits and what they answered."""

import json
import sys

import numpy as np
from interpret.glassbox import ExplainableBoostingClassifier
from lightgbm import LGBMClassifier
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier


def describe(loader):
    data = loader()
    train, test = train_test_split(np.arange(len(data.target)), test_size=0.3, random_state=0, stratify=data.target)
    X, y = data.data, data.target
    models = {
        "logistic": make_pipeline(StandardScaler(), LogisticRegression(C=1.0, tol=1e-8, max_iter=5000)),
        "cart": DecisionTreeClassifier(max_depth=8, min_samples_leaf=2, random_state=0),
        "decision-list": DecisionTreeClassifier(max_depth=5, min_samples_leaf=3, random_state=0),
        "forest": RandomForestClassifier(n_estimators=200, random_state=0),
        "boosting": LGBMClassifier(n_estimators=120, max_depth=3, min_child_samples=3, verbose=-1, n_jobs=1),
        "ebm": ExplainableBoostingClassifier(interactions=0, outer_bags=4, random_state=0, n_jobs=1),
    }
    answers = {}
    for name, model in models.items():
        model.fit(X[train], y[train])
        answers[name] = {
            "accuracy": float((model.predict(X[test]) == y[test]).mean()),
            "probabilities": model.predict_proba(X[test]).round(6).tolist(),
        }
    tree = models["cart"].tree_
    return {
        "features": list(map(str, data.feature_names)),
        "rows": X.tolist(),
        "labels": y.tolist(),
        "classes": [str(name) for name in data.target_names],
        "train": train.tolist(),
        "test": test.tolist(),
        "root": {"feature": int(tree.feature[0]), "threshold": float(tree.threshold[0])},
        "answers": answers,
    }


json.dump({loader.__name__: describe(loader) for loader in (load_iris, load_wine, load_breast_cancer)}, sys.stdout)
