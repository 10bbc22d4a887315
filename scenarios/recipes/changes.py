"""The harmful changes of a pair of runs: each is one thing that people alter between two runs and that shows in what the second
run says of itself. A setup is a dict of what training sees; `plan_of` makes a plan of it, so a changed value acts by itself.

What a file name, a commit or a library brings along is not seen in its value: that is in the setup under `hidden`.
"""

import copy
import dataclasses

import torch
from torch import nn
from torch.nn import functional

from . import networks, problems, weather
from . import plan as plans
from .faults import between

activations = {
    "relu": nn.ReLU, "tanh": nn.Tanh, "gelu": nn.GELU, "sigmoid": nn.Sigmoid,
    "softmax": lambda: nn.Softmax(1), "hardshrink": lambda: nn.Hardshrink(1.5),
}  # fmt: skip
descent = ("sgd", "momentum", "nesterov")
adaptive = ("adam", "adamw", "rmsprop")
classes = ("table", "rare", "pictures", "texts")
attention = ("encoder", "decoder", "vit")
by_batch_statistics = ("normalised", "cnn")


# From a setup to a plan


def plan_of(recipe, setup, seed):
    """The plan of a setup. The problem is the recipe's; the seed is that of the weights and of the order."""
    hidden = setup["hidden"]
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed + 7)
    problem = problems.make(recipe.task, recipe.seed, recipe.rows)
    held_out = change_data(problem, setup, hidden, generator)
    batch = setup["batch"] * setup["accumulate"]
    steps = setup["epochs"] * max(1, len(problem.train[0]) // batch) if setup["epochs"] else setup["steps"]
    plan = plans.Plan(
        problem, model_of(recipe, problem, setup, hidden), setup["optimizer"], setup["lr"], recipe.schedule, batch, steps, generator,
        decay=setup["decay"], momentum=setup["momentum"], clip=setup["clip"], shuffles=setup["shuffle"], held_out=held_out,
        half=setup["precision"] == "fp16", clears=hidden.get("bug") != "not_cleared", stops_early=recipe.weather == "early_stopping",
    )  # fmt: skip
    if recipe.weather in weather.kinds and recipe.weather != "early_stopping":
        weather.kinds[recipe.weather](plan, recipe.strength)
    plan.objective = objective_of(problem, setup, hidden)
    freeze(plan, hidden["trains"] if setup["freeze"] else "all")
    if hidden.get("bug") == "foreign":
        plan.stepped = list(copy.deepcopy(plan.model).parameters())
    if hidden.get("bug") == "stuck":
        plan.stepped = [networks.head_of(plan.model).bias]
    scheduled, drawn, made = plan.factor, plan.draw, plan.make_optimizer
    plan.factor = lambda step: (
        scheduled(step) * min(1.0, (step + 1) / max(1, setup["warmup"])) * max(1e-30, setup["gamma"] ** step)
    )
    plan.draw = lambda step: augmented(setup, problem, drawn(step), generator)
    plan.make_optimizer = lambda: with_eps(made(), setup["eps"])
    return plan


def change_data(problem, setup, hidden, generator):
    """Alters the parts of a problem in place. Gives the rows to validate on where they are not the problem's own."""
    if hidden.get("sorted"):
        order = problem.train[1].argsort()
        problem.train = tuple(part[order] for part in problem.train)
    problem.train = tuple(part[: setup["rows"]] for part in problem.train)
    inputs, targets = problem.train
    for part in ("train", "held_out", "unseen"):
        seen, wanted = getattr(problem, part)
        if setup["max_length"]:
            seen = seen[:, : setup["max_length"]]
        if setup["features"]:
            seen = torch.where(torch.arange(seen.shape[1]) < setup["features"], seen, torch.zeros(()))
        if not setup["normalize"]:
            seen = seen * hidden["scale"] + hidden["offset"]
        setattr(problem, part, (seen, wanted))
    labels = hidden.get("labels")
    if labels == "shuffled":
        problem.train = (problem.train[0], targets[torch.randperm(len(targets), generator=generator)])
    if labels == "mapped":
        problem.train = (problem.train[0], (targets + 1) % problem.outcomes)
    if hidden.get("words"):
        other = torch.randperm(problem.inputs, generator=generator)
        problem.train = (other[inputs], other[targets] if problem.kind == "language" else targets)
    if labels == "shifted":
        problem.train = (problem.train[0], targets.roll(1, 0))
        return problem.held_out[0], problem.held_out[1].roll(1, 0)
    return None


def model_of(recipe, problem, setup, hidden):
    model = networks.build(problem, recipe.architecture, width=setup["width"])
    if setup["activation"] != activation_of(recipe):
        replace_activations(model, activations[setup["activation"]])
    with torch.no_grad():
        for layer in networks.layers_of(model):
            layer.weight.mul_(setup["init"])
        if hidden.get("weights"):
            for parameter in model.parameters():
                parameter.add_(hidden["weights"] * torch.randn_like(parameter))
    if setup["dropout"]:
        linear = [layer for layer in model.modules() if isinstance(layer, nn.Linear)]
        for layer in linear[1:] or linear:
            layer.register_forward_pre_hook(
                lambda module, given: functional.dropout(given[0], setup["dropout"], module.training)
            )
    return model


def activation_of(recipe):
    known = {"mlp": "relu", "flat": "relu", "normalised": "relu", "cnn": "relu", "deep": "tanh", "residual": "gelu"}
    return known.get(recipe.architecture)


def replace_activations(module, make):
    for name, part in module.named_children():
        if isinstance(part, (nn.ReLU, nn.Tanh, nn.GELU)):
            setattr(module, name, make())
        else:
            replace_activations(part, make)


def objective_of(problem, setup, hidden):
    """What is minimised, or nothing where it is the problem's own loss."""
    usual = "mse" if problem.kind == "regression" else "cross_entropy"
    bug = hidden.get("bug")
    if (setup["loss"], setup["smoothing"], setup["loss_weight"], setup["class_weight"]) == (
        usual,
        0.0,
        0.0,
        1.0,
    ) and bug is None:
        return None

    def named(outputs, targets):
        if setup["loss"] == "mse":
            return functional.mse_loss(outputs, targets)
        if setup["loss"] == "poisson_nll":
            return functional.poisson_nll_loss(outputs, targets)
        if setup["loss"] == "bce_with_logits":
            return functional.binary_cross_entropy_with_logits(outputs, targets)
        if setup["loss"] == "cosine":
            return 1 - functional.cosine_similarity(outputs, targets).mean()
        outputs, targets = outputs.flatten(0, -2), targets.flatten()
        if setup["loss"] == "nll_loss":
            return functional.nll_loss(outputs, targets)
        weight = torch.tensor([1.0, setup["class_weight"]]) if setup["class_weight"] != 1.0 else None
        return functional.cross_entropy(outputs, targets, weight, label_smoothing=setup["smoothing"])

    def objective(outputs, targets):
        if bug == "softmax_twice":
            outputs = 0.02 * outputs.softmax(-1)
        loss = named(outputs, targets) + setup["loss_weight"] * outputs.pow(2).mean()
        return -loss if bug == "sign" else loss

    return objective


def freeze(plan, trains):
    if trains == "all":
        return
    head = networks.head_of(plan.model)
    for parameter in plan.model.parameters():
        parameter.requires_grad_(False)
    head.bias.requires_grad_(True)
    if trains == "head":
        head.weight.requires_grad_(True)
    plan.stepped = [parameter for parameter in plan.model.parameters() if parameter.requires_grad]


def augmented(setup, problem, batch, generator):
    inputs, targets = batch
    if not setup["augment"]:
        return batch
    if inputs.is_floating_point():
        return inputs + setup["augment"] * torch.randn(inputs.shape, generator=generator), targets
    other = torch.randint(0, problem.inputs, inputs.shape, generator=generator)
    return torch.where(torch.rand(inputs.shape, generator=generator) < setup["augment"], other, inputs), targets


def with_eps(optimizer, eps):
    for group in optimizer.param_groups:
        if isinstance(group.get("eps"), float):
            group["eps"] = eps
    return optimizer


# What people change


@dataclasses.dataclass(frozen=True)
class Change:
    """`alter` gives new values by concept, from a random source, the recipe, the setup and a force between 0 and 1; what it puts
    under `hidden` joins the setup's. `shows` are the concepts by which the run can tell it; `given` is hidden in both runs."""

    alter: object
    shows: tuple
    fits: object
    given: dict


changes: dict[str, Change] = {}


def change(*shows, tasks=(), optimizers=(), without=(), only=(), when=None, given=None):
    def fits(recipe, setup):
        return (
            (not tasks or recipe.task in tasks)
            and (not optimizers or setup["optimizer"] in optimizers)
            and recipe.architecture not in without
            and (not only or recipe.architecture in only)
            and (when is None or when(recipe, setup))
        )

    def keep(alter):
        changes[alter.__name__] = Change(alter, shows, fits, given or {})
        return alter

    return keep


def rounded(value):
    return float(f"{value:.1g}")


def small_epochs(recipe, setup):
    return setup["epochs"] and setup["epochs"] <= 25


@change("lr")
def rate_too_high(r, recipe, setup, force):
    return {"lr": rounded(setup["lr"] * between(30, 1000, force))}


@change("lr")
def rate_too_low(r, recipe, setup, force):
    return {"lr": rounded(setup["lr"] * between(3e-3, 1e-5, force))}


@change("optimizer")
def optimizer_swapped(r, recipe, setup, force):
    if setup["lr"] < 0.02:
        return {"optimizer": "sgd" if setup["optimizer"] != "adafactor" else r.choice(["sgd", "lion"])}
    return {"optimizer": r.choice(["adam", "rmsprop", "lion"] if force < 0.5 else ["rmsprop", "lion"])}


@change("momentum", optimizers=("momentum", "nesterov"), when=lambda recipe, setup: setup["clip"] is None)
def momentum(r, recipe, setup, force):
    return {"momentum": r.choice([0.999, 0.995]) if force < 0.5 else 0.9999}


@change("decay", optimizers=("adam", "adamw", *descent))
def weight_decay(r, recipe, setup, force):
    return {"decay": rounded(between(20, 300, force) if setup["optimizer"] == "adamw" else between(0.8, 6, force))}


@change("length")
def too_short(r, recipe, setup, force):
    return {"epochs": 1} if setup["epochs"] else {"steps": max(2, int(between(25, 4, force)))}


@change(
    "batch",
    without=by_batch_statistics,
    when=lambda recipe, setup: small_epochs(recipe, setup) or setup["optimizer"] in descent,
)
def batch_size(r, recipe, setup, force):
    return {"batch": setup["batch"] * (16 if force < 0.5 else 64) if setup["epochs"] else 2 if force < 0.5 else 1}


@change("accumulate", when=small_epochs)
def accumulation(r, recipe, setup, force):
    return {"accumulate": 16 if force < 0.5 else 64}


@change("clip", optimizers=descent)
def clipping(r, recipe, setup, force):
    return {"clip": rounded(between(1e-3, 1e-6, force))}


@change("warmup")
def warmup_too_long(r, recipe, setup, force):
    return {"warmup": r.choice([20_000, 50_000] if force < 0.5 else [500_000, 1_000_000])}


@change("gamma")
def decays_at_once(r, recipe, setup, force):
    return {"gamma": r.choice([0.9, 0.8]) if force < 0.5 else r.choice([0.5, 0.1])}


@change("eps", optimizers=(*adaptive, "adagrad"))
def epsilon(r, recipe, setup, force):
    return {"eps": r.choice([1.0, 10.0]) if force < 0.5 else 1e8}


@change("dropout")
def dropout(r, recipe, setup, force):
    return {"dropout": 0.95 if force < 0.5 else 0.99}


@change("smoothing", tasks=(*classes, "language"))
def label_smoothing(r, recipe, setup, force):
    return {"smoothing": r.choice([0.9, 0.95]) if recipe.task == "language" and force < 0.5 else 1.0}


@change("rows", "file")
def fewer_rows(r, recipe, setup, force):
    few = max(setup["batch"], int(between(64, 12, force)))
    return {"rows": few, "file": r.choice([f"train_{few}", "train_small", "train_sample", "debug"])}


@change("file", "version", "hash", tasks=(*classes, "regression", "language"))
def other_data(r, recipe, setup, force):
    mapped = recipe.task in ("table", "pictures", "texts")
    labels = r.choice(["shuffled", "shifted", *(["mapped"] if mapped else [])])
    other = f"{setup['file'].rsplit('_v', 1)[0]}_v{r.randint(5, 9)}"
    return {"file": other, "version": setup["version"] + r.choice([1, 1, 2]), "hash": f"{r.getrandbits(48):012x}", "hidden": {"labels": labels}}  # fmt: skip


@change("normalize", tasks=("table", "rare", "pictures", "regression"), without=by_batch_statistics)
def not_normalised(r, recipe, setup, force):
    return {"normalize": False, "hidden": {"scale": between(30, 1000, force), "offset": between(50, 3000, force)}}


@change("augment")
def augmentation(r, recipe, setup, force):
    return {"augment": r.choice([0.9, 0.95]) if recipe.task in ("texts", "language") and force < 0.5 else 1.0 if recipe.task in ("texts", "language") else rounded(between(8, 60, force))}  # fmt: skip


@change("features", tasks=("table", "rare", "regression"))
def fewer_features(r, recipe, setup, force):
    return {"features": 2 if force < 0.5 else 1}


@change("max_length", tasks=("texts",))
def cut_short(r, recipe, setup, force):
    return {"max_length": 2 if force < 0.5 else 1}


@change("vocabulary", tasks=("texts", "language"))
def other_vocabulary(r, recipe, setup, force):
    return {
        "vocabulary": "tokenizer/" + r.choice(["vocab_v2.json", "bpe-8k.model", "vocab.new.txt"]),
        "hidden": {"words": True},
    }


@change("freeze")
def frozen_layers(r, recipe, setup, force):
    return {"freeze": True, "hidden": {"trains": "head" if force < 0.5 else "bias"}}


@change("init")
def initial_scale(r, recipe, setup, force):
    return {"init": rounded(between(10, 100, force)) if r.random() < 0.7 else r.choice([0.0, 1e-4])}


@change("activation", only=("mlp", "deep", "flat", "residual", "cnn"))
def activation(r, recipe, setup, force):
    return {
        "activation": "sigmoid" if force < 0.5 and recipe.architecture == "deep" else r.choice(["softmax", "hardshrink"])
    }


@change("width", tasks=("table", "pictures", "texts", "language", "regression", "restore"), without=("cnn", *attention))
def width(r, recipe, setup, force):
    return {"width": 2 if force < 0.5 else 1}


@change("precision", tasks=("table", "rare", "regression", "restore"), optimizers=adaptive)
def half_precision(r, recipe, setup, force):
    return {"precision": "fp16"}


@change("loss", tasks=("table", "texts", "regression", "restore", "language"))
def other_loss(r, recipe, setup, force):
    return {"loss": r.choice(["poisson_nll", "bce_with_logits", "cosine"]) if setup["loss"] == "mse" else "nll_loss"}


@change("loss_weight", tasks=("regression", "restore", "language"))
def loss_weight(r, recipe, setup, force):
    return {"loss_weight": rounded(between(5, 100, force))}


@change("class_weight", tasks=("rare",))
def class_weight(r, recipe, setup, force):
    return {"class_weight": rounded(between(100, 10_000, force))}


@change("commit")
def code_version(r, recipe, setup, force):
    bugs = ["sign", "not_cleared", "foreign", *(["softmax_twice"] if recipe.task in ("table", "pictures", "texts") else [])]
    return {"commit": f"{r.getrandbits(160):040x}"[: len(setup["commit"])], "hidden": {"bug": r.choice(bugs)}}


@change("shuffle", tasks=("table", "pictures", "texts"), given={"sorted": True})
def not_shuffled(r, recipe, setup, force):
    return {"shuffle": False}


@change("resume")
def bad_checkpoint(r, recipe, setup, force):
    place = r.choice(["checkpoints/last.pt", "runs/0112/ckpt_4000.pt", "/scratch/models/epoch_03.ckpt"])
    return {"resume": place, "hidden": {"weights": between(1.5, 20, force)}}


@change("library", tasks=(*classes, "regression", "language"))
def library_version(r, recipe, setup, force):
    major, minor, patch = setup["library"].split(".")
    return {"library": r.choice([f"{major}.{int(minor) + r.randint(1, 3)}.0", f"{int(major) + 1}.0.{patch}"]), "hidden": {"labels": "shuffled"}}  # fmt: skip


@change("device")
def other_device(r, recipe, setup, force):
    return {"device": r.choice(["mps", "xla", "cpu"]), "hidden": {"bug": "stuck"}}
