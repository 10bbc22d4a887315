# The spawned twin, for kernels whose libraries do not survive a fork: a fresh process of the same interpreter, inside
# the isolation of the copy that it replaces. It gets what the cell needs and nothing else, runs the cell, and tells.
import importlib
import json
import os
import pickle
import sys

from ..protocol import reasons
from . import carry, equality, gpu_memory, library_state
from .needed_names import needed_names

# What runs in the twin.
ROOMS = (
    carry.BY_VALUE,
    *("grus_agent." + room for room in "describe. dry_run. isolation. objects. shorten. twin. protocol.reasons".split()),
)
BOOT = '''
import importlib, importlib.abc, importlib.util, json, os, sys
payload, told, word = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
with os.fdopen(payload, "rb") as file:
    setting = json.loads(file.readline())
    objects = file.read()
sys.path[:] = setting["path"]
class Sources(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "grus_agent":
            return importlib.util.spec_from_loader(name, self, is_package=name not in setting["sources"])
    def exec_module(self, module):
        text = setting["sources"].get(module.__name__, "")
        exec(compile(text, "<grus " + module.__name__ + ">", "exec"), module.__dict__)
sys.meta_path.insert(0, Sources())
from grus_agent.isolation.pipe import Teller
from grus_agent.twin import process
process.run(setting, objects, Teller(told, word))
os._exit(0)
'''


def become(job, shell, teller, sources_of_agent):
    """Hand what the cell needs to the spare process, or replace this process by the twin. Never returns; raises CannotCarry
    before anything is handed over."""
    around = library_state.taken()
    carry.prepare(sources_of_agent[carry.BY_VALUE])
    objects = needed_names(job.sources, shell)
    pickled, sampled = carry.carry(objects, job.carry_limit, job.fetched, shell.user_ns)
    edited = equality.edited_modules(objects)
    if edited:
        raise carry.CannotCarry(reasons.modules_edited(edited))
    on_gpu = job.fetched.lends
    away = not on_gpu and bool(job.gpus or job.fetched.copies)
    whole = {} if away or on_gpu else {name: value for name, value in objects.items() if name not in sampled}
    setting = {
        "path": [part for part in sys.path if isinstance(part, str)],
        "cells": job.sources,
        "strength": job.strength,
        "gpus": job.gpus,
        "lent": job.fetched.told() if on_gpu else None,
        "digests": equality.digests(whole),
        "reservations": {
            "sampled": sampled,
            "away": away,
            "valueless": away and job.fetched.valueless(),
            "left_behind": sorted(name for name in shell.user_ns if name not in objects),
        },
    }
    if on_gpu:
        around["torch"]["cuda"] = job.fetched.random
        os.environ["CUDA_LAUNCH_BLOCKING"] = "1"
    elif away:
        os.environ["CUDA_VISIBLE_DEVICES"] = ""
    teller.tell(twin=len(objects), sampled=sampled)
    if job.payload is not None:
        place = {"environment": dict(os.environ), "folder": os.getcwd(), "errand": job.errand()}
        _write(job.payload, {**setting, **place}, pickled, around)
        teller.tell(carried=True)
        os._exit(0)
    sources = {name: text for name, text in sources_of_agent.items() if name.startswith(ROOMS)}
    payload = os.memfd_create("twin")
    _write(payload, {**setting, "sources": sources}, pickled, around)
    os.lseek(payload, 0, os.SEEK_SET)
    for descriptor in (payload, teller.descriptor):
        os.set_inheritable(descriptor, True)
    arguments = [sys.executable, "-c", BOOT, str(payload), str(teller.descriptor), teller.word]
    os.execv(sys.executable, arguments)


def _write(payload, setting, pickled, around):
    with os.fdopen(os.dup(payload), "wb") as file:
        file.write(json.dumps(setting).encode() + b"\n")
        file.write(pickled)
        file.write(pickle.dumps(around))


def run(setting, objects, teller, fence=None):
    """Inside the twin. `fence` says what its isolation refuses beyond what the system refuses."""
    import io

    from ..dry_run import cells
    from ..dry_run.changing_sources import ChangingSources
    from ..dry_run.report import reporter
    from ..isolation import quiet
    from ..isolation.effects import Effects
    from . import keras_graphs, pretended_gpu
    from .doubts import Reservations

    shell = importlib.import_module("IPython.core.interactiveshell").InteractiveShell.instance()
    sys.modules["__main__"] = shell.user_module
    library = carry.prepare(setting["sources"][carry.BY_VALUE])
    pieces = io.BytesIO(objects)
    own = gpu_memory.OwnGpu(setting["lent"]) if setting["lent"] else None
    if own is not None:
        try:
            library.STORAGES[:] = own.start()
        except Exception as error:
            teller.tell(again="without-gpu", because="%s: %s" % (type(error).__name__, error))
            return
    try:
        keras = pickle.load(pieces)
        if keras is not None:
            library.SYMBOLIC[:] = keras_graphs.rebuilt(keras)
        away = setting["reservations"]["away"]
        shell.user_ns.update(pretended_gpu.carried_here(pieces) if away else pickle.load(pieces))
        around = pickle.load(pieces)
    except BaseException as error:
        teller.tell(failed=reasons.cannot_rebuild(type(error).__name__))
        return
    differing = _differing(setting, shell.user_ns)
    if differing:
        teller.tell(failed=reasons.carried_unequal(differing))
        return
    output, errors, effects = quiet.Output(), quiet.Errors(), Effects()
    sys.stdout = sys.stderr = _Stream(output)
    quiet.record_errors(shell, errors)
    gpu = pretended_gpu.settle(setting["gpus"]) if away else None
    reservations = Reservations(**setting["reservations"], gpu=gpu, own=own, lost=library.LOST)
    library_state.restore(around)
    changing = ChangingSources(shell, setting["strength"])
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
