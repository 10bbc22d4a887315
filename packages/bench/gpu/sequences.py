# %% setup
import torch, torch.nn as nn, torch.nn.functional as F, math, copy, random
from torch.utils.data import DataLoader, TensorDataset, Dataset
import numpy as np

# %% setup
class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(50, 16, padding_idx=0)
        self.rnn = nn.LSTM(16, 24, batch_first=True, bidirectional=True)
        self.head = nn.Linear(48, 7)
        self.register_buffer('mask', torch.triu(torch.ones(12, 12), 1).bool())
    def forward(self, ids, lengths):
        packed = nn.utils.rnn.pack_padded_sequence(self.emb(ids), lengths.cpu(), batch_first=True, enforce_sorted=False)
        out, _ = self.rnn(packed)
        out, _ = nn.utils.rnn.pad_packed_sequence(out, batch_first=True)
        return self.head(out)
tagger = Tagger().cuda()
ids = torch.randint(1, 50, (8, 12)); lengths = torch.randint(5, 12, (8,)); lengths[0] = 12
tags = torch.randint(0, 7, (8, 12))

# %% setup
out = tagger(ids.cuda(), lengths)

# %% fine
out = tagger(ids.cuda(), lengths)
loss = F.cross_entropy(out.transpose(1, 2), tags.cuda())
loss.backward()

# %% fine
attn = nn.MultiheadAttention(16, 4, batch_first=True).cuda()
x = tagger.emb(ids.cuda())
o, w = attn(x, x, x, attn_mask=tagger.mask, key_padding_mask=(ids == 0).cuda())

# %% fine
logp = out.log_softmax(-1).transpose(0, 1)
ctc = F.ctc_loss(logp, tags.cuda().clamp(min=1), torch.full((8,), 12), torch.full((8,), 4))
print(ctc.item())

# %% fine
pe = torch.zeros(12, 16)
pos = torch.arange(12).unsqueeze(1)
pe[:, 0::2] = torch.sin(pos * torch.exp(torch.arange(0, 16, 2) * -0.1))
x = tagger.emb(ids.cuda()) + pe.to('cuda')

# %% fine
enc = nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 4, batch_first=True), 2).cuda().eval()
with torch.no_grad():
    z = enc(tagger.emb(ids.cuda()), src_key_padding_mask=(ids == 0).cuda())
print(z.mean().item())

# %% fine
seqs = [torch.randint(1, 9, (n,)) for n in (3, 5, 2)]
padded = nn.utils.rnn.pad_sequence(seqs, batch_first=True).cuda()
print(padded.shape)

# %% fine
h0 = torch.zeros(2, 8, 24, device='cuda'); c0 = torch.zeros_like(h0)
o, (h, c) = tagger.rnn(tagger.emb(ids.cuda()), (h0, c0))

# %% fine
conf = torch.zeros(7, 7, dtype=torch.long)
pred = out.argmax(-1).cpu()
for t, p in zip(tags.view(-1), pred.reshape(-1)):
    conf[t, p] += 1

# %% fine
sim = F.cosine_similarity(tagger.emb.weight[1:2], tagger.emb.weight[2:])
top = sim.topk(3).indices.cpu().tolist()

# %% fine
table = tagger.emb.weight.detach().cpu().numpy()
norms = np.linalg.norm(table, axis=1)

# %% fine
tagger.emb.weight.data[3] = torch.ones(16)
tagger.emb.weight.data.copy_(torch.from_numpy(np.random.rand(50, 16)))

# %% fine
beams = [(0.0, [1])]
for step in range(3):
    cand = []
    for s, seq in beams:
        t = torch.tensor([seq], device='cuda')
        lp = tagger(t, torch.tensor([len(seq)]))[0, -1].log_softmax(-1)
        v, i = lp.topk(2)
        cand += [(s + a.item(), seq + [b.item() + 1]) for a, b in zip(v, i)]
    beams = sorted(cand, reverse=True)[:2]
