# %% setup
import math, torch, torch.nn as nn, torch.nn.functional as F
import numpy as np

# %% setup
torch.manual_seed(1)
device = torch.device('cuda')
text = 'the crane stands in the reeds and waits for the frog to move. ' * 40
chars = sorted(set(text))
stoi = {c: i for i, c in enumerate(chars)}
encode = lambda s: [stoi[c] for c in s]
decode = lambda ids: ''.join(chars[i] for i in ids)
data = torch.tensor(encode(text))
block, dim, heads, vocab = 32, 48, 4, len(chars)
class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)
        self.register_buffer('mask', torch.tril(torch.ones(block, block)).bool())
    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(x).view(B, T, heads, 3 * C // heads).transpose(1, 2).chunk(3, -1)
        att = (q @ k.transpose(-2, -1)) / math.sqrt(C // heads)
        att = att.masked_fill(~self.mask[:T, :T], float('-inf')).softmax(-1)
        return self.proj((att @ v).transpose(1, 2).reshape(B, T, C))
class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.tok, self.pos = nn.Embedding(vocab, dim), nn.Embedding(block, dim)
        self.att, self.norm = Attention(), nn.LayerNorm(dim)
        self.head = nn.Linear(dim, vocab, bias=False)
        self.head.weight = self.tok.weight
    def forward(self, ids, targets=None):
        x = self.tok(ids) + self.pos(torch.arange(ids.shape[1], device=ids.device))
        logits = self.head(self.norm(x + self.att(x)))
        if targets is None:
            return logits
        return logits, F.cross_entropy(logits.view(-1, vocab), targets.view(-1))
def batch(n=8, where=device):
    at = torch.randint(len(data) - block - 1, (n,))
    x = torch.stack([data[i:i + block] for i in at])
    y = torch.stack([data[i + 1:i + block + 1] for i in at])
    return x.to(where), y.to(where)
gpt = GPT().to(device)
opt = torch.optim.AdamW(gpt.parameters(), lr=3e-3)
frequencies = torch.bincount(data, minlength=vocab).float()

# %% setup
for step in range(5):
    logits, loss = gpt(*batch())
    opt.zero_grad(); loss.backward(); opt.step()

# %% fine
for step in range(20):
    x, y = batch()
    logits, loss = gpt(x, y)
    opt.zero_grad(set_to_none=True); loss.backward(); opt.step()
print(loss.item())

# %% crash
prompt = torch.tensor([encode('the crane')])
logits = gpt(prompt)

# %% fine
prompt = torch.tensor([encode('the crane')], device=device)
with torch.no_grad():
    logits = gpt(prompt)
print(logits.shape)

# %% fine
ids = torch.tensor([encode('the crane')], device=device)
with torch.no_grad():
    for _ in range(40):
        nxt = gpt(ids[:, -block:])[:, -1].argmax(-1, keepdim=True)
        ids = torch.cat([ids, nxt], 1)
print(decode(ids[0].tolist()))

# %% crash
log_prior = (frequencies / frequencies.sum()).log()
biased = gpt(prompt)[:, -1] + log_prior

# %% fine
log_prior = (frequencies / frequencies.sum()).clamp(min=1e-9).log().to(device)
biased = gpt(prompt)[:, -1] + log_prior

# %% crash
print(decode(gpt(prompt).argmax(-1)))

# %% fine
print(decode(gpt(prompt).argmax(-1)[0].tolist()))

# %% crash
x, y = batch()
perplexity = math.exp(gpt(x, y))

# %% fine
x, y = batch()
perplexity = math.exp(gpt(x, y)[1])

# %% crash
x, y = batch()
logits, loss = gpt(x, y[:, :-1].contiguous())

# %% crash
cache = torch.zeros(1, block, dim)
for t, piece in enumerate(prompt[0]):
    cache[:, t] = gpt.tok(piece)
mixed = gpt.att(cache)

# %% fine
cache = torch.zeros(1, block, dim, device=device)
for t, piece in enumerate(prompt[0]):
    cache[:, t] = gpt.tok(piece)
mixed = gpt.att(cache)
print(mixed.shape)

# %% crash
table = gpt.tok.weight.data.cpu().numpy()
near = np.argsort(table @ gpt.tok.weight[0].detach().cpu().numpy()[:10])

# %% fine
table = gpt.tok.weight.data.cpu().numpy()
near = np.argsort(table @ gpt.tok.weight[0].detach().cpu().numpy())
print(decode(near[-3:]))

# %% crash
probs = gpt(prompt)[0, -1].softmax(-1)
g = torch.Generator().manual_seed(4)
sample = torch.multinomial(probs, 3, generator=g)

# %% fine
probs = gpt(prompt)[0, -1].softmax(-1)
g = torch.Generator(device=device).manual_seed(4)
sample = torch.multinomial(probs, 3, generator=g)
print(decode(sample.tolist()))

# %% crash
state = gpt.state_dict()
state['tok.weight'] = torch.zeros(vocab + 1, dim)
gpt.load_state_dict(state)

# %% crash
loss = gpt(*batch())[1]
loss.backward()
loss.backward()

# %% restart

# %% fine
held = [gpt(*batch())[1].item() for _ in range(4)]
print(sum(held) / 4)

# %% crash
foreign = torch.tensor([[ord(c) for c in 'frog']], device=device)
logits = gpt(foreign)
print(logits.sum().item())

# %% restart

# %% crash
ids = torch.tensor([encode('the crane')], device=device)
with torch.no_grad():
    for _ in range(40):
        nxt = gpt(ids)[:, -1].argmax(-1, keepdim=True)
        ids = torch.cat([ids, nxt], 1)
print(ids.shape, ids.sum().item())
