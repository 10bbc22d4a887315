# The file of metrics that Lightning writes is read after the run.
# short: EPOCHS = 2
# %%
import lightning as L
import pandas as pd
import torch
from lightning.pytorch.loggers import CSVLogger
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

EPOCHS = 5000

class Module(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = nn.Sequential(nn.Linear(32, 128), nn.ReLU(), nn.Linear(128, 1))

    def training_step(self, batch, index):
        x, y = batch
        loss = nn.functional.mse_loss(self.layer(x), y)
        self.log("loss", loss, on_epoch=True)
        return loss

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())
# %%
x = torch.randn(6400, 32)
loader = DataLoader(TensorDataset(x, x[:, :1]), batch_size=32)
logger = CSVLogger("logs", name="run", version=0)
# %% train
trainer = L.Trainer(max_epochs=EPOCHS, logger=logger, log_every_n_steps=10, enable_checkpointing=False, enable_progress_bar=False, accelerator="cpu")
trainer.fit(Module(), loader)
# %%
metrics = pd.read_csv("logs/run/version_0/metrics.csv")
print(metrics["loss_epoch"].dropna().iloc[-1])
