"""A language model of thousands of words: perplexity in the thousands at first, and falling all the time."""

from torch import nn

from kit import logs, optimizers, options, tasks

o = options.read(architecture="lstm", lr=3e-3, batch=16, vocab=3000, steps=200)

task = tasks.make(o.architecture, o.seed, vocab=o.vocab, order=0.7, length=20_000)
model, optimizer = task.model, optimizers.make(o.optimizer, task.model.parameters(), o.lr)
log = logs.open_log(o.format, options.config(o, vocab_size=o.vocab))
for step in range(o.steps):
    loss = task.loss(model, task.batch(o.batch))
    optimizer.zero_grad()
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    if step % o.every == 0:
        log.train(step, loss=loss.item(), perplexity=loss.exp().item(), grad_norm=norm.item(), lr=o.lr)
log.close()
