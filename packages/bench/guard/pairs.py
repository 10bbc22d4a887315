"""Runs notebooks in nbclient with the guard on. Reads a JSON object a line from stdin, {"cells": [...], "target": N}, and
answers with one: whether the target was held, with which exception, and which cells before it were."""

import json
import re
import sys
import tempfile

from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbformat import v4

# A machine under load must see what a quiet one sees.
PATIENT = "import grus.guard.guard as _guard; _guard.PATIENCE = 60.0; del _guard"
COUNTS = "print(*next(iter(__import__('grus')._guards.values())).counts.values())"


class Manager(AsyncKernelManager):
    @property
    def kernel_spec(self):
        command = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        return KernelSpec(argv=command, language="python")


def guarded(cells, target):
    before = ["%load_ext grus", PATIENT, *cells[:target]]
    made = [v4.new_code_cell(source) for source in [*before, cells[target], COUNTS]]
    book = v4.new_notebook(cells=made)
    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(
            book, kernel_manager_class=Manager, allow_errors=True, timeout=300, resources={"metadata": {"path": folder}}
        )
        client.execute()
    held = [held_by(cell) for cell in book.cells]
    checked = [output["text"] for output in book.cells[-1].outputs if output.output_type == "stream"]
    return {
        "verdict": held[len(before)],
        "held_before": sum(verdict is not None for verdict in held[: len(before)]),
        "checked": int(checked[0].split()[0]) if checked else 0,
    }


def held_by(cell):
    for output in cell.outputs:
        if output.output_type == "error" and output.ename == "CellHeld":
            exception, line = re.match(r"(\w+): .*\(line (\w+)\)$", output.evalue, re.DOTALL).groups()
            return {"exception": exception, "line": int(line)}
    return None


for asked in sys.stdin:
    print(json.dumps(guarded(**json.loads(asked))), flush=True)
