"""Plain language modelling that works, for every architecture that reads tokens."""

from torch import nn

from kit import logs, optimizers, options, tasks

o = options.read(architecture="decoder", lr=2e-3, evaluate=60, finish="yes", wide=48)

task = tasks.make(o.architecture, o.seed, width=o.wide)
model, optimizer = task.model, optimizers.make(o.optimizer, task.model.parameters(), o.lr)
log = logs.open_log(o.format, options.config(o, vocab_size=task.vocab))
for step in range(o.steps):
    loss = task.loss(model, task.batch(o.batch))
    optimizer.zero_grad()
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    if step % o.every == 0:
        log.train(step, loss=loss.item(), grad_norm=norm.item(), lr=o.lr)
    if o.evaluate and step % o.evaluate == o.evaluate - 1:
        held_out, accuracy = task.evaluate(model)
        log.eval(step, loss=held_out, accuracy=accuracy)
log.close()
if o.finish == "yes":
    print("training finished")
