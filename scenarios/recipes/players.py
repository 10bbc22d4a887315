"""Two kinds of run whose losses are not meant to fall: a policy that is paid for its choices, and a generator against a discriminator."""

import torch
from kit import models
from torch.nn import functional

from . import records
from .faults import Fault, between

tasks = ("policy", "generator")

faults = {
    "policy_collapses": Fault(
        "policy_collapses",
        None,
        "optimization",
        "policy_collapse",
        ("learning_rate_too_high", "plateau", "divergence", "oscillation"),
        (),
        ("policy",),
    ),
    "reward_sign": Fault(
        "reward_sign",
        None,
        "model_software",
        "wrong_objective",
        ("code_error", "policy_collapse", "divergence"),
        (),
        ("policy",),
    ),
    "discriminator_wins": Fault(
        "discriminator_wins",
        None,
        "optimization",
        "mode_collapse",
        ("divergence", "learning_rate_too_high", "gradient_vanishing", "oscillation"),
        ("nothing",),
        ("generator",),
    ),
}


class Sized:
    """What a record asks of a plan."""

    def __init__(self, steps, settings):
        self.steps, self.epoch_steps, self.settings = steps, max(1, steps // 20), settings


def play(recipe, say):
    """Trains, records, and gives the skill."""
    torch.manual_seed(recipe.seed)
    return (policy if recipe.task == "policy" else generator)(recipe, say)


def policy(recipe, say):
    """Contexts and arms: one arm pays in each context."""
    g = torch.Generator().manual_seed(recipe.seed)
    arms, columns, steps = 3 + recipe.seed % 4, 6, 500
    weights = torch.randn(columns, arms, generator=g)
    rate, bonus = 5e-3, 0.01
    if recipe.fault == "policy_collapses":
        rate, bonus = between(0.3, 3.0, recipe.strength), 0.0
    model = models.mlp(columns, arms, 32)
    optimizer = torch.optim.Adam(model.parameters(), rate)
    plan = Sized(
        steps,
        {
            "model": "mlp",
            "algorithm": "reinforce",
            "optimizer": "adam",
            "learning_rate": rate,
            "entropy_coef": bonus,
            "max_steps": steps,
        },
    )
    record = records.open_record(recipe, plan, say)
    baseline = 0.0
    for step in range(steps):
        contexts = torch.randn(64, columns, generator=g)
        choices = torch.distributions.Categorical(logits=model(contexts))
        actions = choices.sample()
        rewards = (actions == (contexts @ weights).argmax(1)).float() + 0.1 * torch.randn(64, generator=g)
        earned = -rewards if recipe.fault == "reward_sign" else rewards
        loss = -((earned - baseline) * choices.log_prob(actions)).mean() - bonus * choices.entropy().mean()
        baseline = 0.9 * baseline + 0.1 * earned.mean().item()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 10 == 0:
            record.row(
                step,
                {
                    "policy_loss": loss.item(),
                    "mean_reward": rewards.mean().item(),
                    "entropy": choices.entropy().mean().item(),
                },
            )
    record.close()
    contexts = torch.randn(2000, columns, generator=g)
    best = (contexts @ weights).argmax(1)
    most = torch.bincount(best, minlength=arms).max().item() / 2000
    right = (model(contexts).argmax(1) == best).float().mean().item()
    return (right - most) / (1 - most)


def generator(recipe, say):
    """Six clouds on a ring; the skill is the share of clouds that samples fall into, when most samples fall into one."""
    g = torch.Generator().manual_seed(recipe.seed)
    steps, modes = 2500, 6
    angles = torch.arange(modes) * 2 * torch.pi / modes
    centres = torch.stack([angles.cos(), angles.sin()], 1)
    maker, judge = models.mlp(4, 2, 48), models.mlp(2, 1, 48)
    rates = (1e-3, 1e-3) if recipe.fault != "discriminator_wins" else (between(1e-4, 2e-5, recipe.strength), 3e-3)
    steps_of = (
        torch.optim.Adam(maker.parameters(), rates[0], betas=(0.5, 0.99)),
        torch.optim.Adam(judge.parameters(), rates[1], betas=(0.5, 0.99)),
    )
    plan = Sized(steps, {"lr_g": rates[0], "lr_d": rates[1], "optimizer": "adam", "max_steps": steps})
    record = records.open_record(recipe, plan, say)
    ones, zeros = torch.ones(64, 1), torch.zeros(64, 1)
    for step in range(steps):
        real = centres[torch.randint(0, modes, (64,), generator=g)] + 0.1 * torch.randn(64, 2, generator=g)
        made = maker(torch.randn(64, 4, generator=g))
        d_loss = functional.binary_cross_entropy_with_logits(
            judge(real), ones
        ) + functional.binary_cross_entropy_with_logits(judge(made.detach()), zeros)
        steps_of[1].zero_grad()
        d_loss.backward()
        steps_of[1].step()
        g_loss = functional.binary_cross_entropy_with_logits(judge(made), ones)
        steps_of[0].zero_grad()
        g_loss.backward()
        steps_of[0].step()
        if step % 25 == 0:
            record.row(step, {"d_loss": d_loss.item(), "g_loss": g_loss.item()})
    record.close()
    samples = maker(torch.randn(2000, 4, generator=g)).detach()
    near = torch.cdist(samples, centres).min(1)
    inside = near.values < 0.4
    counts = torch.bincount(near.indices[inside], minlength=modes)
    return (counts > 40).float().mean().item() * inside.float().mean().item()
