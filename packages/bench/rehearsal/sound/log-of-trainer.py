# The last entries of the log of a Hugging Face trainer.
# short: EPOCHS = 1
# %%
import torch
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments

EPOCHS = 3000
ids = torch.randint(0, 100, (1600, 16))
rows = [{"input_ids": row, "labels": row} for row in ids]
model = GPT2LMHeadModel(GPT2Config(vocab_size=100, n_positions=16, n_embd=32, n_layer=2, n_head=2))
arguments = TrainingArguments("out", num_train_epochs=EPOCHS, per_device_train_batch_size=16, logging_steps=50, report_to=[], save_strategy="no", disable_tqdm=True, use_cpu=True)
# %% train
trainer = Trainer(model=model, args=arguments, train_dataset=rows)
result = trainer.train()
# %%
losses = [entry["loss"] for entry in trainer.state.log_history if "loss" in entry]
print(losses[0], losses[-1], result.training_loss)
trainer.save_model("fitted")
again = GPT2LMHeadModel.from_pretrained("fitted")
