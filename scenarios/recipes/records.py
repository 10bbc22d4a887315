"""How a run is kept: which values, how often, and in which files. The loops call `train`, `held_out` and `close`; everything is
written into the working directory."""

import csv
import json

from . import events, styles

files = ["jsonl", "csv", "tensorboard", "wandb", "hooks"]
formats = [*styles.console, *files]


def say_settings(recipe, plan, say):
    """One of three ways in which scripts print what they were called with."""
    if recipe.keeps_settings:
        say(
            {
                0: lambda s: "Namespace(" + ", ".join(f"{k}={v!r}" for k, v in s.items()) + ")",
                1: lambda s: "\n".join(f"{k}: {v}" for k, v in s.items()),
                2: lambda s: "config: " + json.dumps(s),
            }[recipe.seed % 3](plan.settings)
        )


class Record:
    """Prints a moment in one of the styles. Values that the recipe does not keep are left out."""

    def __init__(self, recipe, plan, say):
        self.recipe, self.plan, self.say = recipe, plan, say
        self.first = True
        self.sums, self.counts = {}, 0
        self.pending = {}
        self.by_epoch = recipe.by_epoch or recipe.format in styles.by_epoch
        self.open()

    def open(self):
        say_settings(self.recipe, self.plan, self.say)

    def epoch(self, step, values):
        """The means of a whole epoch, where a loop has nothing finer."""
        self.pending = {name: value for name, value in values.items() if name in self.recipe.values}

    def train(self, step, values):
        values = {name: value for name, value in values.items() if name in self.recipe.values}
        for name, value in values.items():
            self.sums[name] = self.sums.get(name, 0.0) + value
        self.counts += 1
        ends = (step + 1) % self.plan.epoch_steps == 0 or step + 1 == self.plan.steps
        if self.by_epoch:
            if ends:
                means = {name: total / self.counts for name, total in self.sums.items()}
                self.pending, self.sums, self.counts = {**means, **({"lr": values["lr"]} if "lr" in values else {})}, {}, 0
        elif step % self.recipe.every == 0:
            self.row(step, values)

    def held_out(self, step, values):
        values = {f"val_{name}": value for name, value in values.items() if f"val_{name}" in self.recipe.values}
        if values and not self.by_epoch:
            self.row(step, values)
        self.pending = {**self.pending, **values} if self.by_epoch else {}

    def flush(self, step):
        if self.pending and self.by_epoch:
            self.row(step, self.pending)
        self.pending = {}

    def row(self, step, values):
        epochs = -(-self.plan.steps // self.plan.epoch_steps)
        at = {
            "step": step,
            "steps": self.plan.steps,
            "epoch": step // self.plan.epoch_steps,
            "epochs": epochs,
            "epoch_steps": self.plan.epoch_steps,
            "first": self.first,
        }
        self.first = False
        self.write(at, {self.recipe.named(name): value for name, value in values.items()})

    def write(self, at, values):
        self.say(styles.console[self.recipe.format](at, values))

    def close(self):
        if self.recipe.says_end:
            self.say(["Training finished.", "done", "Finished training in 41.2s", "training complete"][self.recipe.seed % 4])


class Jsonl(Record):
    def open(self):
        self.file = open("metrics.jsonl", "w")
        if self.recipe.keeps_settings:
            with open("config.json", "w") as file:
                json.dump(self.plan.settings, file, indent=1)

    def write(self, at, values):
        self.file.write(json.dumps({"step": at["step"], "epoch": at["epoch"], **values}) + "\n")

    def close(self):
        self.file.close()
        super().close()


class Csv(Jsonl):
    def open(self):
        super().open()
        import os

        self.file.close()
        os.remove("metrics.jsonl")
        self.file = open("log.csv", "w", newline="")
        self.writer = None

    def write(self, at, values):
        if self.writer is None:
            columns = (
                [*values, *(self.recipe.named(name) for name in self.recipe.values)] if "loss" in values else list(values)
            )
            self.writer = csv.DictWriter(self.file, ["step", "epoch", *dict.fromkeys(columns)], restval="")
            self.writer.writeheader()
        self.writer.writerow({"step": at["step"], "epoch": at["epoch"], **values})


class TensorBoard(Record):
    def open(self):
        self.file = events.EventFile("events.out.tfevents.1772355600.node01.1.0")
        if self.recipe.keeps_settings:
            with open("hparams.yaml", "w") as file:
                file.writelines(f"{name}: {value}\n" for name, value in self.plan.settings.items())

    def write(self, at, values):
        for name, value in values.items():
            self.file.scalar(f"val/{name[4:]}" if name.startswith("val_") else f"train/{name}", value, at["step"])

    def close(self):
        self.file.close()
        super().close()


class WeightsAndBiases(Record):
    """What the page of a run lets one download: its console, its settings, its last values, its history as a table."""

    def open(self):
        import os

        os.makedirs("files", exist_ok=True)
        self.last, self.rows = {}, []
        with open("files/config.yaml", "w") as file:
            file.write("_wandb:\n    value:\n        cli_version: 0.21.0\n")
            if self.recipe.keeps_settings:
                file.writelines(f"{name}:\n    value: {value}\n" for name, value in self.plan.settings.items())

    def write(self, at, values):
        named = {f"val/{name[4:]}" if name.startswith("val_") else f"train/{name}": value for name, value in values.items()}
        self.rows.append({"_step": at["step"], **named})
        self.last.update(self.rows[-1])

    def close(self):
        with open("history.csv", "w", newline="") as file:
            writer = csv.DictWriter(
                file, ["_step", *sorted({name for row in self.rows for name in row} - {"_step"})], restval=""
            )
            writer.writeheader()
            writer.writerows(self.rows)
        with open("files/wandb-summary.json", "w") as file:
            json.dump(self.last, file)
        super().close()


class Hooks(Record):
    """Grus's own hook, which looks at batches and gradients by itself."""

    def open(self):
        import grus_hooks

        self.log = grus_hooks.watch(
            self.plan.model, getattr(self.plan, "made_optimizer", None), directory=".", config=self.plan.settings
        )

    def step(self, step, loss, batch, norm):
        self.log.step(loss, batch=batch, step=step, grad_norm=norm)

    def row(self, step, values):
        pass

    def held_out(self, step, values):
        self.log.evaluation(**{self.recipe.named(name): value for name, value in values.items()})

    def close(self):
        self.log.close()


def open_record(recipe, plan, say):
    special = {"jsonl": Jsonl, "csv": Csv, "tensorboard": TensorBoard, "wandb": WeightsAndBiases, "hooks": Hooks}
    return special.get(recipe.format, Record)(recipe, plan, say)
