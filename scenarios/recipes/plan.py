"""One run as the loops see it: the recipe's parts, after the fault was put in."""

import dataclasses
import math

import torch

from . import networks, problems


@dataclasses.dataclass
class Plan:
    problem: problems.Problem
    model: torch.nn.Module
    optimizer: str
    rate: float
    schedule: str
    batch: int
    steps: int
    generator: torch.Generator
    decay: float = 0.0
    momentum: float = 0.9
    clip: float | None = None
    clears: bool = True  # gradients are set to zero before each step
    shuffles: bool = True
    held_out: tuple | None = None  # what the run validates on, where that is not the problem's own
    objective: object = None  # replaces the loss that is minimised and logged
    stepped: list | None = None  # parameters the optimizer is given, where they are not the model's
    trains_in_eval: bool = False
    validates_in_train: bool = False
    half: bool = False
    incident: object = None  # called with (plan, step, say) before a step: what frightens in a healthy run
    stops_early: bool = False
    settings: dict = dataclasses.field(default_factory=dict)
    history: list = dataclasses.field(default_factory=list)  # of the validation loss

    def __post_init__(self):
        self.order = torch.arange(len(self.problem.train[0]))
        self.epoch_steps = max(1, len(self.order) // self.batch)

    def draw(self, step):
        place = step % self.epoch_steps
        if place == 0 and self.shuffles:
            self.order = torch.randperm(len(self.order), generator=self.generator)
        index = self.order[place * self.batch : (place + 1) * self.batch]
        return self.problem.train[0][index], self.problem.train[1][index]

    def loss(self, outputs, targets):
        return (self.objective or self.problem.loss)(outputs, targets)

    def make_optimizer(self):
        return networks.optimizer_of(
            self.optimizer, self.stepped or list(self.model.parameters()), self.rate, self.decay, self.momentum
        )

    def factor(self, step):
        """The share of the rate at a step."""
        done = step / max(1, self.steps)
        if self.schedule == "cosine":
            return 0.5 * (1 + math.cos(math.pi * done))
        if self.schedule == "warmup":
            return min(1.0, (step + 1) / (0.2 * self.steps))
        if self.schedule == "steps":
            return 0.2 ** int(3 * done)
        if self.schedule == "restarts":
            return 0.5 * (1 + math.cos(math.pi * ((4 * done) % 1)))
        if self.schedule == "linear":
            return 1 - done
        if self.schedule == "long-warmup":
            return min(1.0, ((step + 1) / (0.6 * self.steps)) ** 2)
        if self.schedule == "spent":
            return 0.1 ** (step / 4)
        return 1.0

    @torch.no_grad()
    def validate(self):
        inputs, targets = self.held_out or self.problem.held_out
        outputs = self.answer(inputs)
        self.model.train(not self.trains_in_eval)
        self.history.append(self.problem.loss(outputs, targets).item())
        return self.history[-1], self.problem.score(outputs, targets)

    @torch.no_grad()
    def answer(self, inputs):
        self.model.train(self.validates_in_train)
        return torch.cat(
            [
                self.model(part.half() if self.half and part.is_floating_point() else part).float()
                for part in inputs.split(200)
            ]
        )
