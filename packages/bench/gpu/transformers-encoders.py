# %% setup
import torch, torch.nn as nn, torch.nn.functional as F
import numpy as np
from transformers import BertConfig, BertModel, BertForTokenClassification, GPT2Config, GPT2LMHeadModel, ViTConfig, ViTModel

# %% setup
torch.manual_seed(8)
device = 'cuda'
cfg = BertConfig(vocab_size=80, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64,
                 num_labels=5, max_position_embeddings=64)
encoder = BertModel(cfg).to(device).eval()
tagger = BertForTokenClassification(cfg).to(device)
gpt = GPT2LMHeadModel(GPT2Config(vocab_size=80, n_positions=32, n_embd=32, n_layer=1, n_head=2, bos_token_id=0, eos_token_id=1)).to(device)
vit = ViTModel(ViTConfig(image_size=32, patch_size=8, hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=64)).to(device)
ids = torch.randint(2, 80, (4, 20), device=device)
mask = torch.ones(4, 20, dtype=torch.long)
mask[:, 15:] = 0
tags = torch.randint(0, 5, (4, 20), device=device)
head = nn.Linear(32, 3)

# %% setup
hidden = encoder(ids).last_hidden_state
opt = torch.optim.AdamW(tagger.parameters(), 1e-3)

# %% fine
out = tagger(ids, attention_mask=mask.to(device), labels=tags)
out.loss.backward(); opt.step(); opt.zero_grad()
print(out.loss.item())

# %% crash
out = encoder(ids, attention_mask=mask)
pooled = (out.last_hidden_state * mask.unsqueeze(-1)).sum(1)

# %% fine
m = mask.to(device)
out = encoder(ids, attention_mask=m)
pooled = (out.last_hidden_state * m.unsqueeze(-1)).sum(1) / m.sum(1, keepdim=True)

# %% crash
scores = head(encoder(ids).pooler_output)

# %% fine
scores = head.to(device)(encoder(ids).pooler_output)
print(scores.shape)

# %% crash
logits = encoder(ids).logits

# %% crash
out = tagger(ids, labels=tags[:, :10])

# %% crash
vectors = encoder(ids).last_hidden_state[:, 0]
similar = np.dot(vectors, vectors.T)

# %% fine
vectors = encoder(ids).last_hidden_state[:, 0].detach().cpu().numpy()
similar = np.dot(vectors, vectors.T)

# %% crash
pixels = torch.rand(2, 3, 48, 48, device=device)
seen = vit(pixels).last_hidden_state

# %% fine
pixels = torch.rand(2, 3, 32, 32, device=device)
seen = vit(pixels).last_hidden_state
print(seen.shape)

# %% crash
seen = vit(torch.rand(2, 32, 32, 3, device=device))

# %% fine
text = gpt.generate(torch.tensor([[2, 3, 4]]), max_new_tokens=4, do_sample=False)

# %% fine
text = gpt.generate(torch.tensor([[2, 3, 4]], device=device), max_new_tokens=4, do_sample=False)
print(text.tolist())

# %% crash
halved = BertModel(cfg).to(device).half()
out = halved(inputs_embeds=torch.randn(2, 5, 32, device=device))

# %% fine
halved = BertModel(cfg).to(device).half()
out = halved(inputs_embeds=torch.randn(2, 5, 32, device=device).half())

# %% crash
embedded = encoder(ids).hidden_states[-1]

# %% fine
embedded = encoder(ids, output_hidden_states=True).hidden_states[-1]

# %% crash
rows = [r for r in hidden.bfloat16().detach().cpu().numpy()]

# %% fine
rows = [r for r in hidden.bfloat16().detach().cpu().float().numpy()]

# %% crash
long = torch.randint(2, 80, (1, 70), device=device)
out = encoder(long)
print(out.pooler_output.sum().item())
