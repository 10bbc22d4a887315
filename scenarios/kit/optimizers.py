"""Optimizers by the names that the catalogue uses."""

import torch


class Lion(torch.optim.Optimizer):
    """The sign of an interpolated momentum, with decoupled weight decay (Chen et al. 2023)."""

    def __init__(self, params, lr=1e-4, betas=(0.9, 0.99), weight_decay=0.0):
        super().__init__(params, {"lr": lr, "betas": betas, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            fast, slow = group["betas"]
            for parameter in group["params"]:
                if parameter.grad is None:
                    continue
                momentum = self.state[parameter].setdefault("momentum", torch.zeros_like(parameter))
                parameter.mul_(1 - group["lr"] * group["weight_decay"])
                parameter.add_((fast * momentum + (1 - fast) * parameter.grad).sign(), alpha=-group["lr"])
                momentum.mul_(slow).add_(parameter.grad, alpha=1 - slow)
        return loss


def make(name, parameters, lr):
    """adam, adamw, sgd, momentum, adafactor or lion."""
    if name == "adam":
        return torch.optim.Adam(parameters, lr=lr)
    if name == "adamw":
        return torch.optim.AdamW(parameters, lr=lr)
    if name == "sgd":
        return torch.optim.SGD(parameters, lr=lr)
    if name == "momentum":
        return torch.optim.SGD(parameters, lr=lr, momentum=0.9)
    if name == "adafactor":
        return torch.optim.Adafactor(parameters, lr=lr)
    if name == "lion":
        return Lion(parameters, lr=lr)
    raise ValueError(f"unknown optimizer {name}")
