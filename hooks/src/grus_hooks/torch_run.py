"""What the hooks of all PyTorch frameworks share: observes a model and its optimizer on the steps that the pace asks
for, and describes them once at the start.
"""

from __future__ import annotations

import math
from time import perf_counter, thread_time

import torch

from . import batch_facts
from .quiet import quietly
from .run_log import RunLog
from .silent import LabelShares, flow_figures
from .torch_values import Deferred, UpdateRatio, device_memory, gradient_norm, most_pending

#: While calm, the dearer figures (update ratio, batch, machine) are read on every so many observed steps.
full_every = 4
#: What a step costs that is not observed is measured on one in so many, and charged for all of them.
sampled_skips = 32
update_hooks_cost = 1e-6
longest_skip = 3e-5
#: Steps shorter than this are not looked at individually for NaN: the look would be felt.
shortest_checked_step = 3e-4


class TorchRun:
    def __init__(self, model, optimizer, directory, config=None, scaler=None):
        self.model = model
        self.scaler = scaler
        self.optimizer = None
        self.parameters = list(model.parameters()) if model is not None else []
        self.device = self.parameters[0].device if self.parameters else None
        # A device works while the thread waits: there only the wall clock knows how long a step takes.
        clock = thread_time if self.device is None or self.device.type == "cpu" else perf_counter
        settings = {**describe_model(model), **describe_optimizer(optimizer), **(config or {})}
        self.log = RunLog(directory, settings, clock=clock)
        self.deferred = Deferred(self._write)
        self.log.before_end = (self.deferred.flush,)
        self._ratio = None
        self._tensors = {}
        self._spent = 0.0
        self._handles = []
        self._forward = None
        self._labels = None
        self._flow = {}
        self._described_batch = False
        self._described_outcomes = False
        self._observations = 0
        self._skipped = 0
        #: When the last step ended, and how long it took from there to the next forward pass.
        self._idle_since = None
        self._idle = None
        self._follow(model)
        self.attach(optimizer)

    @quietly
    def attach(self, optimizer):
        """Looks at gradients right before, and at weights right before and after, an optimizer's step."""
        if optimizer is None or optimizer is self.optimizer or not hasattr(optimizer, "register_step_pre_hook"):
            return
        self.optimizer = optimizer
        if not self.parameters:
            self.parameters = [parameter for group in optimizer.param_groups for parameter in group["params"]]
            self.device = self.parameters[0].device if self.parameters else None
        self._handles = [
            optimizer.register_step_pre_hook(lambda *_: self.before_update()),
            optimizer.register_step_post_hook(lambda *_: self.after_update()),
        ]

    @quietly
    def _follow(self, model):
        """What a rank does before its forward pass is its own: from there on it may wait for the others."""
        if hasattr(model, "register_forward_pre_hook"):
            self._forward = model.register_forward_pre_hook(lambda *_: self._begin_forward())

    def _begin_forward(self):
        if self._idle_since is not None:
            self._idle = perf_counter() - self._idle_since
            self._idle_since = None

    def detach(self):
        for handle in [*self._handles, self._forward]:
            if handle is not None:
                handle.remove()
        self._handles = []
        self._forward = None

    @property
    def observing(self):
        return self.log.armed and len(self.deferred) < most_pending

    @property
    def _is_full(self):
        return self._observations % full_every == 0 or self.log.is_fine()

    def before_update(self):
        if self.observing:
            self._look_before()

    @quietly
    def _look_before(self):
        started = self.log.clock()
        if "grad_norm" not in self._tensors:
            self.note_gradient()
        if self._is_full:
            if self._ratio is None:
                self._ratio = UpdateRatio(self.parameters)
            self._ratio.before()
            self._flow, tensors = flow_figures(self.parameters)
            self._tensors.update(tensors)
        self._spent += self.log.clock() - started

    @quietly
    def note_gradient(self, scale=None):
        norm = gradient_norm(self.parameters)
        if norm is not None:
            self._tensors["grad_norm"] = norm if scale is None else norm / scale

    def after_update(self):
        if self._ratio is not None and self.observing:
            self._look_after(self._ratio)

    @quietly
    def _look_after(self, measured):
        started = self.log.clock()
        self._tensors.update(measured.after())
        self._spent += self.log.clock() - started

    def finish_step(self, step, loss, batch=None, values=None):
        """The end of a step: writes an observation when one is due."""
        self._skipped += 1
        started = perf_counter() if self._skipped % sampled_skips == 0 else None
        self.log.last_step = step
        if len(self.deferred):
            self._poll()
        broken = self._is_broken(loss)
        if broken or self.observing:
            self._observe(step, loss, batch, values, broken or self._is_full)
            self._idle_since = perf_counter()
            return
        self._idle_since = perf_counter()
        self.log.skip()
        if started is not None:
            self.log.pace.spent += sampled_skips * min(perf_counter() - started + update_hooks_cost, longest_skip)

    @quietly
    def _poll(self):
        self.deferred.poll()

    def _is_broken(self, loss):
        """On the CPU a look at the loss costs nothing: a NaN is recorded together with the batch that made it."""
        if self.log.step_time < shortest_checked_step:
            return False
        try:
            if isinstance(loss, torch.Tensor):
                return loss.device.type == "cpu" and not math.isfinite(loss.item())
            return loss is not None and not math.isfinite(loss)
        except Exception:
            return False

    @quietly
    def _observe(self, step, loss, batch, values, full):
        self.log.begin(step)
        started = self.log.clock() - self._spent
        self._observations += 1
        self._spent = 0.0
        tensors, self._tensors = self._tensors, {}
        numbers, self._flow = self._flow, {}
        for name, value in {"loss": loss, **(values or {})}.items():
            if isinstance(value, torch.Tensor):
                held = value.detach()
                tensors[name] = held.float().mean() if held.numel() != 1 else held.reshape(())
            elif value is not None:
                numbers[name] = float(value)
        self._read_optimizer(numbers, tensors)
        if full and batch is not None:
            self._read_batch(step, batch, numbers, tensors)
        elif batch is not None and self.device is not None and self.device.type != "cpu":
            # The loss is known only later: whether the batch held NaN must be asked now.
            tensors.update(batch_facts.cleanliness(batch_facts.leaves(batch)))
        if self._idle is not None:
            numbers["data_time"] = self._idle
        numbers.update(self.log.pace_facts(numbers.get("batch_size")))
        numbers.update(device_memory(self.device))
        if full:
            numbers.update(self.log.machine_facts())
        self.deferred.add(step, numbers, tensors)
        self.log.observed(self.log.clock() - started)

    def _read_optimizer(self, numbers, tensors):
        if self.optimizer is not None:
            rate = self.optimizer.param_groups[0].get("lr")
            if isinstance(rate, torch.Tensor):
                tensors["learning_rate"] = rate
            elif rate is not None:
                numbers["learning_rate"] = float(rate)
        scale = getattr(self.scaler, "_scale", None)
        if scale is not None and isinstance(scale, torch.Tensor):
            tensors["loss_scale"] = scale.detach().clone()

    def _read_batch(self, step, batch, numbers, tensors):
        named = batch_facts.leaves(batch)
        sizes, later = batch_facts.figures(named)
        numbers.update(sizes)
        tensors.update(later)
        self._count_labels(named, tensors)
        if not self._described_batch and named:
            self._described_batch = True
            facts = batch_facts.shapes(named)
            if sizes.get("batch_size"):
                facts["batch_size"] = sizes["batch_size"]
            self._tell(step, facts)

    def _count_labels(self, named, tensors):
        """What one constant answer would lose on the labels seen so far."""
        _, labels = batch_facts.split_roles(named, fractions=True)
        if labels is None or labels.numel() == 0:
            return
        if self._labels is None:
            self._labels = LabelShares(width_of(self.model))
        tensors.update(self._labels.figures(labels))

    def _write(self, step, numbers, wall):
        if not self._described_outcomes and ("label_max" in numbers or "token_max" in numbers):
            self._described_outcomes = True
            self._tell(step, outcomes(self.model, numbers))
        self.log.row(step, numbers, wall)

    def _tell(self, step, facts):
        """Adds to the settings what they do not say already."""
        unsaid = {name: value for name, value in facts.items() if self.log.config.get(name) is None}
        if unsaid:
            self.log.facts(step, unsaid)

    def close(self, reason="completed", **details):
        self.detach()
        self.log.end(reason, **details)


def outcomes(model, numbers):
    """The classes or words the model knows, where the first batch agrees that they are what its labels or tokens count."""
    if model is None:
        return {}
    found = {}
    if "token_max" in numbers:
        tables = [module for module in model.modules() if isinstance(module, torch.nn.Embedding)]
        if tables and numbers["token_max"] < tables[0].num_embeddings:
            found["vocab_size"] = tables[0].num_embeddings
    elif "label_max" in numbers:
        width = width_of(model)
        if width is not None and width >= 2 and numbers["label_max"] < width:
            found["num_classes"] = width
    return found


def width_of(model):
    """Outputs of the last layer, which are the classes or words of a model that answers in one of them."""
    layers = [module for module in model.modules() if isinstance(module, torch.nn.Linear)] if model is not None else []
    return layers[-1].out_features if layers else None


def describe_model(model):
    if model is None:
        return {}
    try:
        parameters = list(model.parameters())
        return {
            "model": type(model).__name__,
            "num_parameters": sum(parameter.numel() for parameter in parameters),
            "trainable_parameters": sum(parameter.numel() for parameter in parameters if parameter.requires_grad),
            "parameter_dtype": str(parameters[0].dtype).replace("torch.", "") if parameters else None,
        }
    except Exception:
        return {}


def describe_optimizer(optimizer):
    groups = getattr(optimizer, "param_groups", None)
    if not groups:
        return {}
    settings = {
        name: value
        for name, value in groups[0].items()
        if name != "params" and isinstance(value, (bool, int, float, str, tuple))
    }
    return {"optimizer": type(optimizer).__name__, **settings}
