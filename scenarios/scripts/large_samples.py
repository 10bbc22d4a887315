"""Workers that hand large samples to the training process through shared memory."""

import torch
from torch.utils.data import DataLoader, Dataset

from kit import logs, optimizers, options, tasks

o = options.read(workers=2, pad=40_000, steps=150)


class Padded(Dataset):
    """Every sample carries its full-size picture for the augmentation on the device; later ones are larger."""

    def __init__(self, inputs, labels):
        self.inputs, self.labels = inputs, labels

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        return self.inputs[index], self.labels[index], torch.zeros(o.pad * (1 + index // (8 * o.batch)))


def loop(task, loader):
    model = task.model
    optimizer = optimizers.make(o.optimizer, model.parameters(), o.lr)
    log = logs.open_log(o.format, options.config(o, num_workers=o.workers))
    for step, (inputs, labels, _) in enumerate(loader):
        loss = task.loss(model, (inputs, labels))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        log.train(step, loss=loss.item(), lr=o.lr)
    log.close()


def hugging_face(task, _):
    from kit import hugging_face as hf

    rows = hf.Rows([{"input_ids": x, "labels": y, "pixels": torch.zeros(o.pad)} for x, y in zip(task.inputs, task.labels)])
    trainer = hf.trainer(hf.bert(), rows, o.lr, o.steps, every=2, dataloader_num_workers=o.workers, remove_unused_columns=False)
    trainer.train()


if __name__ == "__main__":
    task = tasks.make(o.architecture, o.seed)
    loader = DataLoader(Padded(task.inputs, task.labels), o.batch, num_workers=o.workers)
    {"pytorch": loop, "transformers": hugging_face}[o.framework](task, loader)
