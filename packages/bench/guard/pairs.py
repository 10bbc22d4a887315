"""Runs notebooks in nbclient with the guard on. Reads {"before": [...], "targets": [...]}, one JSON object a line. When the
cells before have run, it says where their kernel is, so that the command can be asked about the same state, and waits for a
line. Then each target is run on that state, and the answer is which of them were held, and by what."""

import contextlib
import json
import os
import re
import sys
import tempfile
import uuid

from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbformat import v4
from traitlets import default

# A machine under load must see what a quiet one sees.
PATIENT = "import grus.guard.guard as _guard; _guard.PATIENCE = 60.0; del _guard"
COUNTS = "print(*next(iter(__import__('grus')._guards.values())).counts.values())"


class Manager(AsyncKernelManager):
    @default("transport")
    def _no_ports(self):
        """Of many kernels that start at once, two may be given the same port."""
        return "ipc"

    @default("ip")
    def _own_path(self):
        return os.path.join(tempfile.gettempdir(), "kernel-" + uuid.uuid4().hex)

    @property
    def kernel_spec(self):
        command = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        return KernelSpec(argv=command, language="python")


class Running:
    """A notebook that grows while it runs."""

    def __init__(self, client, before):
        self.client = client
        self.held_before = sum(self.run(source) is not None for source in ["%load_ext grus", PATIENT, *before])
        self.checked = self.count()

    def target(self, source):
        """What it was held by, and whether it was looked at at all: this cell and the one that counts."""
        held, before, self.checked = self.run(source), self.checked, self.count()
        return {"held": held, "checked": self.checked == before + 2}

    def count(self):
        self.run(COUNTS)
        return int(self.client.nb.cells[-1].outputs[0]["text"].split()[0])

    def run(self, source):
        cells = self.client.nb.cells
        cells.append(v4.new_code_cell(source))
        return held_by(self.client.execute_cell(cells[-1], len(cells) - 1))


@contextlib.contextmanager
def running(before):
    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(
            v4.new_notebook(),
            kernel_manager_class=Manager,
            allow_errors=True,
            timeout=300,
            resources={"metadata": {"path": folder}},
        )
        with client.setup_kernel():
            yield Running(client, before)


def held_by(cell):
    for output in cell.outputs:
        if output.output_type == "error" and output.ename == "CellHeld":
            exception, line = re.match(r"(\w+): .*\(line (\w+)\)$", output.evalue, re.DOTALL).groups()
            return {"exception": exception, "line": int(line)}
    return None


def say(told):
    print(json.dumps(told), flush=True)


def answer(before, targets):
    told = []
    while len(told) < len(targets):
        with running(before) as notebook:
            if not told:
                say({"connection": notebook.client.km.connection_file, "held_before": notebook.held_before})
                sys.stdin.readline()
            for target in targets[len(told) :]:
                told.append(notebook.target(target))
                if told[-1]["held"] is None:
                    # It ran: the next one wants the state from before.
                    break
    say(told)


for line in iter(sys.stdin.readline, ""):
    answer(**json.loads(line))
