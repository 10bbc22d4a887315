// Two hundred ordinary cells: what people do between loading a frame and looking at a score. All of them are fine.

export const setup = `import numpy as np
import pandas as pd
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
rng = np.random.default_rng(0)
features = [f"feature_{i}" for i in range(8)]
df = pd.DataFrame(rng.random((20000, 8)), columns=features)
df["city"] = rng.choice(["Oslo", "Bergen", "Bodø"], len(df))
df["label"] = (df["feature_0"] > 0.5).astype(int)
names = [f"run {i}" for i in range(100)]
lookup = {name: i for i, name in enumerate(names)}
model = LogisticRegression().fit(df[features].head(500), df["label"].head(500))
def evaluate(frame):
    return float((model.predict(frame[features]) == frame["label"]).mean())`;

const kinds: readonly ((n: number) => string)[] = [
  (n) => `df["feature_${n % 8}"].mean()`,
  (n) => `df.head(${n + 1})`,
  (n) => `subset_${n} = df[df["feature_${n % 8}"] > 0.${(n % 8) + 1}].copy()\nsubset_${n}.shape`,
  (n) =>
    `by_city_${n} = df.groupby("city")["feature_${n % 8}"].agg(["mean", "max"])\nby_city_${n}.sort_values("mean")`,
  (n) => `print(f"accuracy {evaluate(df.head(${100 + n})):.3f}")`,
  (n) => `matrix_${n} = df[features].to_numpy()[:${50 + n}]\n(matrix_${n}.T @ matrix_${n}).shape`,
  (n) =>
    `X_train, X_test, y_train, y_test = train_test_split(df[features].head(300), df["label"].head(300), random_state=${n})\nmodel.score(X_test, y_test)`,
  (n) => `for name in names[:${n + 3}]:\n    position = lookup[name]\nposition`,
  (n) =>
    `def scale_${n}(column, factor=${n + 1}):\n    return column * factor\nscale_${n}(df["feature_1"]).sum()`,
  (n) => `total_${n} = 0\nfor value in range(${n + 10}):\n    total_${n} += value\ntotal_${n}`,
];

export const cells: readonly string[] = Array.from({ length: 200 }, (_, index) =>
  kinds[index % kinds.length]!(Math.floor(index / kinds.length)),
);

const light: readonly ((n: number) => string)[] = [
  (n) => `value_${n} = ${n} * 2`,
  (n) => `print("step", ${n})`,
  (n) => `name_${n} = f"run {${n}:03d}"\nname_${n}`,
  (n) => `numbers_${n} = [${n}, ${n + 1}, ${n + 2}]\nsum(numbers_${n})`,
  (n) => `squares_${n} = {k: k * k for k in range(${(n % 7) + 3})}\nlen(squares_${n})`,
  (n) => `def double_${n}(x):\n    return 2 * x`,
  (n) => `label_${n} = "even" if ${n} % 2 == 0 else "odd"\nlabel_${n}.upper()`,
  (n) => `# a note about step ${n}\nflag_${n} = ${n} > 10`,
];

/** Cells that take no time: what a notebook is full of between the ones that matter. */
export function lightCells(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => light[index % light.length]!(index));
}
