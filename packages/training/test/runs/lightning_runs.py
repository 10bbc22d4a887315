# Runs of Lightning with its CSV logger. Usage: lightning_runs.py OUTPUT [CASE ...]
import os
import sys

import lightning as L
import torch
from lightning.pytorch.loggers import CSVLogger
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

from logs import in_own_process
from tiny import blobs, mlp

torch.set_num_threads(1)


class Classifier(L.LightningModule):
    def __init__(self, lr=1e-2, classes=4, optimizer="adamw"):
        super().__init__()
        self.save_hyperparameters()
        self.net = mlp(16, classes)

    def training_step(self, batch, _):
        x, y = batch
        out = self.net(x)
        loss = F.cross_entropy(out, y)
        self.log("train_loss", loss)
        self.log("train_acc", (out.argmax(1) == y).float().mean())
        return loss

    def validation_step(self, batch, _):
        x, y = batch
        out = self.net(x)
        self.log("val_loss", F.cross_entropy(out, y))
        self.log("val_acc", (out.argmax(1) == y).float().mean())

    def configure_optimizers(self):
        if self.hparams.optimizer == "sgd":
            return torch.optim.SGD(self.parameters(), lr=self.hparams.lr)
        return torch.optim.AdamW(self.parameters(), lr=self.hparams.lr)


def fit(model, data, epochs=6):
    L.seed_everything(0)
    x, y = data
    trainer = L.Trainer(
        max_epochs=epochs, logger=CSVLogger(".", name="lightning_logs", flush_logs_every_n_steps=5), accelerator="cpu",
        log_every_n_steps=2, enable_progress_bar=False, enable_checkpointing=False, enable_model_summary=False)
    trainer.fit(model, DataLoader(TensorDataset(x[:384], y[:384]), batch_size=32, shuffle=True),
                DataLoader(TensorDataset(x[384:], y[384:]), batch_size=64))


def healthy_classifier():
    fit(Classifier(), blobs())


def rate_too_high():
    fit(Classifier(lr=1e6, optimizer="sgd"), blobs(spread=3.0))


def wrong_number_of_classes():
    fit(Classifier(classes=3), blobs())


cases = {name: globals()[name] for name in ("healthy_classifier", "rate_too_high", "wrong_number_of_classes")}

if __name__ == "__main__":
    for name in sys.argv[2:] or cases:
        in_own_process(name, cases[name], os.path.join(sys.argv[1], name))
