"""Attention with a width that was swept without the number of heads."""

from torch import nn

from kit import data, logs, models, optimizers, options

o = options.read(width=50, heads=4, steps=60)


class SelfAttention(nn.Module):
    """Written by hand: the heads are cut out of the width."""

    def __init__(self, vocab):
        super().__init__()
        self.tokens, self.qkv, self.head = nn.Embedding(vocab, o.width), nn.Linear(o.width, 3 * o.width), nn.Linear(o.width, vocab)

    def forward(self, ids):
        batch, length = ids.shape
        size = o.width // o.heads
        q, k, v = (part.view(batch, length, o.heads, size).transpose(1, 2) for part in self.qkv(self.tokens(ids)).chunk(3, -1))
        mixed = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.head(mixed.transpose(1, 2).reshape(batch, length, o.width))


def loop():
    log = logs.open_log(o.format, options.config(o, n_embd=o.width, n_head=o.heads))
    if o.architecture == "vit":
        model = models.VisionTransformer(10, width=o.width, heads=o.heads)
    elif o.architecture == "encoder-decoder":
        model = models.EncoderDecoder(64, width=o.width, heads=o.heads)
    else:
        model = SelfAttention(64)
    optimizer = optimizers.make(o.optimizer, model.parameters(), o.lr)
    stream = data.token_stream(4000, 64, o.seed)
    for step, (tokens, targets) in enumerate(data.token_batches(stream, o.batch, 24, o.steps, o.seed)):
        loss = nn.functional.cross_entropy(model(tokens).flatten(0, 1), targets.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        log.train(step, loss=loss.item(), lr=o.lr)
    log.close()


def hugging_face():
    from kit import hugging_face as hf
    from kit import tasks

    if o.architecture == "encoder":
        model = hf.bert(width=o.width)
        rows = hf.text_classes(tasks.make("encoder", o.seed))
    else:
        model, rows = hf.gpt2(width=o.width), hf.text_windows(400, o.seed)
    hf.trainer(model, rows, o.lr, o.steps).train()


{"pytorch": loop, "transformers": hugging_face}[o.framework]()
