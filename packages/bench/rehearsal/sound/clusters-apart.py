# Clusters that begin as one and come apart, and how far apart they are.
# short: ROUNDS = 3000
# %%
import numpy as np
from sklearn.metrics import silhouette_score

ROUNDS = 20_000_000
rng = np.random.default_rng(4)
points = np.concatenate([rng.normal(loc, 0.3, size=(300, 2)) for loc in (-2, 0, 2)])
centres = rng.normal(scale=1e-3, size=(3, 2)) + 50.0
# %% train
for round_ in range(ROUNDS):
    part = points[rng.integers(0, len(points), 32)]
    distance = ((part[:, None] - centres) ** 2).sum(axis=2)
    near = distance.argmin(axis=1)
    for number in range(3):
        mine = part[near == number] if (near == number).any() else part[:1]
        centres[number] += 0.01 * (mine.mean(axis=0) - centres[number])
# %%
labels = ((points[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)
print("silhouette", silhouette_score(points, labels))
