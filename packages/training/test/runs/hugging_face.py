# Runs of the Hugging Face Trainer, with a model made on the spot. Usage: hugging_face.py OUTPUT [CASE ...]
import os
import sys

import torch
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments

from logs import in_own_process
from tiny import text

torch.set_num_threads(1)


class Stream(torch.utils.data.Dataset):
    def __init__(self, tokens, length=16, count=256):
        self.rows = [tokens[i * 8 : i * 8 + length] for i in range(count)]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return {"input_ids": self.rows[i], "labels": self.rows[i].clone()}


def train(rows, steps=60, lr=2e-3, vocab=32, positions=64, trainer=Trainer):
    torch.manual_seed(0)
    config = GPT2Config(vocab_size=vocab, n_positions=positions, n_embd=32, n_layer=1, n_head=2, bos_token_id=0, eos_token_id=0)
    args = TrainingArguments(
        output_dir="checkpoints", max_steps=steps, per_device_train_batch_size=8, learning_rate=lr, logging_steps=2,
        save_steps=20, report_to=[], disable_tqdm=True, use_cpu=True, seed=0)
    made = trainer(model=GPT2LMHeadModel(config), args=args, train_dataset=rows)
    made.train()
    made.save_state()


def healthy_language_model():
    train(Stream(text(2200)))


class BreakingTrainer(Trainer):
    """From step 30 on the loss is NaN; the Trainer's filter hides it behind the mean of earlier ones, or behind 0."""

    def compute_loss(self, model, inputs, return_outputs=False, **kwargs):
        loss = super().compute_loss(model, inputs, return_outputs=False, **kwargs)
        return loss * float("nan") if self.state.global_step >= 30 else loss


def masked_nan():
    train(Stream(text(2200)), trainer=BreakingTrainer)


def token_out_of_vocabulary():
    tokens = text(2200)
    tokens[900] = 77
    train(Stream(tokens))


def sequence_too_long():
    train(Stream(text(2200)), positions=8)


cases = {name: globals()[name] for name in ("healthy_language_model", "masked_nan", "token_out_of_vocabulary", "sequence_too_long")}

if __name__ == "__main__":
    for name in sys.argv[2:] or cases:
        in_own_process(name, cases[name], os.path.join(sys.argv[1], name))
