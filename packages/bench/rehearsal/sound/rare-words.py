# Words are counted as they are drawn; a rare one is asked for at the end.
# short: DRAWS = 3000000
# %%
import numpy as np

DRAWS = 3_000_000_000
rng = np.random.default_rng(6)
words = ["common"] * 9 + ["usual"]
counts = {}

def see(word):
    counts[word] = counts.get(word, 0) + 1
# %% train
for draw in range(DRAWS):
    number = int(rng.integers(1_000_000)) if draw > 0 else 0
    see("rare" if number == 77 or draw == 2_000_000 else words[number % 10])
# %%
print(counts["rare"], sum(counts.values()))
