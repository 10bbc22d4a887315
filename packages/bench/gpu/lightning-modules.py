# %% setup
import torch, torch.nn as nn, torch.nn.functional as F
import pytorch_lightning as pl
import torchmetrics
from torch.utils.data import DataLoader, TensorDataset

# %% setup
pl.seed_everything(7)
class Lit(pl.LightningModule):
    def __init__(self, width=8, classes=3):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(width, 16), nn.ReLU(), nn.Linear(16, classes))
        self.accuracy = torchmetrics.Accuracy(task='multiclass', num_classes=classes)
        self.centre = torch.zeros(width)
    def forward(self, x):
        return self.net(x)
    def training_step(self, batch, i):
        x, y = batch
        loss = F.cross_entropy(self(x), y)
        self.log('train_loss', loss)
        return loss
    def validation_step(self, batch, i):
        x, y = batch
        self.log('val_acc', self.accuracy(self(x), y))
    def predict_step(self, batch, i):
        return self(batch[0] - self.centre)
    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), 1e-2)
class Forgets(Lit):
    def training_step(self, batch, i):
        x, y = batch
        weight = torch.ones(3)
        return F.cross_entropy(self(x), y, weight=weight)
class NoGradient(Lit):
    def training_step(self, batch, i):
        x, y = batch
        return F.cross_entropy(self(x).detach(), y)
def loader(width=8, classes=3, n=48):
    return DataLoader(TensorDataset(torch.randn(n, width), torch.randint(0, classes, (n,))), batch_size=16)
def trainer(**more):
    return pl.Trainer(max_epochs=1, accelerator='gpu', devices=1, logger=False, enable_checkpointing=False,
                      enable_progress_bar=False, enable_model_summary=False, **more)
lit = Lit()

# %% setup
trainer().fit(lit, loader(), loader())
x = torch.randn(4, 8)

# %% fine
t = trainer()
t.fit(lit, loader(), loader())
print(t.callback_metrics['val_acc'].item())

# %% crash
t = trainer()
t.fit(Forgets(), loader(), loader())

# %% fine
t = trainer(precision='bf16-mixed')
t.fit(Lit(), loader(), loader())

# %% crash
trainer().fit(NoGradient(), loader())

# %% crash
out = trainer().predict(lit, loader())

# %% fine
lit.centre = lit.centre.to('cuda')
out = trainer().predict(lit, loader())
print(len(out), out[0].shape)

# %% crash
lit = lit.to('cuda')
out = lit(x)

# %% fine
lit = lit.to('cuda')
out = lit(x.to(lit.device))

# %% crash
trainer().fit(Lit(width=8), loader(width=9), loader())

# %% crash
print(trainer().validate(lit, loader())[0]['val_loss'])

# %% fine
print(trainer().validate(lit, loader())[0]['val_acc'])

# %% crash
lit = lit.to('cuda')
metric = torchmetrics.Accuracy(task='multiclass', num_classes=3)
metric.update(lit(x.cuda()), torch.zeros(4, dtype=torch.long).cuda())

# %% fine
lit = lit.to('cuda')
metric = torchmetrics.Accuracy(task='multiclass', num_classes=3).to('cuda')
metric.update(lit(x.cuda()), torch.zeros(4, dtype=torch.long).cuda())
print(metric.compute())
