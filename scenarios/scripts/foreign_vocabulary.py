"""A model and a tokenizer that do not belong together: added tokens without a resize, or another order of the same words."""

import torch
from torch import nn

from kit import data, logs, options, optimizers, tasks

o = options.read(kind="added-tokens", steps=120, architecture="decoder")

words = [f"w{i:02d}" for i in range(60)]


def tokenizer(order, special):
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    vocab = {word: i for i, word in enumerate(["[UNK]", *order])}
    inner = Tokenizer(models.WordLevel(vocab, unk_token="[UNK]"))
    inner.pre_tokenizer = pre_tokenizers.Whitespace()
    made = PreTrainedTokenizerFast(tokenizer_object=inner, unk_token="[UNK]")
    if special:
        made.add_special_tokens({"pad_token": "<pad>", "additional_special_tokens": ["<user>", "<assistant>", "<end>"]})
    return made


def sentences(count, context=16):
    stream = data.token_stream(count * 4 + context, 60, o.seed)
    return [" ".join(words[i] for i in window) for window in stream.unfold(0, context, 4)[:count].tolist()]


def added_tokens():
    """The chat template's tokens get ids beyond the embedding; nobody called resize_token_embeddings."""
    from kit import hugging_face as hf

    chosen = tokenizer(words, special=True)
    print(f"tokenizer: {len(chosen)} tokens ({chosen.vocab_size} without added ones); model: vocab_size=61")
    texts = [f"<user> {text} <assistant> {text} <end>" for text in sentences(600)]
    rows = hf.Rows([{"input_ids": torch.tensor(ids), "labels": torch.tensor(ids)} for ids in chosen(texts)["input_ids"]])
    hf.trainer(hf.gpt2(vocab=61, context=48), rows, o.lr, o.steps, every=5).train()


def other_order():
    """A checkpoint trained with one order of the vocabulary goes on with another: worse than guessing."""
    task = tasks.make(o.architecture, o.seed)
    model, optimizer = task.model, optimizers.make(o.optimizer, task.model.parameters(), 3e-3)
    for _ in range(140):
        loss = task.loss(model, task.batch(o.batch))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    torch.save(model.state_dict(), "pretrained.pt")
    model.load_state_dict(torch.load("pretrained.pt"))
    task.stream = torch.randperm(task.vocab, generator=data.generator(77))[task.stream]
    optimizer = optimizers.make(o.optimizer, model.parameters(), o.lr)
    log = logs.open_log(o.format, options.config(o, vocab_size=task.vocab, init_from="pretrained.pt", tokenizer="v2"))
    print(f"loaded pretrained.pt; vocab_size {task.vocab}; loss of guessing {torch.tensor(float(task.vocab)).log():.2f}")
    for step in range(o.steps):
        loss = task.loss(model, task.batch(o.batch))
        optimizer.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % o.every == 0:
            log.train(step, loss=loss.item(), perplexity=loss.exp().item(), grad_norm=norm.item(), lr=o.lr)
    log.close()


{"added-tokens": added_tokens, "other-order": other_order}[o.kind]()
