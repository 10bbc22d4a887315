# Pairs of letters are merged one by one; a merge that comes late is looked up.
# short: MERGES = 28
# %%
import collections

MERGES = 30
text = ("the cranes are standing and wading and waiting in the morning mist while the wind is turning " * 2_000).split()
words = [tuple(word) for word in text]
ranks = {}
# %% train
for number in range(MERGES):
    pairs = collections.Counter()
    for word in words:
        pairs.update(zip(word, word[1:]))
    (first, second), _ = pairs.most_common(1)[0]
    ranks[first + second] = number
    merged = []
    for word in words:
        parts, at = [], 0
        while at < len(word):
            if word[at : at + 2] == (first, second):
                parts.append(first + second)
                at += 2
            else:
                parts.append(word[at])
                at += 1
        merged.append(tuple(parts))
    words = merged
# %%
print("rank of ing:", ranks["ing"], "rank of the:", ranks["the"])
