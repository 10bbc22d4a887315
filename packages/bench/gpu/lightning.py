# %% setup
import torch, torch.nn as nn, torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import numpy as np

# %% setup
import pytorch_lightning as pl
class Lit(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(8, 2)
    def training_step(self, batch, i):
        x, y = batch
        loss = F.cross_entropy(self.net(x), y)
        self.log('train_loss', loss)
        return loss
    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=1e-2)
loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randint(0, 2, (64,))), batch_size=16)
trainer = pl.Trainer(max_epochs=2, accelerator='gpu', devices=1, logger=False, enable_checkpointing=False, enable_progress_bar=False)
lit = Lit()

# %% setup
warm = torch.ones(2, device='cuda')

# %% fine
trainer.fit(lit, loader)

# %% fine
print(trainer.callback_metrics['train_loss'].item())

# %% crash
print(trainer.callback_metrics['val_loss'].item())

# %% crash
bad = DataLoader(TensorDataset(torch.randn(64, 9), torch.randint(0, 2, (64,))), batch_size=16)
pl.Trainer(max_epochs=1, accelerator='gpu', devices=1, logger=False, enable_checkpointing=False, enable_progress_bar=False).fit(lit, bad)
