// Kernels of three sizes with the objects that people hold in them, and cells that touch those objects.

export interface Workload {
  readonly name: string;
  /** About how much the kernel holds. */
  readonly megabytes: number;
  readonly setup: string;
}

/** A frame, an array, a text column, a fitted pipeline and a torch module (when installed), scaled to the given size. */
function setup(megabytes: number): string {
  const rows = Math.round((megabytes * 1e6) / 2 / (8 * 10));
  const cells = Math.round((megabytes * 1e6) / 2 / 8);
  return `
import numpy as np
import pandas as pd
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
rng = np.random.default_rng(0)
features = [f"feature_{i}" for i in range(8)]
df = pd.DataFrame(rng.random((${rows}, 8)), columns=features)
df["city"] = pd.Categorical.from_codes(rng.integers(0, 4, len(df)), ["Oslo", "Bergen", "Tromsø", "Bodø"])
df["label"] = (df["feature_0"] > 0.5).astype(int)
weights = rng.random(${cells})
names = [f"run {i}" for i in range(1000)]
lookup = {name: i for i, name in enumerate(names)}
model = make_pipeline(StandardScaler(), LogisticRegression()).fit(df[features].head(1000), df["label"].head(1000))
fig, ax = plt.subplots(2, 2)
try:
    import torch
    from torch import nn
    net = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 2))
except ImportError:
    net = None
def evaluate(frame):
    scores = model.predict_proba(frame[features])[:, 1]
    return float(np.mean((scores > 0.5) == frame["label"]))
`;
}

export const workloads: readonly Workload[] = [
  { name: '10 MB', megabytes: 10, setup: setup(10) },
  { name: '1 GB', megabytes: 1_000, setup: setup(1_000) },
  { name: '4 GB', megabytes: 4_000, setup: setup(4_000) },
];

/** Ordinary cells, healthy and crashing, short and long. */
export const cells: readonly string[] = [
  'df.head()',
  'summary = df.groupby("city")["label"].mean()\nsummary.sort_values()',
  'df["ratio"] = df["feature_0"] / df["feature_1"]\ndf.describe()',
  'subset = df[df["feature_2"] > 0.3].copy()\nsubset["score"] = subset["feature_3"] * 2\nsubset.shape',
  'accuracy = evaluate(df.head(500))\nprint(f"accuracy {accuracy:.3f}")',
  'ax[0, 0].hist(weights[:1000])\nax[0, 1].plot(df["feature_0"][:100])\nfig.tight_layout()',
  'from sklearn.model_selection import train_test_split\nX_train, X_test, y_train, y_test = train_test_split(df[features].head(2000), df["label"].head(2000))\nmodel.fit(X_train, y_train)\nmodel.score(X_test, y_test)',
  'for name in names[:10]:\n    position = lookup[name]\n    print(name, position, weights[position])',
  'correlation = df[features].corr()\nstrongest = correlation.abs().unstack().sort_values(ascending=False)\nstrongest.head(20)',
  'class Report:\n    def __init__(self, frame):\n        self.frame = frame\n    def lines(self):\n        return [f"{c}: {self.frame[c].mean():.2f}" for c in features]\nprint("\\n".join(Report(df.head(100)).lines()))',
  'df.groupby("town")["label"].mean()',
  'print(undefined_total)',
];
