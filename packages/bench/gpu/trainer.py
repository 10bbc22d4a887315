# %% setup
import torch, torch.nn as nn, torch.nn.functional as F, math, copy, random
from torch.utils.data import DataLoader, TensorDataset, Dataset
import numpy as np

# %% setup
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments
cfg = BertConfig(vocab_size=60, hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32, num_labels=2)
bert = BertForSequenceClassification(cfg)
data = [{'input_ids': torch.randint(0, 60, (8,)), 'labels': torch.tensor(i % 2)} for i in range(32)]
args = TrainingArguments(output_dir='hf', max_steps=3, per_device_train_batch_size=8, report_to=[], disable_tqdm=True, save_strategy='no')
trainer = Trainer(model=bert, args=args, train_dataset=data)
torch.ones(1).cuda()

# %% fine
trainer.train()

# %% fine
out = trainer.predict(data[:8])
print(out.predictions.shape)

# %% crash
print(trainer.state.log_history[-1]['eval_loss'])

# %% fine
from accelerate import Accelerator
acc = Accelerator()
m, o = acc.prepare(nn.Linear(4, 2), torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=.1))
print(acc.device)

# %% fine
x = torch.randn(4, 3, device='cuda', requires_grad=True)
xn = (x * 2).detach().cpu().numpy()
back = torch.as_tensor(xn, device='cuda')
assert torch.allclose(back, x * 2)

# %% fine
d = torch.distributions.Normal(torch.zeros(3, device='cuda'), torch.ones(3, device='cuda'))
s = d.rsample((4,))
print(d.log_prob(s).sum().item())

# %% fine
i = torch.tensor([[0, 1], [1, 0]], device='cuda')
sp = torch.sparse_coo_tensor(i, torch.ones(2, device='cuda'), (2, 2))
print(torch.sparse.mm(sp, torch.ones(2, 2, device='cuda')))

# %% fine
u, s, v = torch.linalg.svd(torch.randn(5, 5, device='cuda'))
print((u @ torch.diag(s) @ v).shape)

# %% fine
kernel = torch.tensor([[1., 0, -1]]).view(1, 1, 1, 3)
img = torch.rand(1, 1, 8, 8, device='cuda')
edges = F.conv2d(img, kernel.to(img), padding=(0, 1))

# %% fine
grid = F.affine_grid(torch.eye(2, 3).unsqueeze(0).cuda(), (1, 1, 8, 8), align_corners=False)
w = F.grid_sample(torch.rand(1, 1, 8, 8).cuda(), grid, align_corners=False)
