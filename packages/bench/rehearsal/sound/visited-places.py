# A walk that goes far enough has been everywhere.
# short: STEPS = 300000
# %%
import numpy as np

STEPS = 2_000_000_000
rng = np.random.default_rng(7)
SIZE = 12
came_from = {0: None}
place = 0
# %% train
for step in range(STEPS):
    reached = (place + int(rng.choice([-1, 1, SIZE, -SIZE]))) % (SIZE * SIZE)
    came_from.setdefault(reached, place)
    place = reached
# %%
way = [SIZE * SIZE // 2]
while way[-1] != 0:
    way.append(came_from[way[-1]])
print("way back:", way)
