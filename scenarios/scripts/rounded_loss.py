"""Two decimals of a smoothed loss once per epoch: it stands still, and nothing else was kept."""

from torch import nn

from kit import options, optimizers, tasks

o = options.read(kind="rate", epochs=10, each=30, unit="epoch")

task = tasks.make(o.architecture, o.seed)
model = task.model
if o.kind == "deep":
    model = nn.Sequential(*[part for _ in range(14) for part in (nn.Linear(16, 16), nn.Sigmoid())], nn.Linear(16, 10))
if o.kind == "labels":
    task.labels = task.labels.roll(1)
optimizer = optimizers.make(o.optimizer, model.parameters(), 1e-8 if o.kind == "rate" else o.lr)
smooth = None
for epoch in range(o.epochs):
    for _ in range(o.each):
        loss = task.loss(model, task.batch(o.batch))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        smooth = loss.item() if smooth is None else 0.98 * smooth + 0.02 * loss.item()
    print(f"{o.unit} {epoch + 1}/{o.epochs} loss={smooth:.2f}", flush=True)
