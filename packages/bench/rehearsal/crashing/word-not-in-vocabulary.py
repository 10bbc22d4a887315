# Vectors of words are learned; one is asked for that the text does not have.
# short: EPOCHS = 1
# raises: KeyError
# %%
import numpy as np
import torch
from torch import nn

EPOCHS = 32_000
text = ("the crane stands in the reeds and waits for the morning while the water is still " * 200).split()
vocabulary = {word: number for number, word in enumerate(sorted(set(text)))}
ids = torch.tensor([vocabulary[word] for word in text])
# %%
class SkipGram(nn.Module):
    def __init__(self, words, size=48):
        super().__init__()
        self.inner = nn.Embedding(words, size)
        self.outer = nn.Linear(size, words, bias=False)

    def forward(self, ids):
        return self.outer(self.inner(ids))

vectors = SkipGram(len(vocabulary))
optimizer = torch.optim.Adam(vectors.parameters(), lr=0.003)
# %% train
for epoch in range(EPOCHS):
    for shift in (1, 2, -1, -2):
        context = torch.roll(ids, shift)
        for start in range(0, len(ids), 64):
            loss = nn.functional.cross_entropy(vectors(ids[start : start + 64]), context[start : start + 64])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
# %%
table = vectors.inner.weight.detach().numpy()
table = table / np.linalg.norm(table, axis=1, keepdims=True)
# %% crash
near = table @ table[vocabulary["evening"]]
print([word for word in vocabulary if near[vocabulary[word]] > 0.5])
# %% instead
near = table @ table[vocabulary["morning"]]
print([word for word in vocabulary if near[vocabulary[word]] > 0.5])
