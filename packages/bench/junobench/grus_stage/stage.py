"""The entry: `prepare(FILE)` in the kernel, FILE a JSON of the case with its cells, target and facts (a Python literal)."""

import ast
import importlib
import importlib.util
import json

from . import libraries, replay


def prepare(path):
    """What was made from the record, and the statements that failed."""
    with open(path) as file:
        instance = json.load(file)
    shell = importlib.import_module("IPython").get_ipython()
    importlib.import_module("matplotlib").use("Agg")
    libraries.mend()
    recipe = recipe_of(instance["case"])
    facts = ast.literal_eval(instance["facts"]) or {}
    _do(recipe, "before", shell.user_ns)
    kept, seconds = getattr(recipe, "KEEP", ()), getattr(recipe, "SECONDS", replay.LONGEST)
    told = replay.replay(shell, instance["cells"], instance["target"], facts, kept, seconds)
    _do(recipe, "after", shell.user_ns)
    return told


def recipe_of(case):
    """The case's own module: `before(namespace)` makes files and names in front of the replay, `after(namespace)` behind it;
    `KEEP` names what the replay makes better than the record tells, `SECONDS` gives a statement more time."""
    name = "grus_stage.cases." + case
    return importlib.import_module(name) if importlib.util.find_spec(name) else None


def _do(recipe, name, namespace):
    if hasattr(recipe, name):
        getattr(recipe, name)(namespace)
