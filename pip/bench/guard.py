"""What the guard adds to a cell: the time between IPython's hook before the cell and its end, in a kernel that holds from
10 MB to 4 GB. `npm run bench -- guard [--json] [--cells N] [--megabytes 10,100,1000,4000]`"""

import argparse
import json
import statistics
import time
import types

import grus
import numpy as np
import pandas as pd
from IPython.core.interactiveshell import InteractiveShell

CELLS = [
    "total = frame['a'].sum() + {n}",
    "means = [row.mean() for row in arrays[:{n}]]\nbest = max(means, default=0)",
    "wide = frame.assign(c=frame['a'] * {n})\nwide.columns",
    "def scaled(values, by={n}):\n    return values * by\nresult = scaled(arrays[0])",
    "print(len(arrays), frame.shape, {n})",
]


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--json", action="store_true")
    options.add_argument("--cells", type=int, default=200)
    options.add_argument("--megabytes", default="10,100,1000,4000")
    given = options.parse_args()
    shell = InteractiveShell.instance()
    grus.load_ipython_extension(shell)
    guard = next(iter(grus._guards.values()))
    rows = [measured(shell, guard, int(size), given.cells) for size in given.megabytes.split(",")]
    if given.json:
        print(json.dumps({"benchmark": "guard", "rows": rows}))
        return
    columns = ("megabytes", "cells", "median_ms", "p95_ms", "most_ms", "kernel_cpu_ms", "missed")
    for row in [columns, *([row[name] for name in columns] for row in rows)]:
        print("".join(str(value).rjust(15) for value in row))


def measured(shell, guard, megabytes, cells):
    rows = megabytes * 1_000_000 // 2 // 8 // 4
    shell.user_ns["frame"] = pd.DataFrame(np.ones((rows, 4)), columns=list("abcd"))
    shell.user_ns["arrays"] = [np.ones(megabytes * 1_000_000 // 2 // 8 // 16) for _ in range(16)]
    checked, times, processor = guard.counts["checked"], [], 0.0
    for number in range(cells + 20):
        cell = CELLS[number % len(CELLS)].format(n=number)
        info = types.SimpleNamespace(raw_cell=cell, silent=False)
        started, worked = time.perf_counter(), time.thread_time()
        guard.before_cell(info)
        times.append((time.perf_counter() - started) * 1000)
        processor += (time.thread_time() - worked) * 1000
    # The first few compile what all use.
    times = sorted(times[20:])
    return {
        "megabytes": megabytes,
        "cells": cells,
        "median_ms": round(statistics.median(times), 2),
        "p95_ms": round(times[int(len(times) * 0.95)], 2),
        "most_ms": round(times[-1], 2),
        # What the kernel itself worked; the rest is waiting for the process beside it.
        "kernel_cpu_ms": round(processor / (cells + 20), 2),
        "missed": cells + 20 - (guard.counts["checked"] - checked),
    }


main()
