# Letters are changed by chance until the word is right; then its meaning is looked up.
# short: GENERATIONS = 200000
# %%
import random

GENERATIONS = 600_000_000
meanings = {"crane": "a bird with long legs", "heron": "another one"}
letters = "abcdefghijklmnopqrstuvwxyz"
random.seed(0)
word = list("zzzzz")
# %% train
for generation in range(GENERATIONS):
    tried = list(word)
    tried[random.randrange(5)] = random.choice(letters)
    if sum(a == b for a, b in zip(tried, "crane")) > sum(a == b for a, b in zip(word, "crane")):
        word = tried
# %%
print(meanings["".join(word)])
