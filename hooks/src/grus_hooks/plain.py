"""The hook for loops written by hand: ``log = grus_hooks.watch(model, optimizer)``, then ``log.step(loss, batch=batch)``."""

from __future__ import annotations

from . import quiet
from .ending import describe
from .quiet import failed, quietly
from .run_log import run_directory


def watch(model=None, optimizer=None, directory=None, config=None, scaler=None):
    """Starts recording.

    ``directory`` is where to write (default: as ``grus watch`` says, else a new folder under ``grus-runs``), ``config``
    any settings worth keeping, ``scaler`` the ``GradScaler`` of mixed precision.
    """
    try:
        from .torch_run import TorchRun

        return LoopLog(TorchRun(model, optimizer, run_directory(directory), config, scaler))
    except Exception as error:
        failed(error)
        return LoopLog(None)


class LoopLog:
    """Records steps of a loop. Nothing it does raises."""

    def __init__(self, run):
        self._run = run
        self._step = 0

    @property
    def directory(self):
        return self._run.log.directory if self._run else None

    def step(self, loss=None, batch=None, step=None, grad_norm=None, **values):
        """Call once per step, after ``optimizer.step()``.

        ``grad_norm`` is what ``clip_grad_norm_`` returned, where gradients are clipped: the optimizer sees them only
        afterwards. Other values (``accuracy=...``) are recorded under their names.
        """
        self._step = self._step + 1 if step is None else step
        if self._run is None or quiet.is_off():
            return
        try:
            if grad_norm is not None:
                values["grad_norm"] = grad_norm
            self._run.finish_step(self._step, loss, batch, values)
        except Exception as error:
            failed(error)

    @quietly
    def evaluation(self, **values):
        """Results of a validation: ``log.evaluation(loss=..., accuracy=...)``."""
        if self._run is not None:
            self._run.log.begin(self._step)
            self._run.log.row(self._step, {f"eval_{name}": float(value) for name, value in values.items()})

    def close(self):
        """The run completed. A context manager does this by itself."""
        if self._run is not None:
            self._run.close()

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if self._run is None:
            return
        if kind is None:
            self.close()
        elif kind is KeyboardInterrupt:
            self._run.close("signal", signal="SIGINT", traceback=describe(kind, value, trace))
        else:
            self._run.close("failed", traceback=describe(kind, value, trace))
