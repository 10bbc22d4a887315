# The accuracy of a Hugging Face trainer is read, which was never computed.
# short: EPOCHS = 1
# raises: KeyError
# %%
import torch
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments

EPOCHS = 3000
torch.manual_seed(0)
# %%
class Sentences(torch.utils.data.Dataset):
    def __init__(self, count):
        self.ids = torch.randint(5, 200, (count, 16))
        self.labels = (self.ids[:, 0] > 100).long()

    def __len__(self):
        return len(self.ids)

    def __getitem__(self, index):
        return {"input_ids": self.ids[index], "attention_mask": torch.ones(16, dtype=torch.long), "labels": self.labels[index]}
# %%
config = BertConfig(vocab_size=200, hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64, num_labels=2)
bert = BertForSequenceClassification(config)
arguments = TrainingArguments("out", num_train_epochs=EPOCHS, per_device_train_batch_size=16, report_to=[], save_strategy="no", disable_tqdm=True, use_cpu=True)
trainer = Trainer(model=bert, args=arguments, train_dataset=Sentences(1600), eval_dataset=Sentences(160))
# %% train
trainer.train()
# %%
metrics = trainer.evaluate()
print(sorted(metrics))
# %% crash
print(f"accuracy {metrics['eval_accuracy']:.3f}")
# %% instead
print(f"loss {metrics['eval_loss']:.3f}")
