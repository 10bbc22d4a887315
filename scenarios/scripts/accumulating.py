"""A loop that never clears its gradients: every step adds the new ones to all that came before."""

from torch import nn

from kit import logs, optimizers, options, tasks

o = options.read(steps=300)

task = tasks.make(o.architecture, o.seed)
model, optimizer = task.model, optimizers.make(o.optimizer, task.model.parameters(), o.lr)
log = logs.open_log(o.format, options.config(o, max_grad_norm=0))
for step in range(o.steps):
    loss = task.loss(model, task.batch(o.batch))
    loss.backward()
    norm = nn.utils.get_total_norm([p.grad for p in model.parameters() if p.grad is not None])
    optimizer.step()
    if step % o.every == 0:
        log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=o.lr)
    if step % 60 == 59:
        held_out, accuracy = task.evaluate(model)
        log.eval(step, loss=held_out, accuracy=accuracy)
log.close()
