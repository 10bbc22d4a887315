"""The hook for Keras 3: ``model.fit(..., callbacks=[GrusKeras()])``.

Keras hands its callbacks running means: the loss of single steps is computed back from them. The gradient norm is
measured inside of the optimizer with TensorFlow and PyTorch; JAX keeps gradients out of reach. Batches are not seen.
"""

from __future__ import annotations

import time

import keras
import numpy

from .quiet import quietly
from .run_log import RunLog, run_directory

ratio_variables = 4
ratio_elements = 1 << 15


class GrusKeras(keras.callbacks.Callback):
    def __init__(self, directory=None):
        super().__init__()
        self._directory = directory
        self._log = None
        self._gradient = None
        self._step = 0
        self._mean = None
        self._before = None
        self._chosen = []

    @quietly
    def on_train_begin(self, logs=None):
        optimizer = self.model.optimizer
        self._log = RunLog(run_directory(self._directory), self._describe(optimizer), clock=time.perf_counter)
        self._step = int(keras.ops.convert_to_numpy(optimizer.iterations))
        self._log.begin(self._step)
        self._gradient = observe_gradient(optimizer)

    def _describe(self, optimizer):
        params = self.params or {}
        settings = optimizer.get_config()
        settings = {name: value for name, value in settings.items() if isinstance(value, (bool, int, float, str))}
        settings.pop("name", None)
        loss = self.model.loss
        epochs, steps = params.get("epochs"), params.get("steps")
        return {
            "model": self.model.name,
            "num_parameters": self.model.count_params() if self.model.built else None,
            "optimizer": type(optimizer).__name__,
            "loss": loss if isinstance(loss, str) else getattr(loss, "name", type(loss).__name__),
            "epochs": epochs,
            "backend": keras.backend.backend(),
            **({"max_steps": epochs * steps} if epochs and steps else {}),
            **settings,
        }

    @quietly
    def on_epoch_begin(self, epoch, logs=None):
        self._mean = None

    @quietly
    def on_train_batch_begin(self, batch, logs=None):
        if self._log is None or not self._log.armed:
            return
        started = self._log.clock()
        if self._gradient is not None:
            self._gradient.arm(True)
        if not self._chosen:
            weights = self.model.trainable_variables
            self._chosen = weights[:: max(1, -(-len(weights) // ratio_variables))]
        self._before = [self._slice(variable) for variable in self._chosen]
        self._log.pace.spent += self._log.clock() - started

    @staticmethod
    def _slice(variable):
        return numpy.array(keras.ops.convert_to_numpy(variable.value)).reshape(-1)[:ratio_elements]

    @quietly
    def on_train_batch_end(self, batch, logs=None):
        self._step += 1
        if self._log is None:
            return
        self._log.last_step = self._step
        if not self._log.armed:
            self._mean = None
            self._log.skip()
            return
        started = self._log.clock()
        values = {name: float(value) for name, value in (logs or {}).items()}
        loss = self._single(batch, values.pop("loss", None))
        row = {"loss": loss, **{f"running_{name}": value for name, value in values.items()}}
        row["learning_rate"] = float(keras.ops.convert_to_numpy(self.model.optimizer.learning_rate))
        row["update_ratio"] = self._ratio()
        if self._gradient is not None:
            row["grad_norm"] = self._gradient.read()
            self._gradient.arm(False)
        row.update(self._log.pace_facts())
        row.update(self._log.machine_facts())
        self._log.row(self._step, row)
        self._log.observed(self._log.clock() - started)

    def _single(self, batch, mean):
        """The mean over the epoch so far, taken apart where the step before was seen too."""
        if mean is None:
            return None
        before, self._mean = self._mean, (batch + 1, mean)
        if before is None or before[0] >= batch + 1:
            return mean
        count, old = before
        return (mean * (batch + 1) - old * count) / (batch + 1 - count)

    def _ratio(self):
        before, self._before = self._before, None
        if not before:
            return None
        now = [self._slice(variable) for variable in self._chosen]
        moved = sum(float(((a - b) ** 2).sum()) for a, b in zip(now, before))
        size = sum(float((b**2).sum()) for b in before)
        return (moved / (size + 1e-24)) ** 0.5

    @quietly
    def on_epoch_end(self, epoch, logs=None):
        if self._log is None:
            return
        values = {name: float(value) for name, value in (logs or {}).items()}
        row = {name: value for name, value in values.items() if name.startswith("val_")}
        row.update({f"train_{name}": value for name, value in values.items() if name in ("accuracy", "acc")})
        if row:
            self._log.row(self._step, row)

    @quietly
    def on_train_end(self, logs=None):
        if self._log is not None:
            if self._gradient is not None:
                self._gradient.detach()
            self._log.end("completed")


def observe_gradient(optimizer):
    """A measurement inside of ``optimizer.apply``, or None where the backend allows none."""
    backend = keras.backend.backend()
    kind = {"tensorflow": _TensorFlowNorm, "torch": _TorchNorm}.get(backend)
    return kind(optimizer) if kind is not None else None


class _Norm:
    """Wraps ``optimizer.apply`` until it is detached."""

    def __init__(self, optimizer):
        self._optimizer = optimizer
        apply = optimizer.apply

        def measured(grads, *args, **kwargs):
            self.measure([grad for grad in grads if grad is not None])
            return apply(grads, *args, **kwargs)

        object.__setattr__(optimizer, "apply", measured)

    def measure(self, grads):
        raise NotImplementedError

    def detach(self):
        self._optimizer.__dict__.pop("apply", None)


class _TensorFlowNorm(_Norm):
    """The training step is a graph: the norm is computed in it, on the steps that ask for it."""

    def __init__(self, optimizer):
        import tensorflow

        self._tf = tensorflow
        self._armed = tensorflow.Variable(initial_value=tensorflow.constant(False), trainable=False)
        self._norm = tensorflow.Variable(initial_value=tensorflow.constant(float("nan")), trainable=False)
        super().__init__(optimizer)

    def arm(self, on):
        self._armed.assign(on)

    def measure(self, grads):
        tf = self._tf

        def norm():
            return self._norm.assign(tf.cast(tf.linalg.global_norm(grads), tf.float32))

        tf.cond(self._armed, norm, lambda: self._norm)

    def read(self):
        return float(self._norm.numpy())


class _TorchNorm(_Norm):
    def __init__(self, optimizer):
        self._armed = False
        self._norm = None
        super().__init__(optimizer)

    def arm(self, on):
        self._armed = on

    def measure(self, grads):
        if self._armed:
            import torch

            self._norm = torch.linalg.vector_norm(torch.stack(torch._foreach_norm([grad.detach() for grad in grads])))

    def read(self):
        return None if self._norm is None else float(self._norm)
