"""python -m recipes.pairs --count N --alike M --seed S --out DIR: pairs of runs of which the second differs in one harmful change, and
pairs that differ in the seed alone. In both, things that training does not see differ as well.

A pair with a change is kept only if the first run really learned and the second really did not. DIR/labels.json says what was changed,
by the names in the files of that pair.
"""

import argparse
import contextlib
import dataclasses
import multiprocessing
import os
import random
import shutil
import sys
import time
import traceback

import torch

from . import changes, loop, make, networks, records, styles
from . import recipe as recipes

weathers = ["calm", "calm", "calm", "warnings_printed", "caught_exception", "retried_step", "early_stopping"]
attempts = 5
forces = (0.25, 0.9)
"""How hard a change is tried, one after the other: what is enough differs from recipe to recipe."""


# What a pair is made of


def draw(r, index):
    """A sound recipe that keeps its settings and validates; formats come in turn."""
    console = list(styles.console)
    turn = [*records.files, console[index // 7 % len(console)], console[(index // 7 + 8) % len(console)]]
    choice = {
        "faults": ["rate_too_low"],
        "frameworks": {"pytorch": 1},
        "formats": [turn[index % len(turn)]],
        "weathers": weathers,
    }
    while True:
        recipe = recipes.draw(r.randrange(2**31), choice)
        if any(value.startswith("val_") for value in recipe.values):
            return dataclasses.replace(recipe, fault=None, keeps_settings=True, steps=min(recipe.steps, 300))


def setup_of(recipe, r):
    """Everything that training sees, by concept."""
    rows = recipe.rows // 2 + 99 if recipe.task == "language" else recipe.rows
    epochs = max(1, round(recipe.steps / max(1, rows // recipe.batch)))
    regression = recipe.task in ("regression", "restore")
    return {
        "model": recipe.architecture, "optimizer": recipe.optimizer, "lr": networks.rates[recipe.optimizer], "batch": recipe.batch, "rows": rows,
        "epochs": epochs if epochs >= 4 and r.random() < 0.6 else None, "steps": recipe.steps, "schedule": recipe.schedule,
        "decay": 0.01 if recipe.optimizer == "adamw" else r.choice([0.0, 0.0, 1e-5]), "momentum": 0.9, "eps": 1e-8, "clip": r.choice([None, 1.0, 5.0]),
        "warmup": r.choice([0, 0, 10, 20]), "gamma": r.choice([1.0, 0.9995]), "accumulate": 1, "dropout": r.choice([0.0, 0.0, 0.05]),
        "smoothing": 0.0, "loss": "mse" if regression else "cross_entropy", "loss_weight": 0.0, "class_weight": 1.0, "normalize": True, "augment": 0.0,
        "features": None, "max_length": 16 if recipe.task == "texts" else None, "vocabulary": "tokenizer/vocab.json", "freeze": False, "init": 1.0,
        "activation": changes.activation_of(recipe), "width": 48, "precision": "fp32", "shuffle": True, "resume": None, "device": "cuda",
        "file": r.choice(["train", "train_v4", "part_v3", "corpus_v2", f"train_{rows}"]), "version": r.randint(1, 6), "hash": f"{r.getrandbits(48):012x}",
        "commit": f"{r.getrandbits(160):040x}"[: r.choice([7, 8, 40])], "library": r.choice(["2.2.1", "2.4.1", "2.1.0"]), "hidden": {},
    }  # fmt: skip


def changed(setup, values):
    return {**setup, **values, "hidden": {**setup["hidden"], **values.get("hidden", {})}}


def decoy_of(r, setup, busy):
    """A small change of another setting, which does no harm: the concept and the new values."""
    length = {"epochs": setup["epochs"] + 1} if setup["epochs"] else {"steps": setup["steps"] + 5}
    able = {
        "lr": {"lr": round(setup["lr"] * r.choice([0.95, 0.967, 1.05]), 7)}, "length": length, "batch": {"batch": setup["batch"] + 1},
        "eps": {"eps": 1e-7}, "decay": {"decay": 0.011 if setup["decay"] == 0.01 else 2e-5}, "warmup": {"warmup": setup["warmup"] + 2},
        "dropout": {"dropout": round(setup["dropout"] + 0.01, 2)}, "clip": {"clip": (setup["clip"] or 9.0) + 1.0},
        "smoothing": {"smoothing": 0.01}, "rows": {"rows": setup["rows"] - 8}, "width": {"width": 52},
    }  # fmt: skip
    unable = {
        *busy, *([] if setup["optimizer"] in (*changes.adaptive, "adagrad") else ["eps"]),
        *(["smoothing"] if setup["loss"] == "mse" else []), *(["rows"] if "file" in busy else []),
    }  # fmt: skip
    concept = r.choice([name for name in able if name not in unable])
    return concept, able[concept]


# How a run writes down what it was made of

sections = {
    "optim": ["optim", "optimizer", "opt", "training"], "train": ["train", "trainer", "training", "fit"], "model": ["model", "net", "model_args"],
    "data": ["data", "dataset", "datamodule"], "env": ["env", "system", "meta"], "run": ["run", "experiment", "exp"], "log": ["logging", "logger", "log"],
}  # fmt: skip
words = {
    "model": ("model", "name arch type", "model arch architecture model_name"), "optimizer": ("optim", "name type algo", "optimizer optim opt optimizer_type"),
    "lr": ("optim", "lr learning_rate base_lr", "learning_rate lr base_lr init_lr"), "batch": ("data", "batch_size bs", "batch_size bs train_batch_size per_device_train_batch_size"),
    "epochs": ("train", "epochs max_epochs", "epochs num_epochs num_train_epochs max_epochs n_epochs"), "steps": ("train", "steps max_steps max_iters", "max_steps num_steps max_iters total_steps"),
    "schedule": ("optim", "scheduler lr_schedule", "lr_scheduler scheduler lr_scheduler_type"), "decay": ("optim", "weight_decay wd", "weight_decay wd l2"),
    "momentum": ("optim", "momentum", "momentum sgd_momentum mom"), "eps": ("optim", "eps", "adam_epsilon eps opt_eps"), "clip": ("train", "grad_clip clip_norm", "max_grad_norm grad_clip clip_grad gradient_clip_val"),
    "warmup": ("optim", "warmup_steps warmup", "warmup_steps num_warmup_steps warmup_iters"), "gamma": ("optim", "gamma lr_gamma", "lr_decay gamma lr_gamma"),
    "accumulate": ("train", "accumulate grad_accum", "gradient_accumulation_steps grad_accum accum_iter"), "dropout": ("model", "dropout p_drop", "dropout drop_rate dropout_p"),
    "smoothing": ("train", "label_smoothing smoothing", "label_smoothing smoothing ls_eps"), "loss": ("train", "loss criterion", "loss loss_fn criterion objective"),
    "loss_weight": ("train", "z_loss aux_weight", "z_loss_weight aux_loss_coef lambda_out reg_weight"), "class_weight": ("train", "pos_weight", "pos_weight positive_class_weight class_weight_1"),
    "rows": ("data", "n_train max_samples limit", "max_train_samples n_train train_size num_rows"), "file": ("data", "train path train_file", "train_file data_path train_data dataset"),
    "version": ("data", "version revision", "data_version dataset_version dataset_revision"), "hash": ("data", "md5 checksum", "data_hash dataset_md5 data_checksum"),
    "normalize": ("data", "normalize standardize", "normalize standardize scale_inputs norm_inputs"), "noise": ("data", "noise_std jitter", "aug_noise noise_std augment_noise jitter"),
    "mask": ("data", "mask_prob word_swap", "token_replace_prob mask_prob word_dropout"), "features": ("data", "columns features", "feature_set columns features"),
    "max_length": ("data", "max_len max_length", "max_length max_seq_length seq_len"), "vocabulary": ("data", "vocab tokenizer", "vocab_file tokenizer tokenizer_path"),
    "freeze": ("model", "freeze freeze_encoder", "freeze_backbone freeze_encoder freeze"), "init": ("model", "init_scale init_gain", "init_scale init_gain weight_init_scale"),
    "activation": ("model", "act activation", "activation act_fn nonlinearity"), "width": ("model", "width hidden dim", "hidden_size width hidden_dim d_model"),
    "precision": ("train", "precision dtype", "precision dtype mixed_precision"), "shuffle": ("data", "shuffle", "shuffle shuffle_train"), "resume": ("train", "resume resume_from", "resume_from init_from checkpoint resume"),
    "device": ("env", "device accelerator", "device accelerator"), "commit": ("env", "git_commit git_sha commit", "git_commit commit code_version git_sha git_rev"),
    "library": ("env", "torch datasets pandas", "torch_version datasets_version pandas_version"), "size": ("model", "n_params", "num_parameters n_params"),
}  # fmt: skip
hooks_write = {
    "lr": ["lr"], "optimizer": ["optimizer"], "decay": ["weight_decay"], "momentum": ["momentum"], "eps": ["eps"], "batch": ["batch_size", "batch.0", "batch.1"],
    "accumulate": ["batch_size", "batch.0", "batch.1"], "width": ["num_parameters", "trainable_parameters"], "freeze": ["trainable_parameters"],
    "precision": ["parameter_dtype"], "max_length": ["batch.0"],
}  # fmt: skip
"""What the hooks find out by themselves, by concept."""
around_words = {
    "seed": ("train", "seed", "seed random_seed manual_seed"), "name": ("run", "name", "run_name name exp_name"), "folder": ("run", "dir output_dir", "output_dir save_dir out log_dir"),
    "id": ("run", "id", "experiment_id run_id exp_id"), "host": ("env", "host hostname", "hostname host node"), "start": ("run", "started start_time", "start_time started_at timestamp"),
    "log_every": ("log", "every interval", "log_interval logging_steps log_every print_freq"), "workers": ("data", "num_workers workers", "num_workers workers dataloader_num_workers"),
    "port": ("env", "port master_port", "master_port port dist_port"), "tags": ("log", "tags wandb_tags", "wandb_tags tags"), "save": ("log", "save_every ckpt_every", "save_interval save_steps checkpoint_every"),
    "user": ("env", "user", "user username"), "bar": ("log", "progress_bar tqdm", "progress_bar disable_tqdm show_progress"), "pid": ("env", "pid", "pid"), "job": ("env", "slurm_job_id", "slurm_job_id job_id"),
}  # fmt: skip


def around_values(r):
    """Two values of each thing that training does not see, the later second."""

    def two(choices):
        return r.sample(choices, 2)

    first, day = r.randint(10, 400), r.randint(1, 12)
    stem, root = (
        r.choice(["exp", "run", "baseline", "tiny", "trial"]),
        r.choice(["runs", "/scratch/out", "outputs", "/data/exp"]),
    )
    number, process, job = first + r.randint(1, 9), r.randint(1000, 30_000), r.randint(100_000, 900_000)
    return {
        "seed": two(range(1, 1000)), "name": (f"{stem}-{first}", f"{stem}-{number}"), "folder": (f"{root}/{stem}_{first}", f"{root}/{stem}_{number}"),
        "id": (first, number), "host": two([f"node{i:02d}" for i in range(1, 20)]), "log_every": two([1, 2, 5, 10, 20]), "workers": two([0, 1, 2, 4, 8, 16]),
        "start": (f"2026-03-{day:02d}T09:{first % 60:02d}:12", f"2026-03-{day + r.randint(1, 9):02d}T14:{number % 60:02d}:40"),
        "port": two(range(29500, 29600)), "tags": two([["first"], ["ablation"], ["rerun", "march"], ["baseline"], ["sweep"]]), "save": two([50, 100, 200, 500, 1000]),
        "user": two(["anna", "jlee", "mkowalski", "priya", "root"]), "bar": two([True, False]), "pid": (process, process + r.randint(1, 9000)), "job": (job, job + r.randint(1, 5000)),
    }  # fmt: skip


class Surroundings:
    """What differs between two runs without any influence, and a few such things that do not."""

    def __init__(self, r):
        chosen = r.sample(list(around_words), r.randint(5, 11))
        self.differs, self.same = chosen[: r.randint(4, min(8, len(chosen)))], []
        self.same = [name for name in chosen if name not in self.differs]
        self.pairs = around_values(r)

    def differ(self, name):
        if name not in self.differs:
            self.differs = [name, *self.differs[1:]]
            self.same = [other for other in self.same if other != name]

    def value(self, side, name):
        return self.pairs[name][1 if side == "after" and name in self.differs else 0]

    def of(self, side):
        return {name: self.value(side, name) for name in (*self.differs, *self.same)}


class Names:
    """The words of one pair of runs: one style, one word for each thing."""

    def __init__(self, recipe, r):
        self.recipe, self.r = recipe, r
        styles_of = {"flat": 40, "nested": 22, "dotted": 16, "camel": 8, "kebab": 7, "upper": 7}
        if recipe.format in styles.console and recipe.seed % 3 < 2:  # printed as a Namespace, or a line each
            styles_of = {"flat": 80, "camel": 10, "upper": 10} if recipe.seed % 3 == 0 else {**styles_of, "nested": 0}
        self.style = r.choices(list(styles_of), styles_of.values())[0]
        self.section = {name: r.choice(choices) for name, choices in sections.items()}
        self.words = {
            concept: (section, r.choice(keys.split()), r.choice(flat.split()))
            for concept, (section, keys, flat) in {**words, **{f"around {n}": w for n, w in around_words.items()}}.items()
        }

    def of(self, concept, setup=None):
        if concept == "length":
            concept = "epochs" if setup["epochs"] else "steps"
        if concept == "augment":
            concept = "mask" if self.recipe.task in ("texts", "language") else "noise"
        section, key, flat = self.words[concept]
        if self.style in ("nested", "dotted"):
            return f"{self.section[section]}.{key}"
        parts = flat.split("_")
        return {
            "flat": flat, "kebab": "-".join(parts), "upper": flat.upper(), "camel": parts[0] + "".join(part.capitalize() for part in parts[1:]),
        }[self.style]  # fmt: skip

    def around(self, name):
        return self.of(f"around {name}")

    def shown(self, setup, needed, hides=()):
        """The concepts that the run writes down: what was asked for, what everybody writes, and some of the rest."""
        task, architecture = self.recipe.task, self.recipe.architecture
        able = {
            "momentum": setup["optimizer"] in ("momentum", "nesterov"), "eps": setup["optimizer"] in (*changes.adaptive, "adagrad"), "activation": setup["activation"],
            "width": architecture not in ("cnn", "vit"), "max_length": setup["max_length"], "vocabulary": task in ("texts", "language"), "class_weight": task == "rare",
            "features": task in ("table", "rare", "regression"), "normalize": task not in ("texts", "language"), "smoothing": setup["loss"] != "mse",
        }  # fmt: skip
        usual = ["model", "optimizer", "lr", "batch", "length", "momentum"]
        rest = [concept for concept in words if concept not in (*usual, "epochs", "steps", "noise", "mask")] + ["augment"]
        some = self.r.sample(rest, self.r.randint(4, 14))
        chosen = [concept for concept in (*usual, *some) if able.get(concept, True) and concept not in hides]
        return list(dict.fromkeys([*chosen, *needed]))


class Block(dict):
    """A section of settings that also prints as an indented block of YAML."""

    def __str__(self):
        indent = " " * self.indent
        return "".join(f"\n{indent}{name}: {value}" for name, value in self.items())


def write_down(recipe, names, setup, shown, around, size):
    """The settings of a run as its files have them, in the order in which a person would find them: by section, or as they came."""
    schedules = {"warmup": "constant_with_warmup", "steps": "step"}
    suffix = {"pictures": ".npz", "texts": ".jsonl", "language": ".txt"}.get(recipe.task, ".csv")
    said = {
        "optimizer": {"momentum": "sgd", "nesterov": "sgd"}.get(setup["optimizer"], setup["optimizer"]), "length": setup["epochs"] or setup["steps"], "size": size,
        "schedule": schedules.get(recipe.schedule, recipe.schedule), "features": f"top{setup['features']}" if setup["features"] else "all",
        "file": f"data/{setup['file']}{suffix}", "version": f"v{setup['version']}",
    }  # fmt: skip
    values = {names.of(concept, setup): said.get(concept, setup.get(concept)) for concept in shown}
    values = {**{names.around(name): value for name, value in around.items()}, **values}
    order = random.Random(recipe.seed).sample(sorted(values), len(values))
    if names.style != "nested":
        return {name: values[name] for name in order}
    settings = {}
    for name in order:
        section, key = name.split(".")
        block = settings.setdefault(section, Block())
        block.indent = 8 if recipe.format == "wandb" else 2
        block[key] = values[name]
    return settings


# Training


def trained(recipe, plan, folder):
    """Trains in a folder of its own. Gives the skill, how far what it reports lies above it, and how far validation ends above its
    best; nothing when it crashed."""
    os.makedirs(folder)
    before = os.getcwd()
    os.chdir(folder)
    try:
        with open("console.log", "w") as console, contextlib.redirect_stdout(console), contextlib.redirect_stderr(console):
            loop.train(recipe, plan, lambda text: print(text, file=console))
        if os.path.getsize("console.log") == 0:
            os.remove("console.log")
    except (RuntimeError, ValueError):
        traceback.print_exc()
        return None
    finally:
        os.chdir(before)
    reported, history = plan.validate()[1], plan.history[:-1]
    outputs = plan.answer(plan.problem.unseen[0])
    excess = reported - plan.problem.score(outputs, plan.problem.unseen[1])
    return plan.problem.skill(outputs), excess, history[-1] / max(1e-3, min(history))


class Pair:
    """One pair in its folder: the recipe, the names in which it writes, and what differs around it."""

    def __init__(self, recipe, r, folder):
        self.recipe, self.r, self.folder = recipe, r, folder
        self.names = Names(recipe, r)
        self.around = Surroundings(r)

    def train(self, side, setup, shown):
        folder = os.path.join(self.folder, side)
        shutil.rmtree(folder, ignore_errors=True)
        recipe = dataclasses.replace(self.recipe, every=self.around.value(side, "log_every"))
        plan = changes.plan_of(recipe, setup, self.recipe.seed + self.around.value(side, "seed"))
        size = sum(parameter.numel() for parameter in plan.model.parameters())
        plan.settings = write_down(recipe, self.names, setup, shown, self.around.of(side), size)
        return trained(recipe, plan, folder)

    def well(self, setup, shown):
        measured = self.train("before", setup, shown)
        if measured is None:
            return None
        skill, excess, rise = measured
        return skill if skill >= make.enough.get(self.recipe.task, 0.5) and abs(excess) <= 0.1 and rise <= 1.15 else None

    def label(self, **more):
        recipe = self.recipe
        return {
            **more, "harmless": sorted(self.names.around(name) for name in self.around.differs), "seed": recipe.seed, "task": recipe.task,
            "architecture": recipe.architecture, "optimizer": recipe.optimizer, "format": recipe.format, "style": self.names.style,
            "weather": recipe.weather, "values": list(recipe.values),
        }  # fmt: skip


def planted(r, index, folder, name, with_decoy):
    """The label of a pair with one harmful change; nothing when none was found that does harm."""
    change = changes.changes[name]
    for _ in range(attempts):
        recipe, setup = fitting(r, index, change)
        pair = Pair(recipe, r, folder)
        shows = tuple(r.sample(change.shows, r.randint(1, len(change.shows))))
        concept, small = decoy_of(r, setup, change.shows) if with_decoy else (None, {})
        hides = {*change.shows, *(["version", "hash"] if "file" in change.shows else [])} - {*shows}
        shown = pair.names.shown(setup, [*shows, *([concept] if concept else [])], hides=hides)
        skill = pair.well(setup, shown)
        if skill is None:
            continue
        for force in forces:
            values = change.alter(r, recipe, setup, force)
            measured = pair.train("after", changed(setup, {**small, **values}), shown)
            if measured and measured[0] <= min(0.5 * skill, skill - 0.25):
                told = [*shows, *(["size"] if name == "width" and "size" in shown else [])]
                own = [word for show in shows for word in hooks_write.get(show, ())] if recipe.format == "hooks" else []
                return pair.label(
                    changed=list(dict.fromkeys([*(pair.names.of(show, setup) for show in told), *own])), kind="planted", change=name, hidden=values.get("hidden", {}),
                    decoy=pair.names.of(concept, setup) if concept else None, skill=[round(skill, 3), round(measured[0], 3)],
                )  # fmt: skip
    return None


def fitting(r, index, change):
    while True:
        recipe = draw(r, index)
        setup = changed(setup_of(recipe, r), {"hidden": change.given})
        if change.fits(recipe, setup):
            return recipe, setup


def alike(r, index, folder):
    """The label of a pair of another seed: whatever the second run then does, no setting is to blame."""
    for _ in range(attempts):
        recipe = draw(r, index)
        setup, pair = setup_of(recipe, r), Pair(recipe, r, folder)
        pair.around.differ("seed")
        shown = pair.names.shown(setup, [])
        skill = pair.well(setup, shown)
        measured = None if skill is None else pair.train("after", setup, shown)
        if skill is not None and measured is not None:
            return pair.label(changed=[], kind="seed", skill=[round(skill, 3), round(measured[0], 3)])
    return None


def work(task):
    index, count, seed, folder = task
    torch.set_num_threads(1)
    name, r, started = f"pair-{index:03d}", random.Random(f"{seed}/{index}"), time.time()
    kinds = list(changes.changes)
    place, label = os.path.join(folder, name), None
    try:
        label = (
            planted(r, index, place, kinds[index % len(kinds)], index % 3 == 0) if index < count else alike(r, index, place)
        )
    except Exception:
        print(f"{name}: {traceback.format_exc()}", file=sys.stderr)
    if label is None:
        shutil.rmtree(place, ignore_errors=True)
    return name, kinds[index % len(kinds)] if index < count else "seed", label, time.time() - started


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=130, help="pairs with a change to look for")
    parser.add_argument("--alike", type=int, default=40, help="pairs of another seed alone")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", required=True)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1e9, help="stop after so long; what is done then is the set")
    options = parser.parse_args()
    folder, started, labels, tried = os.path.abspath(options.out), time.time(), {}, {}
    os.makedirs(folder, exist_ok=True)
    # Both kinds in turn, so that a set that is stopped early has its share of each.
    whole = options.count + options.alike
    order = sorted(
        range(whole), key=lambda i: i / options.count if i < options.count else (i - options.count) / options.alike
    )
    tasks = [(index, options.count, options.seed, folder) for index in order]
    with multiprocessing.get_context("spawn").Pool(options.workers) as pool:
        for name, kind, label, seconds in pool.imap_unordered(work, tasks):
            kept, drawn, spent = tried.get(kind, (0, 0, 0.0))
            tried[kind] = (kept + (label is not None), drawn + 1, spent + seconds)
            if label is not None:
                labels[name] = label
                make.write_labels(folder, labels)
            if time.time() - started > options.seconds:
                pool.terminate()
                break
    for name in os.listdir(folder):
        if name.startswith("pair-") and name not in labels:
            shutil.rmtree(os.path.join(folder, name))
    for kind, (kept, drawn, spent) in sorted(tried.items()):
        print(f"{kind:20} kept {kept:3} of {drawn:3}, {spent / drawn:.1f} s each")
    print(f"{len(labels)} pairs in {time.time() - started:.0f} s")


if __name__ == "__main__":
    main()
