# A module of Lightning is tested that has no test step.
# short: EPOCHS = 2
# raises: MisconfigurationException
# %%
import lightning as L
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

EPOCHS = 10_000
# %%
class Classifier(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(32, 128), nn.ReLU(), nn.Linear(128, 4))

    def training_step(self, batch, index):
        x, y = batch
        loss = nn.functional.cross_entropy(self.net(x), y)
        self.log("train_loss", loss)
        return loss

    def validation_step(self, batch, index):
        x, y = batch
        self.log("val_loss", nn.functional.cross_entropy(self.net(x), y))

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=1e-3)
# %%
def made(count):
    x = torch.randn(count, 32)
    return DataLoader(TensorDataset(x, x[:, :4].argmax(dim=1)), batch_size=32)

train, valid, test = made(6400), made(320), made(320)
# %% train
module = Classifier()
trainer = L.Trainer(max_epochs=EPOCHS, logger=False, enable_checkpointing=False, enable_progress_bar=False, accelerator="cpu")
trainer.fit(module, train, valid)
# %% crash
trainer.test(module, test)
# %% instead
trainer.validate(module, test)
