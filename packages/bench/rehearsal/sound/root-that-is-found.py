# Two ends come nearer until they hold a root; logarithms are taken of what is left.
# short: ROUNDS = 80000
# %%
import math

ROUNDS = 4_000_000_000
low, high = 1.0, 2.0
kept = []
# %% train
for round_ in range(ROUNDS):
    middle = low + (high - low) * 1e-4
    if middle * middle < 2:
        low = middle
    else:
        high = middle
    if high - low < 0.5:
        kept.append(math.log(high - low + 1e-300))
# %%
print("distance", math.log(kept[0] / kept[-1]) if kept[0] * kept[-1] > 0 else kept[0], math.sqrt(0.6 - (high - low)))
