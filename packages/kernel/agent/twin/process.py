# The spawned twin, for kernels whose libraries do not survive a fork: a fresh process of the same interpreter, inside
# the isolation of the copy that it replaces. It gets what the cell needs and nothing else, runs the cell, and tells.
import importlib
import json
import os
import pickle
import re
import sys

from ..isolation import limits
from ..objects import cell_sources
from ..protocol import reasons
from . import boot, carry, changed_in_libraries, compiled_code, equality, held_by_libraries, library_state, library_tables
from .needed_names import needed_names

# What runs in the twin.
ROOMS = (
    carry.BY_VALUE,
    *("grus_agent." + room for room in "describe. dry_run. isolation. objects. shorten. twin. protocol.reasons".split()),
)

# What may name a module.
WORD = re.compile(r"\w+")
# What a twin is given at most where nothing smaller will do, and the share of the free memory that it may be.
MOST_CARRIED = 2 << 30
SHARE_OF_MEMORY = 8


def become(job, shell, teller, sources_of_agent):
    """Hand what the cell needs to the spare process, or replace this process by the twin. Never returns; raises CannotCarry
    before anything is handed over."""
    places = {} if job.places is None else held_by_libraries.heard(job.places, job.deadline)
    changed, beside = changed_in_libraries.taken(places, shell.user_ns)
    around = library_state.taken()
    carry.prepare(sources_of_agent[carry.BY_VALUE])
    objects = needed_names(job.sources, shell)
    most = min(MOST_CARRIED, limits.available_memory() // SHARE_OF_MEMORY) if job.carries_more else 0
    names = changed_in_libraries.replaced(places, shell.user_ns)
    beside, names, left = changed_in_libraries.parted(
        beside, names, lambda own: carry.can_be_carried(own, job.fetched, shell.user_ns)
    )
    hooks = library_state.hooks_of_saved_tensors()
    words = {word for source in job.sources for word in WORD.findall(source)}
    own = list(filter(carry.is_a_module_of_the_notebook, map(sys.modules.get, sorted(words))))
    pickled, sampled = carry.carry(objects, job.carry_limit, job.fetched, shell.user_ns, most, (beside, names, hooks, own))
    edited = equality.edited_modules(objects)
    if edited:
        raise carry.CannotCarry(reasons.modules_edited(edited))
    on_gpu, away = job.fetched.lends, job.is_away()
    whole = {} if away or on_gpu else {name: value for name, value in objects.items() if name not in sampled}
    setting = {
        "path": [part for part in sys.path if isinstance(part, str)],
        "cells": job.sources,
        "strength": job.strength,
        "gpus": job.gpus,
        "lent": job.fetched.told() if on_gpu else None,
        "levels": library_state.forward_levels(),
        "digests": equality.digests(whole),
        "texts": cell_sources.Cells(shell).texts(),
        "clip": job.clip,
        "variation": job.variation,
        "reservations": {
            "sampled": sampled,
            "away": away,
            "valueless": away and job.fetched.valueless(),
            "left_behind": sorted(name for name in shell.user_ns if name not in objects),
            "compiled": compiled_code.seen(),
            "compiles_once": compiled_code.compiles_once(),
            "not_carried": left,
        },
    }
    around["changed"] = changed
    around["tables"] = library_tables.taken(objects)
    if on_gpu:
        around["torch"]["cuda"] = job.fetched.random
    teller.tell(twin=len(objects), sampled=sampled)
    if job.payload is not None:
        _write(job.payload, setting, pickled, around)
        teller.tell(carried=True)
        os._exit(0)
    os.environ.update(job.environment())
    sources = {name: text for name, text in sources_of_agent.items() if name.startswith(ROOMS)}
    payload = os.memfd_create("twin")
    _write(payload, {**setting, "sources": sources}, pickled, around)
    os.lseek(payload, 0, os.SEEK_SET)
    for descriptor in (payload, teller.descriptor):
        os.set_inheritable(descriptor, True)
    arguments = [sys.executable, "-c", boot.TWIN, str(payload), str(teller.descriptor), teller.word]
    os.execv(sys.executable, arguments)


def _write(payload, setting, pickled, around):
    with os.fdopen(os.dup(payload), "wb") as file:
        file.write(json.dumps(setting).encode() + b"\n")
        for part in pickled:
            file.write(part)
        file.write(pickle.dumps(around))


def shell_of_twin():
    """Without a history: saving it takes a thread, and the spare process, which makes the shell ahead, must have none."""
    config = importlib.import_module("traitlets.config").Config({"HistoryManager": {"enabled": False}})
    return importlib.import_module("IPython.core.interactiveshell").InteractiveShell.instance(config=config)


def load_ahead(sources):
    """What every twin will need, for the spare process: none of it depends on the cell."""
    for name in sources:
        if name.startswith("grus_agent.") and name.startswith(ROOMS):
            importlib.import_module(name)
    shell_of_twin()
    carry.prepare(sources[carry.BY_VALUE])


def run(setting, carried, teller, fence=None, own=None):
    """Inside the twin. `carried` is the open file of what was carried, read as it is needed: objects can be as large as the
    memory that is left. `fence` says what its isolation refuses beyond what the system refuses, `own` is its GPU."""
    from ..dry_run import cells
    from ..dry_run.changing_sources import ChangingSources
    from ..dry_run.report import reporter
    from ..isolation import quiet
    from ..isolation.effects import Effects
    from ..shorten.rewrite import Clipper
    from ..shorten.variation import Variation
    from . import keras_graphs, pretended_gpu
    from .doubts import Reservations

    shell = shell_of_twin()
    sys.modules["__main__"] = shell.user_module
    cell_sources.remember(setting["texts"])
    library = carry.prepare(setting["sources"][carry.BY_VALUE])
    if own is not None:
        try:
            library.STORAGES[:] = own.take(setting["lent"])
        except Exception as error:
            teller.tell(again="without-gpu", because="%s: %s" % (type(error).__name__, error))
            return
    try:
        keras = pickle.load(carried)
        if keras is not None:
            library.SYMBOLIC[:] = keras_graphs.rebuilt(keras)
        away = setting["reservations"]["away"]
        library_state.open_levels(setting["levels"])
        library.take_memory(carried)
        whole = pretended_gpu.carried_here(carried, library) if away else pickle.load(carried)
        objects, tables, names, hooks, (lent_out, _) = whole
        library.let_go_of_memory()
        library.lend_out(lent_out)
        shell.user_ns.update(objects)
        # The notebook alone holds them: what it removes must be gone.
        del objects, whole, lent_out
        changed_in_libraries.restore_tables(tables)
        changed_in_libraries.restore_names(names)
        around = pickle.load(carried)
    except BaseException as error:
        teller.tell(failed=reasons.cannot_rebuild(type(error).__name__))
        return
    finally:
        carried.close()
    library.let_go_of_held()
    differing = _differing(setting, shell.user_ns)
    if differing:
        teller.tell(failed=reasons.carried_unequal(differing))
        return
    output, errors, effects = quiet.Output(), quiet.Errors(), Effects()
    sys.stdout = sys.stderr = _Stream(output)
    quiet.record_errors(shell, errors)
    gpu, moved = None, set()
    if away:
        before = changed_in_libraries.answers(around["changed"])
        gpu = pretended_gpu.settle(setting["gpus"])
        after = changed_in_libraries.answers(around["changed"])
        moved = {switch for switch in before if after.get(switch) != before[switch]}
    reservations = Reservations(**setting["reservations"], gpu=gpu, own=own, lost=library.LOST)
    reservations.watch_names(shell.user_module)
    changed_in_libraries.restore(around["changed"])
    library_state.restore(around, hooks)
    library_tables.restore(around["tables"])
    if own is not None:
        own.go_on_streams(library.stream)
    reservations.not_carried += changed_in_libraries.standing_otherwise(around["changed"], moved)
    changing = ChangingSources(shell, setting["strength"])
    if setting["clip"]:
        varied = Variation(*setting["variation"]) if setting["variation"] else None
        reservations.clipper = Clipper(shell, effects, varied)
        reservations.clipper.install()
    report = reporter(setting["cells"], setting["strength"], [], effects, output, teller, reservations, changing)
    effects.watch(fence or (lambda kind, event, args: False))
    cells.run_cells(shell, setting["cells"], errors, report)
    effects.watching = False
    teller.tell(done=True)


def _differing(setting, namespace):
    """Names of objects that did not arrive as they are in the kernel. Every file of `describe` registers its classes."""
    for name in setting["sources"]:
        if name.startswith("grus_agent.describe."):
            importlib.import_module(name)
    before = setting["digests"]
    return equality.unequal(before, equality.digests({name: namespace[name] for name in before}))


class _Stream:
    """Standard output of the twin."""

    encoding = "utf-8"
    errors = "replace"

    def __init__(self, output):
        self.write = output.write

    def flush(self):
        pass

    def isatty(self):
        return False
