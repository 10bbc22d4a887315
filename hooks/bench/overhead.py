"""What recording costs per step, beside ``SummaryWriter.add_scalar`` of the same values, in one run.

The same loop runs bare, with the hook, and with a SummaryWriter that is given the same figures at every step. On the CPU
processor time of the thread is measured, which other processes do not change; on a GPU the wall clock.
Usage: overhead.py [--seconds S]
"""

import argparse
import json
import os
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "src"))

import torch
from torch.utils.tensorboard import SummaryWriter

import grus_hooks

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
clock = time.perf_counter if device.type == "cuda" else time.thread_time


def cost_of_clock(calls=20_000):
    started = clock()
    for _ in range(calls):
        clock()
    return (clock() - started) / calls


clock_cost = cost_of_clock()


def small():
    """A perceptron of 70 thousand parameters."""
    model = torch.nn.Sequential(torch.nn.Linear(64, 256), torch.nn.ReLU(), torch.nn.Linear(256, 192), torch.nn.ReLU(), torch.nn.Linear(192, 10))
    return model, (torch.randn(64, 64), torch.randint(0, 10, (64,)))


def medium():
    """A transformer of 6.6 million parameters."""
    layer = torch.nn.TransformerEncoderLayer(512, 8, 2048, batch_first=True)
    model = torch.nn.Sequential(torch.nn.TransformerEncoder(layer, 2, enable_nested_tensor=False), torch.nn.Linear(512, 512))
    return model, (torch.randn(8, 64, 512), torch.randint(0, 512, (8, 64)))


class Loop:
    def __init__(self, make):
        torch.manual_seed(0)
        model, batch = make()
        self.model = model.to(device)
        self.batch = tuple(part.to(device) for part in batch)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-4)

    def step(self):
        x, y = self.batch
        out = self.model(x)
        loss = torch.nn.functional.cross_entropy(out.flatten(0, -2), y.flatten())
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss


def recorder(kind, loop, folder):
    """What is called at the end of every step."""
    if kind == "bare":
        return lambda loss, step: None
    if kind == "hook":
        log = grus_hooks.watch(loop.model, loop.optimizer, directory=folder)
        loop.log = log
        return lambda loss, step: log.step(loss, batch=loop.batch)
    writer = SummaryWriter(folder)
    parameters = list(loop.model.parameters())

    def write(loss, step):
        norm = torch.linalg.vector_norm(torch.stack(torch._foreach_norm([parameter.grad for parameter in parameters])))
        inputs = loop.batch[0]
        for name, value in (
            ("loss", loss), ("grad_norm", norm), ("learning_rate", loop.optimizer.param_groups[0]["lr"]),
            ("input_mean", inputs.mean()), ("input_std", inputs.std()), ("input_min", inputs.min()), ("input_max", inputs.max()),
            ("label_max", loop.batch[1].max()), ("step_time", 0.001),
        ):
            writer.add_scalar(name, value, step)

    return write


class Cost:
    """Time of a loop's own steps and of what records them, the optimizer's hooks among the latter."""

    def __init__(self, kind, make):
        self.loop = Loop(make)
        self.write = recorder(kind, self.loop, tempfile.mkdtemp())
        self.steps = 0
        self.step_seconds = self.record_seconds = 0.0
        self._inside = 0.0
        if kind == "hook":
            run = self.loop.log._run
            run.before_update, run.after_update = self._timed(run.before_update), self._timed(run.after_update)

    def _timed(self, function):
        def measured():
            started = clock()
            function()
            self._inside += clock() - started - clock_cost

        return measured

    def begin_again(self):
        """Forgets what was counted, and returns the seconds that recording has taken so far."""
        taken, self.steps, self.step_seconds, self.record_seconds = self.record_seconds, 0, 0.0, 0.0
        return taken

    def block(self, seconds):
        until = time.perf_counter() + seconds
        while time.perf_counter() < until:
            self.steps += 1
            self._inside = 0.0
            begun = clock()
            loss = self.loop.step()
            stepped = clock()
            self.write(loss, self.steps)
            if device.type == "cuda":
                written = clock()
                torch.cuda.synchronize()
                self.step_seconds += clock() - written
                self.record_seconds += written - stepped + self._inside
            else:
                self.record_seconds += clock() - stepped + self._inside
            self.step_seconds += stepped - begun - self._inside


def measure(make, seconds):
    """One after the other: a recorder that budgets its time must see its own loop alone."""
    costs = {}
    for kind in ("bare", "hook", "summary_writer"):
        costs[kind] = Cost(kind, make)
        costs[kind].block(seconds / 10)
        start = costs[kind].begin_again()
        if kind == "hook":
            hook_start = start
        costs[kind].block(seconds)
    per_step = {kind: cost.record_seconds / cost.steps * 1e6 for kind, cost in costs.items()}
    step = costs["bare"].step_seconds / costs["bare"].steps * 1e6
    # What the clock itself and an empty call cost is measured by the bare loop, and taken off.
    hook = per_step["hook"] - per_step["bare"]
    writer = per_step["summary_writer"] - per_step["bare"]
    return {
        "what": make.__doc__,
        "step_us": round(step, 1),
        "hook_us_per_step": round(hook, 2),
        "summary_writer_us_per_step": round(writer, 2),
        "summary_writer_over_hook": round(writer / hook, 1),
        "hook_percent_of_step": round(100 * hook / step, 3),
        "summary_writer_percent_of_step": round(100 * writer / step, 2),
        "hook_start_ms": round(1000 * hook_start, 1),
        "steps": {kind: cost.steps for kind, cost in costs.items()},
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=30)
    options = parser.parse_args()
    torch.set_num_threads(1)
    answer = {"device": torch.cuda.get_device_name() if device.type == "cuda" else "cpu, one thread", "torch": torch.__version__}
    for make in (small, medium):
        answer[make.__name__] = measure(make, options.seconds)
    print(json.dumps(answer, indent=2))


if __name__ == "__main__":
    main()
