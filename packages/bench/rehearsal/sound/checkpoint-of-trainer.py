# The checkpoint of a late step of a Hugging Face trainer is loaded.
# short: STEPS = 40
# %%
import torch
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments

STEPS = 300_000
ids = torch.randint(0, 100, (1600, 16))
rows = [{"input_ids": row, "labels": row} for row in ids]
model = GPT2LMHeadModel(GPT2Config(vocab_size=100, n_positions=16, n_embd=32, n_layer=2, n_head=2))
arguments = TrainingArguments("out", max_steps=STEPS, per_device_train_batch_size=8, save_steps=STEPS // 2, report_to=[], disable_tqdm=True, use_cpu=True)
trainer = Trainer(model=model, args=arguments, train_dataset=rows)
# %% train
trainer.train()
# %%
middle = GPT2LMHeadModel.from_pretrained(f"out/checkpoint-{STEPS // 2}")
print(middle(input_ids=ids[:1]).logits.shape, trainer.state.global_step == STEPS)
