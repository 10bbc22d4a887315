"""Small models of transformers and its Trainer, as the examples of that library use them."""

import torch

from . import data


class Rows(torch.utils.data.Dataset):
    def __init__(self, rows):
        self.rows = rows

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[index]


def gpt2(vocab=96, context=32, width=48, layers=2, **options):
    from transformers import GPT2Config, GPT2LMHeadModel

    shape = {"n_positions": context, "n_embd": width, "n_layer": layers, "n_head": 4}
    return GPT2LMHeadModel(GPT2Config(vocab_size=vocab, bos_token_id=0, eos_token_id=0, **shape, **options))


def bert(vocab=60, classes=6, context=32, width=48, layers=2, **options):
    from transformers import BertConfig, BertForSequenceClassification

    shape = {"hidden_size": width, "num_hidden_layers": layers, "num_attention_heads": 4, "intermediate_size": 2 * width}
    shape = {"vocab_size": vocab, "max_position_embeddings": context, **shape}
    return BertForSequenceClassification(BertConfig(num_labels=classes, **shape, **options))


def t5(vocab=64, width=48, layers=1, **options):
    from transformers import T5Config, T5ForConditionalGeneration

    shape = {"d_model": width, "d_kv": 12, "d_ff": 96, "num_layers": layers, "num_heads": 4, "decoder_start_token_id": 0}
    return T5ForConditionalGeneration(T5Config(vocab_size=vocab, **shape, **options))


def text_windows(count, seed, vocab=96, context=32):
    stream = data.token_stream(count * 4 + context, vocab, seed)
    return Rows([{"input_ids": w, "labels": w} for w in stream.unfold(0, context, 4)[:count]])


def text_classes(task, part=slice(None, -500)):
    return Rows([{"input_ids": x, "labels": y} for x, y in zip(task.inputs[part], task.labels[part])])


def pairs(count, seed, vocab=64, context=12):
    """Source sentences and the same sentences with other words."""
    stream = data.token_stream(count + context, vocab - 1, seed) + 1
    partner = torch.cat([torch.zeros(1, dtype=torch.long), 1 + torch.randperm(vocab - 1, generator=data.generator(seed))])
    return Rows([{"input_ids": w, "labels": partner[w]} for w in stream.unfold(0, context, 1)[:count]])


def accuracy(prediction):
    logits = prediction.predictions[0] if isinstance(prediction.predictions, tuple) else prediction.predictions
    return {"accuracy": float((logits.argmax(-1) == prediction.label_ids).mean())}


def trainer(model, rows, lr, steps, batch=16, every=5, held_out=None, save=60, callbacks=None, **arguments):
    from transformers import Trainer, TrainingArguments

    saving = {"save_steps": save, "save_total_limit": 1}
    arguments = {"disable_tqdm": True, "report_to": [], "seed": 1, "use_cpu": True, **saving, **arguments}
    if held_out is not None:
        arguments = {"eval_strategy": "steps", "eval_steps": save, **arguments}
    return Trainer(
        model=model,
        args=TrainingArguments(
            output_dir="out", max_steps=steps, per_device_train_batch_size=batch, learning_rate=lr, logging_steps=every,
            **arguments,
        ),
        train_dataset=rows,
        eval_dataset=held_out,
        callbacks=callbacks,
        compute_metrics=accuracy if held_out is not None and "Classification" in type(model).__name__ else None,
    )
