"""The hook for Lightning: ``Trainer(..., callbacks=[GrusLightning()])``."""

from __future__ import annotations

import sys

from .ending import describe
from .quiet import quietly
from .run_log import run_directory
from .torch_run import TorchRun

if "pytorch_lightning" in sys.modules and "lightning" not in sys.modules:
    from pytorch_lightning import Callback
else:
    from lightning.pytorch import Callback


class GrusLightning(Callback):
    def __init__(self, directory=None):
        super().__init__()
        self._directory = directory
        self._run = None

    @quietly
    def on_fit_start(self, trainer, pl_module):
        """Before the sanity check of validation, which is where many runs fail."""
        fallback = trainer.log_dir or trainer.default_root_dir
        settings = {**dict(getattr(pl_module, "hparams", {}) or {})}
        settings.update({
            "max_epochs": trainer.max_epochs,
            "precision": str(trainer.precision),
            "gradient_clip_val": trainer.gradient_clip_val,
            "accumulate_grad_batches": trainer.accumulate_grad_batches,
        })
        if trainer.max_steps and trainer.max_steps > 0:
            settings["max_steps"] = trainer.max_steps
        settings = {name: value for name, value in settings.items() if value is not None}
        optimizer = trainer.optimizers[0] if trainer.optimizers else None
        scaler = getattr(trainer.precision_plugin, "scaler", None)
        self._run = TorchRun(pl_module, optimizer, run_directory(self._directory, fallback), settings, scaler)
        self._run.log.begin(trainer.global_step)

    @quietly
    def on_train_start(self, trainer, pl_module):
        if self._run is not None and trainer.optimizers:
            self._run.attach(trainer.optimizers[0])

    def on_before_optimizer_step(self, trainer, pl_module, optimizer):
        if self._run is not None and self._run.observing:
            self._run.note_gradient()

    @quietly
    def on_train_batch_end(self, trainer, pl_module, outputs, batch, batch_idx):
        if self._run is None:
            return
        loss = outputs.get("loss") if isinstance(outputs, dict) else outputs
        self._run.finish_step(trainer.global_step, loss, batch)

    @quietly
    def on_validation_end(self, trainer, pl_module):
        if self._run is None or trainer.sanity_checking:
            return
        metrics = trainer.callback_metrics.items()
        results = {name: float(value) for name, value in metrics if name.startswith(("val", "eval"))}
        if results:
            self._run.log.row(trainer.global_step, results)

    @quietly
    def on_exception(self, trainer, pl_module, exception):
        if self._run is None:
            return
        trace = describe(type(exception), exception, exception.__traceback__)
        if isinstance(exception, KeyboardInterrupt):
            self._run.close("signal", signal="SIGINT", traceback=trace)
        else:
            self._run.close("failed", traceback=trace)

    @quietly
    def on_train_end(self, trainer, pl_module):
        if self._run is not None:
            self._run.close("completed")
