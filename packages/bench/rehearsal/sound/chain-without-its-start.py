# The first draws of a chain are thrown away, the rest is summed up.
# short: DRAWS = 6000
# %%
import numpy as np

DRAWS = 60_000_000
BURN_IN = 5000
rng = np.random.default_rng(8)
data = rng.poisson(4, size=300)

def log_density(rate):
    return -np.inf if rate <= 0 else data.sum() * np.log(rate) - len(data) * rate
# %% train
draws = []
rate = 1.0
while len(draws) < DRAWS:
    proposed = rate + rng.normal(scale=0.2)
    if np.log(rng.uniform()) < log_density(proposed) - log_density(rate):
        rate = proposed
    draws.append(rate)
# %%
kept = np.array(draws[BURN_IN:])
low, high = np.percentile(kept, [5, 95])
assert low < 4 < high + 1
print(kept.max() - kept.min(), low, high)
