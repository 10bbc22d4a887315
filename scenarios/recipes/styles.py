"""The lines people print. A style turns the values of one moment into text; `names` are keys of loss, accuracy, val_loss, val_accuracy,
lr, grad_norm, and for other losses the words that fit."""

import datetime
import json


def number(value, digits=4):
    return f"{value:.{digits}f}" if abs(value) < 1e5 else f"{value:.4e}"


def joined(values, pair, between):
    return between.join(
        pair.format(name=name, value=number(value, 6 if name == "lr" else 4)) for name, value in values.items()
    )


def renamed(values, **names):
    return {names.get(name, name): value for name, value in values.items()}


def pipes(at, values):
    return f"step {at['step']} | " + joined(values, "{name} {value}", " | ")


def keras_like(at, values):
    return f"Epoch {at['epoch'] + 1}/{at['epochs']} - " + joined(values, "{name}: {value}", " - ")


def bracketed(at, values):
    return f"[{at['epoch'] + 1}, {at['step']:5d}] " + joined(values, "{name}: {value}", ", ")


def equals(at, values):
    return f"epoch={at['epoch']} step={at['step']} " + joined(
        renamed(values, loss="train_loss", accuracy="train_acc", val_accuracy="val_acc"), "{name}={value}", " "
    )


def stamped(at, values):
    moment = datetime.datetime(2026, 3, 1, 9, 0) + datetime.timedelta(seconds=at["step"] * 2)
    return (
        f"{moment:%Y-%m-%d %H:%M:%S,%f}"[:-3]
        + f" - INFO - train - iter {at['step']}: "
        + joined(values, "{name} {value}", ", ")
    )


def titled(at, values):
    words = renamed(
        values,
        loss="Train Loss",
        accuracy="Train Acc",
        val_loss="Val Loss",
        val_accuracy="Val Acc",
        lr="LR",
        grad_norm="Grad Norm",
    )
    return f"Epoch: {at['epoch'] + 1:03d} | " + joined(words, "{name}: {value}", " | ")


def percent(at, values):
    shown = {name: 100 * value if "accuracy" in name else value for name, value in values.items()}
    words = renamed(shown, loss="train loss", accuracy="train acc (%)", val_loss="val loss", val_accuracy="val acc (%)")
    return f"== epoch {at['epoch'] + 1} == " + "; ".join(
        f"{name}: {value:.2f}" if "%" in name else f"{name}: {number(value)}" for name, value in words.items()
    )


def json_line(at, values):
    return json.dumps(
        {"epoch": at["epoch"], "step": at["step"], **{name: round(value, 6) for name, value in values.items()}}
    )


def dictionary(at, values):
    return str(
        {
            **{
                name.replace("val_", "eval_"): round(value, 4 if name != "lr" else 8)
                for name, value in renamed(values, lr="learning_rate").items()
            },
            "epoch": round(at["step"] / max(1, at["epoch_steps"]), 2),
        }
    )


def bar(at, values):
    done = int(20 * (at["step"] + 1) / at["steps"])
    return (
        f"{100 * (at['step'] + 1) // at['steps']:3d}%|{'█' * done}{' ' * (20 - done)}| {at['step'] + 1}/{at['steps']} [00:{at['step'] % 60:02d}<00:10, 31.2it/s, "
        + joined(values, "{name}={value}", ", ")
        + "]"
    )


def boosted(at, values):
    words = renamed(values, loss="train-logloss", val_loss="eval-logloss", accuracy="train-acc", val_accuracy="eval-acc")
    return f"[{at['step']}]\t" + joined(words, "{name}:{value}", "\t")


def arrows(at, values):
    return f"ep{at['epoch']:>3} it{at['step']:>6} -> " + joined(
        renamed(values, loss="L", accuracy="acc", val_loss="vL", val_accuracy="vacc"), "{name} {value}", "  "
    )


def spoken(at, values):
    words = renamed(
        values,
        loss="training loss",
        accuracy="training accuracy",
        val_loss="validation loss",
        val_accuracy="validation accuracy",
        lr="learning rate",
        grad_norm="gradient norm",
    )
    return f"After epoch {at['epoch'] + 1}: " + joined(words, "{name} is {value}", ", ")


def slashes(at, values):
    words = renamed(
        values,
        loss="train/loss",
        accuracy="train/accuracy",
        val_loss="valid/loss",
        val_accuracy="valid/accuracy",
        lr="opt/lr",
        grad_norm="opt/grad_norm",
    )
    return f"[{at['step']}/{at['steps']}] " + joined(words, "{name}={value}", " ")


def ragged_table(at, values):
    head = "  ".join(f"{name:>12}" for name in ["epoch", *values])
    line = "  ".join([f"{at['epoch'] + 1:>12}", *(f"{value:>12.5g}" for value in values.values())])
    return head + "\n" + line if at["first"] else line


def boxed(at, values):
    cells = " │ ".join(f"{name} {number(value)}" for name, value in values.items())
    return f"│ {at['epoch'] + 1:>4} │ {cells} │"


def logged(at, values):
    return (
        f"I0301 09:{at['step'] // 60 % 60:02d}:{at['step'] % 60:02d}.000000 train.py:88] epoch {at['epoch']} step {at['step']} "
        + " ".join(f"{name}:{value:.5f}" for name, value in values.items())
    )


console = {
    style.__name__: style
    for style in (
        pipes,
        keras_like,
        bracketed,
        equals,
        stamped,
        titled,
        percent,
        json_line,
        dictionary,
        bar,
        boosted,
        arrows,
        spoken,
        slashes,
        ragged_table,
        boxed,
        logged,
    )
}
by_epoch = {"keras_like", "titled", "percent", "spoken", "ragged_table", "boxed"}
"""Styles that stand at the end of an epoch."""
