"""Plain classification that works: pictures, tables, texts."""

from torch import nn

from kit import logs, optimizers, options, tasks

o = options.read(architecture="cnn", lr=2e-3, evaluate=60, norms="yes")

task = tasks.make(o.architecture, o.seed)
model, optimizer = task.model, optimizers.make(o.optimizer, task.model.parameters(), o.lr)
log = logs.open_log(o.format, options.config(o, num_classes=task.classes))
for step in range(o.steps):
    inputs, labels = task.batch(o.batch)
    logits = model(inputs)
    loss = nn.functional.cross_entropy(logits, labels)
    optimizer.zero_grad()
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), 5.0)
    optimizer.step()
    if step % o.every == 0:
        accuracy = (logits.argmax(-1) == labels).float().mean().item()
        log.train(step, loss=loss.item(), accuracy=accuracy, lr=o.lr, **({"grad_norm": norm.item()} if o.norms == "yes" else {}))
    if step % o.evaluate == o.evaluate - 1:
        held_out, accuracy = task.evaluate(model)
        log.eval(step, loss=held_out, accuracy=accuracy)
log.close()
print(f"done: {o.steps} steps, accuracy {accuracy:.3f}")
