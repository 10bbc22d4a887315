"""Nearly all rows are of one class: the model answers that class alone, and only the balanced score shows it."""

import torch
from torch import nn

from kit import data, logs, models, optimizers, options

o = options.read(share=0.01, steps=240)

rows, labels = data.table(6000, 12, 2, o.seed, noise=4.0)
rare = (labels == 1) & (torch.rand(6000, generator=data.generator(o.seed)) < 2 * o.share)
kept = (labels == 0) | rare
rows, labels = rows[kept], labels[kept]
print(f"class counts: {torch.bincount(labels).tolist()}")
model = models.mlp(12, 2)
optimizer = optimizers.make(o.optimizer, model.parameters(), o.lr)
log = logs.open_log(o.format, options.config(o, num_classes=2, class_counts=torch.bincount(labels).tolist()))
for step in range(o.steps):
    batch = torch.randint(0, len(labels) - 800, (o.batch,))
    loss = nn.functional.cross_entropy(model(rows[batch]), labels[batch])
    optimizer.zero_grad()
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    if step % o.every == 0:
        log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=o.lr)
    if step % 30 == 29:
        with torch.no_grad():
            answers, truth = model(rows[-800:]).argmax(1), labels[-800:]
        recall = [(answers[truth == c] == c).float().mean().item() for c in (0, 1)]
        log.eval(step, accuracy=(answers == truth).float().mean().item(), recall_rare=recall[1], balanced_accuracy=sum(recall) / 2)
log.close()
