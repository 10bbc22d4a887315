"""The Hugging Face trainer and Lightning on a GPU: out of memory, bad ids, half precision, and two ranks on one card."""

import argparse
import os

import torch
from torch import nn

from kit import data, models

parser = argparse.ArgumentParser()
parser.add_argument("--kind", required=True)
parser.add_argument("--framework", default="transformers")
parser.add_argument("--optimizer", default="adamw")
parser.add_argument("--limit", type=float, default=1.0)
parser.add_argument("--seed", type=int, default=0)
options = parser.parse_args()

torch.manual_seed(options.seed)
if options.limit < 1:
    torch.cuda.set_per_process_memory_fraction(options.limit)
vocab, context = 256, 64


class Windows(torch.utils.data.Dataset):
    """Windows of a token stream; `spoil` changes one of them."""

    def __init__(self, count, spoil=None, long=None):
        stream = data.token_stream(count * 8 + context, vocab, options.seed)
        self.items = [stream[i * 8 : i * 8 + context].clone() for i in range(count)]
        if spoil is not None:
            self.items[spoil][5] = vocab + 100

    def __len__(self):
        return len(self.items)

    def __getitem__(self, index):
        return {"input_ids": self.items[index], "labels": self.items[index]}


def hugging_face(batch=16, steps=120, width=64, spoil=None, lr=5e-4, **arguments):
    from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments

    model = GPT2LMHeadModel(GPT2Config(vocab_size=vocab, n_positions=context, n_embd=width, n_layer=2, n_head=4))
    trainer = Trainer(
        model=model,
        args=TrainingArguments(
            output_dir="out",
            max_steps=steps,
            per_device_train_batch_size=batch,
            learning_rate=lr,
            logging_steps=5,
            save_steps=40,
            report_to=[],
            seed=options.seed,
            **arguments,
        ),
        train_dataset=Windows(3000, spoil),
    )
    trainer.train()


def lightning(batch=32, classes=10, shift=0, width=16, precision="32-true", lr=1e-3, steps=120):
    import lightning as L
    from lightning.pytorch.loggers import CSVLogger

    class Classifier(L.LightningModule):
        def __init__(self, learning_rate, width):
            super().__init__()
            self.save_hyperparameters()
            self.net = models.cnn(classes, width)

        def training_step(self, batch, _):
            pictures, labels = batch
            loss = nn.functional.cross_entropy(self.net(pictures), labels)
            self.log("train_loss", loss)
            return loss

        def configure_optimizers(self):
            return torch.optim.AdamW(self.parameters(), lr=self.hparams.learning_rate)

    pictures, labels = data.images(4000, classes, options.seed)
    loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(pictures, labels + shift), batch, shuffle=True)
    trainer = L.Trainer(
        max_steps=steps,
        accelerator="gpu",
        devices=1,
        precision=precision,
        log_every_n_steps=5,
        logger=CSVLogger(".", name="lightning_logs"),
        enable_checkpointing=False,
        enable_model_summary=True,
    )
    trainer.fit(Classifier(lr, width), loader)


def two_ranks():
    """Two NCCL ranks that were given the same card."""
    torch.distributed.init_process_group("nccl")
    torch.cuda.set_device(0)
    model = nn.parallel.DistributedDataParallel(models.mlp(16, 4).cuda(), device_ids=[0])
    rows, labels = data.table(256, 16, 4, options.seed)
    loss = nn.functional.cross_entropy(model(rows.cuda()), labels.cuda())
    loss.backward()
    print(f"rank {os.environ['RANK']} loss {loss.item():.4f}")


if options.kind == "hf-healthy":
    hugging_face(bf16=True)
elif options.kind == "hf-oom":
    hugging_face(batch=2048, width=512)
elif options.kind == "hf-oov":
    hugging_face(spoil=700)
elif options.kind == "hf-diverge":
    hugging_face(lr=3.0, fp16=True, max_grad_norm=0.0)
elif options.kind == "lightning-healthy":
    lightning(precision="bf16-mixed")
elif options.kind == "lightning-oom":
    lightning(batch=4000, width=512)
elif options.kind == "lightning-labels":
    lightning(shift=1)
elif options.kind == "lightning-fp16-diverge":
    lightning(precision="16-true", lr=30.0)
elif options.kind == "two-ranks":
    two_ranks()
else:
    raise SystemExit(f"unknown kind {options.kind}")
