"""What the guard adds to a cell: the time between IPython's hook before the cell and its end, in a kernel that holds from
10 MB to 4 GB. One line of JSON for each size: `grus bench guard`"""

import json
import os
import resource
import statistics
import sys
import time
import types

import grus
import numpy as np
import pandas as pd
from IPython.core.interactiveshell import InteractiveShell

# The last is about a small frame: whatever the size of the kernel, a copy of it is asked what pandas does.
CELLS = [
    "total = frame['a'].sum() + {n}",
    "means = [row.mean() for row in arrays[:{n}]]\nbest = max(means, default=0)",
    "wide = frame.assign(c=frame['a'] * {n})\nwide.columns",
    "def scaled(values, by={n}):\n    return values * by\nresult = scaled(arrays[0])",
    "print(len(arrays), frame.shape, {n})",
    "table = small.groupby('k').agg({{'a': 'mean'}})\ntable['a'] + {n}",
]
# The first few compile what all use.
WARM_UP = 24


def main():
    shell = InteractiveShell.instance()
    grus.load_ipython_extension(shell)
    guard = next(iter(grus._guards.values()))
    cells = int(sys.argv[1])
    for size in sys.argv[2:]:
        print(json.dumps(measured(shell, guard, int(size), cells)), flush=True)


def measured(shell, guard, megabytes, cells):
    rows = megabytes * 1_000_000 // 2 // 8 // 4
    shell.user_ns["frame"] = pd.DataFrame(np.ones((rows, 4)), columns=list("abcd"))
    shell.user_ns["arrays"] = [np.ones(megabytes * 1_000_000 // 2 // 8 // 16) for _ in range(16)]
    shell.user_ns["small"] = pd.DataFrame({"a": [1.0, 2.0, 3.0], "k": list("xyx")})
    checked, times = guard.counts["checked"], []
    for number in range(cells + WARM_UP):
        if number == WARM_UP:
            worked = processor(guard)
        cell = CELLS[number % len(CELLS)].format(n=number)
        started = time.perf_counter()
        guard.before_cell(types.SimpleNamespace(raw_cell=cell, silent=False))
        times.append((time.perf_counter() - started) * 1000)
    in_all = [round((after - before) / cells, 2) for before, after in zip(worked, processor(guard))]
    times = sorted(times[WARM_UP:])
    return {
        "megabytes": megabytes,
        "cells": cells,
        "median_ms": round(statistics.median(times), 2),
        "p95_ms": round(times[int(len(times) * 0.95)], 2),
        "most_ms": round(times[-1], 2),
        # What the processors worked for a cell, on average: on a quiet machine it takes about as long as all three.
        "cpu_ms": dict(zip(("kernel", "copies", "beside"), in_all)),
        "missed": cells + WARM_UP - (guard.counts["checked"] - checked),
    }


def processor(guard):
    """Milliseconds of the processors so far: of this process, of the copies, of the process beside it."""
    copies = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() * 1000, (copies.ru_utime + copies.ru_stime) * 1000, beside(guard.asker.beside.pid)


def beside(pid):
    try:
        with open("/proc/%d/stat" % pid) as table:
            fields = table.read().rpartition(")")[2].split()
    except OSError:
        return float("nan")
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


main()
