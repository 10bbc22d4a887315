# The learned way is walked; it ends at the goal when enough was learned.
# short: EPISODES = 300
# %%
import numpy as np

EPISODES = 8_000_000
rng = np.random.default_rng(0)
SIZE = 8
values = np.zeros((SIZE, 2))
# %% train
for episode in range(EPISODES):
    place = 0
    for _ in range(200):
        move = int(rng.integers(2))
        reached = min(SIZE - 1, place + 1) if move == 1 else max(0, place - 1)
        reward = 1.0 if reached == SIZE - 1 else 0.0
        values[place, move] += 0.2 * (reward + 0.95 * values[reached].max() - values[place, move])
        place = reached
        if reward > 0:
            break
# %%
way, place = [0], 0
for _ in range(SIZE * 2):
    place = min(SIZE - 1, place + 1) if values[place].argmax() == 1 else max(0, place - 1)
    way.append(place)
print("the goal is reached after", way.index(SIZE - 1))
