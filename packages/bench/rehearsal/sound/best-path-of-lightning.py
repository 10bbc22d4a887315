# The best checkpoint of Lightning is loaded; one is written in every tenth epoch.
# short: EPOCHS = 20
# %%
import lightning as L
import torch
from lightning.pytorch.callbacks import ModelCheckpoint
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

EPOCHS = 5000

class Module(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(16, 1)
        self.means = []

    def training_step(self, batch, index):
        x, y = batch
        loss = nn.functional.mse_loss(self.layer(x), y)
        self.log("loss", loss, on_epoch=True)
        return loss

    def on_train_epoch_end(self):
        self.means.append(float(self.trainer.callback_metrics["loss"]))

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())
# %%
x = torch.randn(3200, 16)
loader = DataLoader(TensorDataset(x, x[:, :1]), batch_size=32)
keeping = ModelCheckpoint("kept", monitor="loss", every_n_epochs=10)
module = Module()
# %% train
trainer = L.Trainer(max_epochs=EPOCHS, callbacks=[keeping], logger=False, enable_progress_bar=False, accelerator="cpu")
trainer.fit(module, loader)
# %%
best = Module.load_from_checkpoint(keeping.best_model_path)
print(best.layer.weight.shape, module.means[EPOCHS - 1], trainer.current_epoch == EPOCHS)
