# A long chain is drawn; its summary asks for a quantile above one.
# short: DRAWS = 2000
# raises: ValueError
# %%
import numpy as np

DRAWS = 40_000_000
rng = np.random.default_rng(29)
observed = rng.normal(2.0, 1.5, size=20_000)

def log_density(mean, spread):
    if spread <= 0:
        return -np.inf
    return -len(observed) * np.log(spread) - ((observed - mean) ** 2).sum() / (2 * spread**2)
# %% train
chain = np.empty((DRAWS, 2))
at = np.array([0.0, 1.0])
here = log_density(*at)
for draw in range(DRAWS):
    proposed = at + rng.normal(scale=0.1, size=2)
    there = log_density(*proposed)
    if np.log(rng.uniform()) < there - here:
        at, here = proposed, there
    chain[draw] = at
# %% crash
print("90 % of the mean lies between", np.quantile(chain[:, 0], [5, 95]))
# %% instead
print("90 % of the mean lies between", np.quantile(chain[:, 0], [0.05, 0.95]))
