"""A Lightning module around a task, logged by CSVLogger, or by TensorBoard."""

import lightning as L
import torch
from lightning.pytorch.loggers import CSVLogger, TensorBoardLogger

from . import optimizers


class Module(L.LightningModule):
    def __init__(self, model, loss, learning_rate, optimizer="adamw", schedule=None):
        super().__init__()
        self.save_hyperparameters("learning_rate", "optimizer")
        self.net, self.loss_of, self.schedule = model, loss, schedule

    def training_step(self, batch, _):
        loss = self.loss_of(self.net, batch)
        self.log("train_loss", loss, prog_bar=True)
        return loss

    def on_before_optimizer_step(self, optimizer):
        norms = [p.grad.norm() for p in self.parameters() if p.grad is not None]
        self.log("grad_norm", torch.stack(norms).norm())

    def validation_step(self, batch, _):
        logits = self.net(batch[0])
        self.log("val_loss", self.loss_of(self.net, batch), prog_bar=True)
        if logits.ndim == 2 and batch[1].ndim == 1:
            self.log("val_acc", (logits.argmax(-1) == batch[1]).float().mean(), prog_bar=True)

    def configure_optimizers(self):
        optimizer = optimizers.make(self.hparams.optimizer, self.parameters(), self.hparams.learning_rate)
        if not self.schedule:
            return optimizer
        return {"optimizer": optimizer, "lr_scheduler": {"scheduler": self.schedule(optimizer), "interval": "step"}}


def loader(inputs, labels, batch=32, shuffle=True):
    return torch.utils.data.DataLoader(torch.utils.data.TensorDataset(inputs, labels), batch, shuffle=shuffle)


def trainer(steps, every=5, logger="csv", callbacks=None, **arguments):
    chosen = CSVLogger(".", name="lightning_logs") if logger == "csv" else TensorBoardLogger(".", name="lightning_logs")
    settings = {"accelerator": "cpu", "enable_checkpointing": False, "enable_progress_bar": False, **arguments}
    return L.Trainer(max_steps=steps, log_every_n_steps=every, logger=chosen, callbacks=callbacks, **settings)
