"""The hook for the Hugging Face Trainer: ``Trainer(..., callbacks=[GrusCallback()])``.

The Trainer tells its callbacks neither the loss of a step nor the batch: both are taken from the model's own forward
pass. Gradients are measured at the end of the backward pass, before the Trainer clips them.
"""

from __future__ import annotations

import torch
from transformers import TrainerCallback

from .quiet import quietly
from .run_log import run_directory
from .torch_run import TorchRun

_kept_settings = (
    "learning_rate per_device_train_batch_size gradient_accumulation_steps max_steps num_train_epochs warmup_steps "
    "warmup_ratio weight_decay max_grad_norm lr_scheduler_type optim fp16 bf16 tf32 gradient_checkpointing "
    "label_smoothing_factor dataloader_num_workers seed adam_beta1 adam_beta2 adam_epsilon deepspeed fsdp torch_compile"
).split()


class GrusCallback(TrainerCallback):
    def __init__(self, directory=None):
        self._directory = directory
        self._run = None
        self._handles = []
        self._losses = []
        self._summed = False
        self._batch = None
        self._scaled = False

    @quietly
    def on_train_begin(self, args, state, control, model=None, optimizer=None, **_):
        settings = {name: getattr(args, name) for name in _kept_settings if hasattr(args, name)}
        config = getattr(model, "config", None)
        if config is not None and hasattr(config, "to_dict"):
            described = config.to_dict()
            settings["model_type"] = described.get("model_type")
            settings["vocab_size"] = described.get("vocab_size")
            settings["max_position_embeddings"] = described.get("max_position_embeddings")
            settings["model_name"] = getattr(config, "_name_or_path", None) or None
        settings = {name: value for name, value in settings.items() if value is not None}
        settings["max_steps"] = state.max_steps
        self._scaled = bool(getattr(args, "fp16", False))
        inner = getattr(optimizer, "optimizer", optimizer)
        self._run = TorchRun(model, inner, run_directory(self._directory, args.output_dir), settings)
        self._run.log.begin(state.global_step)
        if model is not None:
            self._handles = [model.register_forward_hook(self._after_forward, with_kwargs=True)]

    def _after_forward(self, model, args, kwargs, output):
        if model.training and self._run is not None and self._run.observing:
            self._note_forward(kwargs, output)

    @quietly
    def _note_forward(self, kwargs, output):
        self._batch = {name: value for name, value in kwargs.items() if isinstance(value, torch.Tensor)}
        loss = output.get("loss") if isinstance(output, dict) else getattr(output, "loss", None)
        if loss is None or not isinstance(loss, torch.Tensor):
            return
        self._summed = kwargs.get("num_items_in_batch") is not None
        self._losses.append(loss.detach())
        if loss.requires_grad and not self._scaled:
            loss.register_hook(self._on_backward)

    @quietly
    def _on_backward(self, _gradient):
        if self._run is not None:
            torch.autograd.Variable._execution_engine.queue_callback(self._run.note_gradient)

    @quietly
    def on_step_end(self, args, state, control, **_):
        loss = None
        if self._losses:
            loss = torch.stack([value.float().mean() for value in self._losses])
            loss = loss.sum() if self._summed else loss.mean()
        batch, self._batch, self._losses = self._batch, None, []
        if self._run is not None:
            self._run.finish_step(state.global_step, loss, batch)

    @quietly
    def on_log(self, args, state, control, logs=None, **_):
        """What the Trainer computed itself: validation, and averages where the model gave no loss."""
        if not logs or self._run is None or not state.is_world_process_zero:
            return
        kept = {
            (name if name.startswith("eval_") else f"logged_{name}"): float(value)
            for name, value in logs.items()
            if isinstance(value, (int, float)) and (name.startswith("eval_") or name in ("loss", "grad_norm"))
        }
        if kept:
            self._run.log.row(state.global_step, kept)

    @quietly
    def on_train_end(self, args, state, control, **_):
        for handle in self._handles:
            handle.remove()
        if self._run is not None:
            self._run.close("completed")
