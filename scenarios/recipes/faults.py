"""What can be wrong with a run without any error message, and the few things that end in NaN. Each fault is put into a plan that is
otherwise sound, by a strength between 0 and 1.

A label names the cause, what is as right as it, and `shows`: the records of which one is needed to tell the cause from its
look-alikes. A run that has none of them is labelled unknown.
"""

import dataclasses
import math

import torch
from torch import nn

from . import networks


@dataclasses.dataclass(frozen=True)
class Fault:
    name: str
    put: object
    category: str
    subcause: str
    alternatives: tuple = ()
    shows: tuple = ()  # of: validation, validation_score, train_score, gradient, settings, rate, schedule, hooks, steps, or nothing
    tasks: tuple = ()  # the problems it can be put into; all when empty
    pytorch_only: bool = False  # it is a mistake of the loop, not of data, model or settings


faults: dict[str, Fault] = {}


def fault(category, subcause, *alternatives, shows=(), tasks=(), loop=False):
    def keep(put):
        name = put.__name__
        faults[name] = Fault(name, put, category, subcause, alternatives, shows, tasks, loop)
        return put

    return keep


classes = ("table", "rare", "pictures", "texts")
rows = ("table", "rare", "regression", "restore")
no_learning = (
    "plateau",
    "chance_level",
    "learning_rate_too_low",
    "gradient_vanishing",
    "dead_units",
    "weight_decay_too_high",
)
unstable = ("learning_rate_too_high", "divergence", "gradient_explosion", "oscillation", "divergence_after_schedule")
silent = ("gradient", "hooks")
"""Where nothing is learned, only what flows back tells wrong labels from dead layers and frozen weights."""


def between(low, high, strength):
    """Between two values, evenly in the logarithm."""
    return math.exp(math.log(low) + strength * (math.log(high) - math.log(low)))


def replace_train(plan, inputs=None, targets=None):
    old = plan.problem.train
    plan.problem.train = (old[0] if inputs is None else inputs, old[1] if targets is None else targets)


def shuffled(plan, tensor):
    return tensor[torch.randperm(len(tensor), generator=plan.generator)]


# Gradients that do not arrive


@fault("model_software", "frozen_parameters", "foreign_parameters", shows=("hooks",))
def frozen_parameters(plan, strength):
    """Everything but the last bias is frozen."""
    for parameter in plan.model.parameters():
        parameter.requires_grad_(False)
    networks.head_of(plan.model).bias.requires_grad_(True)
    plan.stepped = [p for p in plan.model.parameters() if p.requires_grad]


@fault("model_software", "foreign_parameters", "frozen_parameters", shows=silent, loop=True)
def foreign_parameters(plan, strength):
    """The optimizer was built for a copy of the model."""
    import copy

    plan.stepped = list(copy.deepcopy(plan.model).parameters())


@fault("model_software", "frozen_parameters", "foreign_parameters", shows=silent, loop=True)
def graph_cut(plan, strength):
    """The outputs are detached before the loss: the gradient never reaches a parameter."""
    plan.objective = lambda outputs, targets: plan.problem.loss(outputs.detach().requires_grad_(), targets)


@fault("model_software", "code_error", *unstable, shows=("gradient", "hooks"), loop=True)
def gradients_not_cleared(plan, strength):
    plan.clears = False


# Labels and inputs


@fault("data_pipeline", "shuffled_labels", "chance_level", "degenerate_labels", shows=silent, tasks=classes)
def labels_shuffled(plan, strength):
    replace_train(plan, targets=shuffled(plan, plan.problem.train[1]))


@fault("data_pipeline", "shuffled_labels", "chance_level", "plateau", shows=silent, tasks=("regression",))
def targets_shuffled(plan, strength):
    replace_train(plan, targets=shuffled(plan, plan.problem.train[1]))


@fault(
    "data_pipeline",
    "shuffled_labels",
    "chance_level",
    "degenerate_labels",
    shows=silent,
    tasks=("table", "pictures", "texts"),
)
def labels_shifted(plan, strength):
    """Both parts were read with the label of the row before."""
    replace_train(plan, targets=plan.problem.train[1].roll(1, 0))
    plan.held_out = (plan.problem.held_out[0], plan.problem.held_out[1].roll(1, 0))


@fault(
    "data_pipeline",
    "shuffled_labels",
    "train_eval_gap",
    "chance_level",
    shows=("validation_score",),
    tasks=("table", "pictures", "texts"),
)
def label_mapping(plan, strength):
    """Training and validation number the classes differently."""
    replace_train(plan, targets=(plan.problem.train[1] + 1) % plan.problem.outcomes)


@fault(
    "data_pipeline",
    "chance_level",
    "degenerate_labels",
    "shuffled_labels",
    "gradient_vanishing",
    shows=silent,
    tasks=("table", "rare", "pictures"),
)
def blank_inputs(plan, strength):
    """The inputs were divided by the wrong number: they are all but zero, and the answer is always the most frequent."""
    for part in ("train", "held_out"):
        inputs, targets = getattr(plan.problem, part)
        setattr(plan.problem, part, (inputs * between(1e-5, 1e-8, strength), targets))


@fault(
    "data_pipeline",
    "chance_level",
    "degenerate_labels",
    "train_eval_gap",
    shows=("validation_score", "hooks"),
    tasks=("table", "pictures"),
)
def majority_class(plan, strength):
    """Nearly all rows that were kept for training have one label."""
    inputs, targets = plan.problem.train
    keep = (targets == targets.mode().values) | (torch.rand(len(targets), generator=plan.generator) < 0.01)
    while keep.sum() < plan.batch * 2:
        keep = keep | (torch.rand(len(targets), generator=plan.generator) < 0.01)
    replace_train(plan, inputs[keep], targets[keep])
    plan.__post_init__()


@fault(
    "data_pipeline",
    "chance_level",
    "degenerate_labels",
    "shuffled_labels",
    "gradient_vanishing",
    "train_eval_gap",
    shows=silent,
    tasks=("table", "regression", "pictures"),
)
def rows_repeated(plan, strength):
    """A loader without an index of its own: every row of a batch is the same input, under the labels of different rows."""
    inputs = plan.problem.train[0]
    replace_train(plan, inputs[torch.arange(len(inputs)) // (plan.batch * 4) * plan.batch * 4])
    plan.shuffles = False


@fault("data_pipeline", "leakage", shows=("nothing",), tasks=("table", "rare"))
def target_in_features(plan, strength):
    """A column is made of the label, in the rows to train and to validate on; later it will not be there."""
    for part in ("train", "held_out"):
        inputs, targets = getattr(plan.problem, part)
        inputs = inputs.clone()
        inputs[:, 0] = 4 * targets.float() + 0.01 * torch.randn(len(targets), generator=plan.generator)
        setattr(plan.problem, part, (inputs, targets))


@fault("data_pipeline", "leakage", shows=("nothing",), tasks=("language",))
def target_in_input(plan, strength):
    """The word to be guessed is in the input: the shift by one was forgotten."""
    for part in ("train", "held_out"):
        inputs, _ = getattr(plan.problem, part)
        setattr(plan.problem, part, (inputs, inputs))


@fault("data_pipeline", "leakage", shows=("nothing",), tasks=("table", "regression"))
def judged_on_training_rows(plan, strength):
    """Validation reads rows that were trained on."""
    inputs, targets = plan.problem.train
    few = max(plan.batch, int(between(200, 60, strength)))
    plan.problem.train = (inputs[:few], targets[:few])
    plan.held_out = plan.problem.train
    plan.__post_init__()


@fault(
    "data_pipeline",
    "degenerate_labels",
    "train_eval_gap",
    "oscillation",
    "code_error",
    shows=("steps", "hooks"),
    tasks=("table", "pictures", "texts"),
)
def sorted_by_label(plan, strength):
    inputs, targets = plan.problem.train
    order = targets.argsort()
    replace_train(plan, inputs[order], targets[order])
    plan.shuffles = False


@fault(
    "optimization",
    "train_eval_gap",
    "shuffled_labels",
    "chance_level",
    shows=("validation",),
    tasks=("table", "regression", "pictures"),
)
def validation_not_scaled(plan, strength):
    """Only the rows to train on were brought to mean 0 and spread 1; everything later comes as it is."""
    for part in ("held_out", "unseen"):
        inputs, targets = getattr(plan.problem, part)
        setattr(plan.problem, part, (inputs * between(20, 200, strength) + between(30, 300, strength), targets))


@fault("data_pipeline", "nan_in_data", "unstable_operation", shows=("hooks",), tasks=rows)
def holes_in_rows(plan, strength):
    inputs = plan.problem.train[0].clone()
    inputs[torch.rand(len(inputs), generator=plan.generator) < between(0.0005, 0.01, strength), 0] = float("nan")
    replace_train(plan, inputs)


# The objective and the modes


@fault("model_software", "wrong_objective", "code_error", *unstable)
def sign_flipped(plan, strength):
    plan.objective = lambda outputs, targets: -plan.problem.loss(outputs, targets)


@fault("model_software", "wrong_objective", "code_error", *unstable)
def summed_not_averaged(plan, strength):
    """The sum over batch and columns is minimised at a rate that was chosen for the mean."""
    many = plan.batch * between(8, 200, strength) * (24 if plan.problem.kind == "language" else 1)
    plan.objective = lambda outputs, targets: many * plan.problem.loss(outputs, targets)
    plan.clip = None


@fault(
    "model_software",
    "wrong_objective",
    "code_error",
    "shape_mismatch",
    "chance_level",
    "plateau",
    shows=silent,
    tasks=("regression",),
)
def broadcast_targets(plan, strength):
    """Outputs of shape (n, 1) against targets of shape (n): every output is compared with every target."""
    plan.objective = lambda outputs, targets: (outputs - targets.squeeze(1)).pow(2).mean()


@fault(
    "model_software",
    "wrong_objective",
    "code_error",
    "chance_level",
    "plateau",
    "learning_rate_too_low",
    shows=("nothing",),
    tasks=("table", "pictures", "texts"),
)
def softmax_twice(plan, strength):
    """The loss expects scores and is given probabilities that were sharpened away: it cannot fall far."""
    heat = between(0.02, 0.005, strength)
    plan.objective = lambda outputs, targets: plan.problem.loss(heat * outputs.softmax(-1), targets)


@fault("optimization", "train_eval_gap", "code_error", shows=("validation",), tasks=("table", "regression", "pictures"))
def stale_statistics(plan, strength):
    """Batch statistics hardly reach the running ones, which evaluation uses."""
    inputs, targets = plan.problem.train
    for part in ("train", "held_out", "unseen"):
        inputs, targets = getattr(plan.problem, part)
        setattr(plan.problem, part, (5 * inputs + between(5, 30, strength), targets))
    for module in plan.model.modules():
        if isinstance(module, (nn.BatchNorm1d, nn.BatchNorm2d)):
            module.momentum = 1e-5


@fault(
    "optimization",
    "train_eval_gap",
    "code_error",
    "overfit",
    "plateau",
    shows=("validation",),
    tasks=("table", "regression"),
)
def dropout_in_validation(plan, strength):
    for module in plan.model.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.3 + 0.6 * max(0.75, strength)
    plan.validates_in_train = True


# Steps


@fault(
    "optimization",
    "learning_rate_too_high",
    *unstable,
    "plateau",
    "dead_units",
    "precision_overflow",
    shows=("rate", "steps"),
)
def rate_too_high(plan, strength):
    plan.rate *= between(30, 3000, strength)
    plan.clip = None


@fault("optimization", "learning_rate_too_low", *no_learning, shows=("rate", "hooks"))
def rate_too_low(plan, strength):
    plan.rate *= between(1e-3, 1e-6, strength)


@fault("optimization", "learning_rate_too_low", *no_learning, shows=("schedule", "hooks"))
def schedule_spent(plan, strength):
    """The schedule is stepped with every batch instead of every epoch: the rate is gone at once."""
    plan.schedule = "spent"


@fault("optimization", "weight_decay_too_high", *no_learning, shows=("settings", "hooks"))
def decay_collapses(plan, strength):
    plan.optimizer = (
        "adamw"
        if plan.optimizer in ("adamw", "lion")
        else "sgd"
        if plan.optimizer in ("sgd", "momentum", "nesterov")
        else "adam"
    )
    plan.rate = networks.rates[plan.optimizer]
    plan.decay = between(30, 300, strength) if plan.optimizer == "adamw" else between(1, 8, strength)


@fault("optimization", "oscillation", *unstable)
def momentum_unstable(plan, strength):
    plan.optimizer, plan.momentum = "momentum", between(0.995, 0.9999, strength)
    plan.rate = networks.rates["sgd"] * 3
    plan.clip = None


@fault("optimization", "plateau", *no_learning, shows=silent, tasks=("table", "pictures", "language"))
def symmetric_weights(plan, strength):
    with torch.no_grad():
        for layer in networks.layers_of(plan.model):
            layer.weight.fill_(0.0 if strength < 0.5 else 0.02)
            if getattr(layer, "bias", None) is not None:
                layer.bias.zero_()


@fault("optimization", "dead_units", *no_learning, shows=silent, tasks=("table", "rare", "regression", "pictures"))
def units_dead(plan, strength):
    inside = [layer for layer in networks.layers_of(plan.model) if layer is not networks.head_of(plan.model)]
    with torch.no_grad():
        for layer in inside:
            layer.bias.fill_(-between(20, 200, strength))


@fault("optimization", "gradient_vanishing", *no_learning, shows=silent, tasks=("table", "regression"))
def sigmoid_depth(plan, strength):
    from kit import models

    plan.model = models.mlp(
        plan.problem.inputs, plan.problem.outcomes, 32, layers=int(8 + 12 * strength), activation=nn.Sigmoid
    )


@fault(
    "optimization", "gradient_explosion", *unstable, "precision_overflow", "unstable_operation", "plateau", shows=("steps",)
)
def weights_too_large(plan, strength):
    with torch.no_grad():
        for layer in networks.layers_of(plan.model):
            layer.weight.mul_(between(8, 60, strength))
    plan.clip = None


@fault(
    "optimization",
    "precision_overflow",
    "unstable_operation",
    "loss_scale_collapse",
    *unstable,
    shows=("settings",),
    tasks=("table", "regression"),
)
def half_overflows(plan, strength):
    plan.half = True
    plan.settings["precision"] = "fp16"
    replace_train(plan, plan.problem.train[0] * between(3e3, 3e4, strength))


@fault(
    "optimization",
    "overfit",
    "train_eval_gap",
    shows=("validation",),
    tasks=("table", "regression", "texts", "pictures", "language"),
)
def few_rows(plan, strength):
    """A handful of rows, many epochs."""
    inputs, targets = plan.problem.train
    few = max(plan.batch, int(between(96, 24, strength)))
    plan.problem.train = (inputs[:few], targets[:few])
    plan.steps *= 2
    plan.__post_init__()
