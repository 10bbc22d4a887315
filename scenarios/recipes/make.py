"""Makes runs: each recipe is trained without its fault and with it. Both are kept only if the first does well by a margin and the
second does not; the label is then caused, not assumed."""

import contextlib
import json
import os
import traceback

import torch

from . import faults, loop, players
from . import recipe as recipes

enough = {"language": 0.3, "restore": 0.5, "generator": 0.6, "policy": 0.5, "rare": 0.4}
"""The skill from which a run does well, by task; 0.5 elsewhere."""


def one(recipe, folder):
    """Trains one recipe in a folder of its own. Gives its skill, how far what it reports lies above it, and how far validation
    ends above its best."""
    os.makedirs(folder)
    before = os.getcwd()
    os.chdir(folder)
    try:
        with open("console.log", "w") as console, contextlib.redirect_stdout(console), contextlib.redirect_stderr(console):
            measured = trained(recipe, lambda text: print(text, file=console))
        if os.path.getsize("console.log") == 0:
            os.remove("console.log")
        return measured
    finally:
        os.chdir(before)


def trained(recipe, say):
    if recipe.task in players.tasks:
        return players.play(recipe, say), 0.0, 1.0
    plan = recipes.prepare(recipe)
    try:
        loop.loops[recipe.framework](recipe, plan, say)
    except (RuntimeError, ValueError):
        traceback.print_exc()
        return -1.0, 0.0, 1.0
    reported = plan.validate()[1]
    plan.validates_in_train = False
    with torch.no_grad():
        outputs = plan.answer(plan.problem.unseen[0])
    rise = plan.history[-1] / max(1e-3, min(plan.history))
    return plan.problem.skill(outputs), reported - plan.problem.score(outputs, plan.problem.unseen[1]), rise


def pair(recipe, folder, name):
    """Labels of what was kept, by the name of the run; empty when the fault made no difference."""
    well = enough.get(recipe.task, 0.5)
    twin, faulty = os.path.join(folder, f"{name}a"), os.path.join(folder, f"{name}b")
    skill, excess, rise = one(recipe.twin(), twin)
    if skill < well or abs(excess) > 0.1 or rise > 1.15:
        return {}
    spoiled, misreported, _ = one(recipe, faulty)
    if spoiled > min(0.5 * skill, skill - 0.25) and abs(misreported) < 0.15:
        return {}
    return {f"{name}a": label(recipe.twin(), skill, skill), f"{name}b": label(recipe, spoiled, skill)}


def label(recipe, skill, twin):
    common = {
        "group": recipe.fault or f"healthy {recipe.weather}", "fault": recipe.fault, "strength": round(recipe.strength, 3), "weather": recipe.weather, "seed": recipe.seed,
        "task": recipe.task, "architecture": recipe.architecture, "optimizer": recipe.optimizer, "framework": recipe.framework, "format": recipe.format,
        "records": sorted(recipe.records()), "skill": round(skill, 3), "twin_skill": round(twin, 3),
    }  # fmt: skip
    if recipe.fault is None:
        return {"category": "healthy", **common}
    fault = faults.faults.get(recipe.fault) or players.faults[recipe.fault]
    cause = {"subcause": fault.subcause, "alternatives": list(fault.alternatives)}
    if fault.shows and not set(fault.shows) & recipe.records():
        return {
            "category": "unknown",
            "subcause": None,
            "alternatives": [fault.subcause, *fault.alternatives],
            "missing_signal": list(fault.shows),
            **common,
        }
    return {"category": fault.category, **cause, **common}


def write_labels(folder, labels):
    with open(os.path.join(folder, "labels.json"), "w") as file:
        json.dump(dict(sorted(labels.items())), file, indent=1)
