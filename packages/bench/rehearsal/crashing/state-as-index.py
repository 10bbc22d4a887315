# A table of values is learned by trial; a float is then used as an index.
# short: EPISODES = 200
# raises: IndexError
# %%
import numpy as np

EPISODES = 33_000_000
rng = np.random.default_rng(11)
size, actions = 12, 4
table = np.zeros((size * size, actions))
moves = [(-1, 0), (1, 0), (0, -1), (0, 1)]

def walk(state, action):
    row, column = divmod(state, size)
    row = min(max(row + moves[action][0], 0), size - 1)
    column = min(max(column + moves[action][1], 0), size - 1)
    reached = row * size + column
    return reached, (1.0 if reached == size * size - 1 else -0.01)
# %% train
for episode in range(EPISODES):
    state = 0
    for _ in range(100):
        action = rng.integers(actions) if rng.uniform() < 0.1 else int(table[state].argmax())
        reached, reward = walk(state, action)
        table[state, action] += 0.1 * (reward + 0.95 * table[reached].max() - table[state, action])
        state = reached
        if reward > 0:
            break
# %%
policy = table.argmax(axis=1)
# %% crash
middle = size * size / 2
print("in the middle go", policy[middle])
# %% instead
middle = size * size // 2
print("in the middle go", policy[middle])
