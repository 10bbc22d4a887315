"""The Trainer replaces a NaN loss in its log by zero: that something became NaN is all that its state tells."""

import torch

from kit import hugging_face as hf
from kit import options

o = options.read(kind="overflow", steps=120, at=2, every=60)


class Odd(torch.nn.Module):
    """A language model around GPT-2 with one more term in its loss."""

    def __init__(self):
        super().__init__()
        self.inner, self.calls = hf.gpt2(), 0

    def forward(self, input_ids, labels):
        out = self.inner(input_ids=input_ids, labels=labels)
        self.calls += 1
        if self.calls > o.at:
            term = {"logarithm": torch.log(-out.loss), "overflow": out.loss * float("inf")}[o.kind]
            out.loss = out.loss + 0.1 * term
        return out


trainer = hf.trainer(Odd(), hf.text_windows(800, o.seed), o.lr, o.steps, 8, every=o.every, save_strategy="no")
trainer.train()
trainer.save_state()
