"""A recipe: everything a run is made of, drawn from one seed. The same recipe without its fault is its twin."""

import dataclasses
import importlib.util
import random

import torch

from . import faults, keras_loop, networks, players, problems, records, sklearn_loop, styles, weather
from . import plan as plans


@dataclasses.dataclass(frozen=True)
class Recipe:
    seed: int
    task: str
    architecture: str
    optimizer: str
    schedule: str
    framework: str
    format: str
    fault: str | None
    strength: float
    weather: str
    rows: int
    batch: int
    steps: int
    every: int
    validations: int
    by_epoch: bool
    keeps_settings: bool
    says_end: bool
    loss_name: str
    values: tuple

    def twin(self):
        return dataclasses.replace(self, fault=None)

    def validates_every(self, plan):
        every = max(1, plan.steps // self.validations)
        by_epoch = self.by_epoch or self.format in styles.by_epoch
        return plan.epoch_steps * max(1, round(every / plan.epoch_steps)) if by_epoch else every

    def named(self, value):
        """A value by the name that the run writes: the loss as the recipe calls it, the score by what it is."""
        loss = self.loss_name if self.format in styles.console else "loss"
        score = "r2" if self.task in ("regression", "restore") else "accuracy"
        return (
            value.replace("accuracy", score)
            if "accuracy" in value
            else value.replace("loss", loss)
            if value in ("loss", "val_loss")
            else value
        )

    def records(self):
        """What of it a reader of the artefacts can see."""
        if self.format == "hooks":
            return {"hooks", "gradient", "settings", "rate", "schedule", "steps", "validation", "validation_score"}
        # The Trainer of transformers writes the norm and the rate of every step, asked or not.
        always = self.framework == "transformers"
        seen = {
            "validation": any(name.startswith("val_") for name in self.values) and self.format != "sklearn-verbose",
            "validation_score": "val_accuracy" in self.values,
            "train_score": ("accuracy" in self.values or (self.framework == "keras" and "val_accuracy" in self.values))
            and self.format != "sklearn-verbose",
            "gradient": "grad_norm" in self.values or always,
            "settings": self.keeps_settings and not always,
            "rate": self.keeps_settings or "lr" in self.values or always,
            "schedule": "lr" in self.values or always,
            "steps": not (self.by_epoch or self.format in styles.by_epoch),
        }
        return {name for name, holds in seen.items() if holds}


frameworks = {"pytorch": 50, "lightning": 12, "transformers": 12, "keras": 13, "sklearn": 13}
"""How often each is drawn."""


def installed():
    """The frameworks that can be drawn with what is installed; a draw made without one of them says so in its draw.json."""
    modules = {
        "lightning": ("lightning", "pytorch_lightning"),
        "transformers": ("transformers", "accelerate"),
        "keras": ("keras",),
        "sklearn": ("sklearn",),
    }

    def there(name):
        found = [importlib.util.find_spec(module) is not None for module in modules.get(name, ("torch",))]
        return any(found) if name == "lightning" else all(found)

    return {name: share for name, share in frameworks.items() if there(name)}


def draw(seed, choice=None):
    """A recipe of a seed. `choice` may narrow faults, weathers and formats to lists, and give the shares of frameworks."""
    choice = choice or {}
    r = random.Random(seed)
    allowed = choice.get("faults") or list(faults.faults) + list(players.faults)
    shares = choice.get("frameworks") or frameworks
    fault = r.choice(allowed)
    if fault in players.faults:
        task, framework = players.faults[fault].tasks[0], "pytorch"
    else:
        task = r.choice(faults.faults[fault].tasks or list(problems.makers))
        loop_only = faults.faults[fault].pytorch_only or fault in (
            "half_overflows",
            "dropout_in_validation",
            "sorted_by_label",
        )
        framework = (
            "pytorch" if loop_only and fault not in sklearn_loop.able else r.choices(list(shares), shares.values())[0]
        )
        if framework == "sklearn" and (fault not in sklearn_loop.able or task not in sklearn_loop.tasks):
            framework = "keras" if "keras" in shares else "pytorch"
        if loop_only and framework != "sklearn":
            framework = "pytorch"
    architecture = r.choice(sklearn_loop.architectures) if framework == "sklearn" else architecture_for(r, task, fault)
    optimizer = r.choice(list(networks.rates))
    kept = r.choices(["rich", "usual", "losses", "poor"], (35, 40, 13, 12))[0]
    formats = choice.get("formats") or records.formats
    weights = [3 if name in records.files else 1 for name in formats]
    format = {
        "pytorch": r.choices(formats, weights)[0],
        "lightning": "lightning-csv",
        "transformers": r.choice(["hf-console", "trainer-state"]),
        "keras": r.choice(keras_loop.formats),
        "sklearn": r.choice(["sklearn-verbose", *[name for name in formats if name != "hooks"][:4], "jsonl", "csv"]),
    }[framework]
    if task in players.tasks and format in ("hooks", "trainer-state"):
        format = "jsonl"
    batch = r.choice([16, 32, 64])
    heavy = task in ("texts", "language", "pictures") and architecture not in ("flat", "bag", "mlp")
    return Recipe(
        seed=seed, task=task, architecture=architecture, optimizer=optimizer,
        schedule=r.choice(["constant", "constant", "cosine", "warmup", "steps", "linear"]),
        framework=framework, format=format, fault=fault, strength=r.random(),
        weather=r.choices(["calm", "other"], (50, 50))[0] if framework != "pytorch" or task in players.tasks else r.choice(["calm", *(choice.get("weathers") or weather.kinds)]),
        rows=r.choice([800, 1600, 2400]), batch=batch, steps=r.choice([160, 240, 400]) if heavy else r.choice([240, 400, 600]),
        every=r.choice([1, 5, 10, 20]), validations=r.choice([4, 8, 12, 20]), by_epoch=r.random() < 0.35 or framework in ("keras", "sklearn"), keeps_settings=r.random() < 0.6,
        says_end=r.random() < 0.5, loss_name=r.choice(["loss", "loss", "loss", "loss", {"language": "lm_loss", "regression": "mse"}.get(task, "ce_loss")]),
        values=values_of(r, kept, task, framework),
    )  # fmt: skip


def architecture_for(r, task, fault):
    if fault == "stale_statistics":
        return "cnn" if task == "pictures" else "normalised"
    if fault == "dropout_in_validation":
        return r.choice(["residual", "normalised"])
    if fault == "units_dead":
        return "flat" if task == "pictures" else "mlp"
    if task in players.tasks:
        return "mlp"
    shape = {"pictures": "pictures", "texts": "tokens", "language": "language"}.get(task, "rows")
    return r.choice(networks.by_shape[shape])


def values_of(r, kept, task, framework):
    unseen = {"keras": {"grad_norm"}, "sklearn": {"grad_norm", "lr"}}.get(framework, set())
    scored = r.random() < {"regression": 0.5, "restore": 0.3, "language": 0.3}.get(task, 1.0)
    chosen = {
        "rich": ["loss", "accuracy", "grad_norm", "lr", "val_loss", "val_accuracy"],
        "usual": [
            "loss",
            *(["accuracy"] if r.random() < 0.6 else []),
            *(["lr"] if r.random() < 0.4 else []),
            "val_loss",
            "val_accuracy",
        ],
        "losses": ["loss", "val_loss", *(["lr"] if r.random() < 0.4 else [])],
        "poor": ["loss", *(["accuracy"] if r.random() < 0.5 else [])],
    }[kept]
    return tuple(name for name in chosen if (scored or "accuracy" not in name) and name not in unseen)


def prepare(recipe):
    """The plan of a recipe, with its weather and its fault put in."""
    torch.manual_seed(recipe.seed)
    problem = problems.make(recipe.task, recipe.seed, recipe.rows)
    dropout = 0.2 if recipe.seed % 4 == 0 or recipe.fault == "dropout_in_validation" else 0.0
    model = networks.build(problem, "mlp" if recipe.framework == "sklearn" else recipe.architecture, dropout=dropout)
    # Targets of large scale need their rate all the same: the last layer is scaled with them, as people do by hand.
    plan = plans.Plan(
        problem, model, recipe.optimizer, networks.rates[recipe.optimizer], recipe.schedule, recipe.batch, recipe.steps,
        torch.Generator().manual_seed(recipe.seed + 7), clip=1.0 if recipe.seed % 2 else None,
    )  # fmt: skip
    if recipe.weather in weather.kinds:
        weather.kinds[recipe.weather](plan, recipe.strength)
    if recipe.fault:
        faults.faults[recipe.fault].put(plan, recipe.strength)
    plan.settings = {**settings_of(recipe, plan), **plan.settings}
    return plan


def settings_of(recipe, plan):
    named = {"classes": "num_classes", "language": "vocab_size"}.get(plan.problem.kind)
    return {
        "model": recipe.architecture, "optimizer": plan.optimizer, "learning_rate": plan.rate, "batch_size": plan.batch, "max_steps": plan.steps,
        "weight_decay": plan.decay, "seed": recipe.seed % 1000, **({"momentum": plan.momentum} if plan.optimizer in ("momentum", "nesterov") else {}),
        **({named: plan.problem.outcomes} if named and recipe.seed % 3 else {}),
    }  # fmt: skip
