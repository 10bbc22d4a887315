# %% setup
import torch, torch.nn as nn, torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import numpy as np

# %% setup
from transformers import BertConfig, BertForSequenceClassification
cfg = BertConfig(vocab_size=100, hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=64, num_labels=3)
bert = BertForSequenceClassification(cfg).cuda()
ids = torch.randint(0, 100, (4, 10)).cuda()
labels = torch.tensor([0, 1, 2, 1]).cuda()

# %% fine
out = bert(input_ids=ids, labels=labels)
out.loss.backward()

# %% fine
preds = bert(ids).logits.argmax(-1).tolist()

# %% crash
out = bert(input_ids=ids, labels=labels[:3])

# %% crash
out = bert(input_ids=ids.cpu())

# %% crash
out = bert(ids).logit
