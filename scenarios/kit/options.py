"""The command line that the scripts share: what the catalogue varies, plus whatever a script adds with a default."""

import argparse

import torch


def read(**defaults):
    """Options with the types of their defaults; seeds torch and keeps to one core."""
    known = {"architecture": "mlp", "optimizer": "adamw", "format": "plain", "framework": "pytorch"}
    known |= {"seed": 0, "lr": 1e-3, "steps": 240, "batch": 32, "every": 2}
    parser = argparse.ArgumentParser()
    for name, value in {**known, **defaults}.items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(value), default=value)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)
    return options


def config(options, **more):
    """What people write into their log of settings."""
    chosen = {
        "architecture": options.architecture, "optimizer": options.optimizer, "learning_rate": options.lr,
        "batch_size": options.batch, "max_steps": options.steps, "seed": options.seed,
    }  # fmt: skip
    return {**chosen, **more}
