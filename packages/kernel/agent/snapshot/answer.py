# One request, one snapshot: everything the target cell needs, in the order in which it was asked.
import builtins
import os
import sys

from ..describe.walk import Walk
from ..objects.budget import Budget
from ..objects.cell_sources import Cells
from ..objects.lookup import MISSING, entry, forget_holders, is_a, loaded_entry, plain_names
from ..objects.paths import path_fact
from . import background, called_first, files, imports, questions, syntax

SNAPSHOT_VERSION = 1
NAMESPACE_LIMIT = 3000
CELL_TEXT = 20_000


class ShellState:
    """What the agent knows of the IPython shell it lives in."""

    def __init__(self, shell):
        self.shell = shell
        self.namespace = shell.user_ns
        self.hidden = shell.user_ns_hidden if type(shell.user_ns_hidden) is dict else {}
        self.cells = Cells(shell)
        self.plain = plain_names(self.namespace)

    def lookup(self, name):
        """(value, is a builtin) of a global name, as the cell would find it."""
        found = self.plain.get(name, MISSING)
        if found is not MISSING:
            return found, False
        return entry(builtins.__dict__, name), True

    def public_names(self):
        hidden = plain_names(self.hidden)
        return sorted(
            name
            for name, value in self.plain.items()
            if not name.startswith("_") and hidden.get(name, MISSING) is not value
        )


def answer(request, shell):
    forget_holders()
    state = ShellState(shell)
    budget = Budget(request.get("budget"))
    walk = Walk(state, budget, request.get("depth", 1), request.get("labels") or [])
    names = NameTable(walk, state)
    for name in request.get("names", ()):
        names.add(name, 0)
    paths = {path: path_fact(path, walk, state) for path in request.get("paths", ())}
    modules = {
        entry["module"]: imports.probe(entry["module"], entry.get("names", ()), walk)
        for entry in request.get("imports", ())
    }
    answers = {entry["id"]: questions.ask(entry, walk, state) for entry in request.get("questions", ())}
    called = [walk.ref(function, 1) for function in called_first.functions(shell, state.namespace)]
    names.follow()
    told = {
        "version": SNAPSHOT_VERSION,
        "python": {
            "version": list(sys.version_info[:3]),
            "implementation": sys.implementation.name,
            "platform": sys.platform,
        },
        "cwd": _cwd(),
        "execution_count": shell.execution_count,
        "objects": walk.objects,
        "names": names.held,
        "builtins": names.builtin,
        "absent": names.absent,
        "namespace": state.public_names()[:NAMESPACE_LIMIT],
        "paths": paths,
        "modules": modules,
        "files": {path: files.probe(path) for path in request.get("files", ())},
        "versions": _versions(walk, modules),
        "answers": answers,
        "omitted": budget.notes,
    }
    ipython = loaded_entry("IPython", "__version__")
    if type(ipython) is str:
        told["ipython"] = ipython
    if type(request.get("compile")) is str:
        told["compile"] = syntax.probe(request["compile"], shell, budget.ms)
    if request.get("cells"):
        told["cells"] = executed_cells(state)
    if called:
        told["called_first"] = called
    if request.get("background"):
        told["background"] = background.running(getattr(shell, "kernel", None))
    return told


class NameTable:
    """Requested names and those that the user's functions load, sorted into present, builtin and absent."""

    def __init__(self, walk, state):
        self.walk = walk
        self.state = state
        self.held, self.builtin, self.absent = {}, {}, []
        self._seen = set()

    def add(self, name, hop):
        if name in self._seen:
            return
        self._seen.add(name)
        value, is_builtin = self.state.lookup(name)
        if value is MISSING:
            self.absent.append(name)
        else:
            (self.builtin if is_builtin else self.held)[name] = self.walk.ref(value, 0 if hop == 0 else 1, hop)

    def follow(self):
        """Describe everything, adding the names that described functions turn out to load."""
        self.walk.run()
        while True:
            wanted = [(name, hop) for name, hop in self.walk.wanted.items() if name not in self._seen]
            if not wanted:
                return
            for name, hop in wanted:
                self.add(name, hop)
            self.walk.run()


def _cwd():
    try:
        return os.getcwd()
    except OSError:
        return ""


def _versions(walk, modules):
    """Versions of the top-level modules that described objects and probed imports belong to."""
    roots = {name.partition(".")[0] for name in modules}
    for told in walk.objects.values():
        roots.add(told["class"].partition(".")[0])
        if told["kind"] in ("module", "class", "function"):
            name = told.get("representation", {}).get("name")
            module = told.get("structural", {}).get("module")
            roots.update(text.partition(".")[0] for text in (name, module) if type(text) is str)
    found = {}
    for root in sorted(roots):
        version = loaded_entry(root, "__version__")
        if version is MISSING:
            version = loaded_entry(root + "._version", "version")
        # torch keeps its version in a class of its own: the text is read as the base class has it.
        if version is not MISSING and is_a(version, str):
            found[root] = "".join(str.__iter__(version))  # type: ignore[arg-type]
    return found


def executed_cells(state):
    """The inputs this session has run, as IPython keeps them."""
    history = state.plain.get("In")
    if type(history) is not list:
        return []
    return [
        {"execution_count": count, "source": text[:CELL_TEXT]}
        for count, text in enumerate(history)
        if count > 0 and type(text) is str
    ]
