"""python -m recipes --count N --seed S --out DIR: draws recipes, trains them with and without their fault, keeps what is labelled.

Run from `scenarios/` with `../hooks/src` on PYTHONPATH. Frameworks that are not installed are not drawn. `--only FILE` narrows the draw:
a JSON object with any of faults, weathers, formats (lists), frameworks (shares by name).
"""

import argparse
import json
import multiprocessing
import os
import shutil
import sys
import time

from . import make, recipe


def work(task):
    import torch

    index, seed, folder, choice = task
    torch.set_num_threads(1)
    name = f"run-{index:05d}"
    started = time.time()
    try:
        labels = make.pair(recipe.draw(seed, choice), folder, name)
    except Exception as error:
        print(f"{name} (seed {seed}): {type(error).__name__}: {error}", file=sys.stderr)
        labels = {}
    if not labels:
        for side in "ab":
            shutil.rmtree(os.path.join(folder, name + side), ignore_errors=True)
    return labels, recipe.draw(seed, choice).fault, time.time() - started


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100, help="recipes to draw; each gives two runs or none")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", required=True)
    parser.add_argument("--only")
    parser.add_argument("--workers", type=int, default=max(1, (os.cpu_count() or 2) - 1))
    parser.add_argument("--seconds", type=float, default=1e9, help="stop drawing after so long")
    options = parser.parse_args()
    if os.path.isdir(options.out) and os.listdir(options.out):
        parser.error(f"{options.out} holds files already: name a new folder, so that nothing in it is lost")
    choice = {}
    if options.only:
        with open(options.only) as file:
            choice = json.load(file)
    choice.setdefault("frameworks", recipe.installed())
    folder = os.path.abspath(options.out)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "draw.json"), "w") as file:
        json.dump({"count": options.count, "seed": options.seed, "choice": choice}, file, indent=1)
    tasks = [(index, options.seed * 1_000_000 + index, folder, choice) for index in range(options.count)]
    labels, drawn, kept, spent, started = {}, {}, {}, {}, time.time()
    with multiprocessing.get_context("spawn").Pool(options.workers) as pool:
        for found, fault, seconds in pool.imap_unordered(work, tasks):
            drawn[fault] = drawn.get(fault, 0) + 1
            kept[fault] = kept.get(fault, 0) + bool(found)
            spent[fault] = spent.get(fault, 0.0) + seconds
            labels.update(found)
            make.write_labels(folder, labels)
            if time.time() - started > options.seconds:
                pool.terminate()
                break
    for name in os.listdir(folder):
        if name.startswith("run-") and name not in labels:
            shutil.rmtree(os.path.join(folder, name))
    make.write_labels(folder, labels)
    for fault in sorted(drawn):
        print(f"{fault:28} kept {kept[fault]:4} of {drawn[fault]:4}, {spent[fault] / drawn[fault]:.1f} s each")
    print(f"{len(labels)} runs in {time.time() - started:.0f} s")
