# The kernel's side of a dry run: prepare, fork, and let the event loop wait. The kernel is held up for the fork alone;
# the reply is sent when the copy has told its result, died, run out of time, or was given up for a cell of the user's.
import asyncio
import contextlib
import json
import os
import signal
import sys
import tempfile
import time

from ..isolation import copies, gate, limits, scratch, waiting
from ..isolation.pipe import Listener
from ..isolation.strengths import STRENGTHS, prepare
from ..objects import cell_text
from ..protocol import reasons
from ..twin import gpu_memory, gpu_tensors, ready
from ..twin.needed_names import needed_names
from . import copy_side, rehearsal
from .own_numbers import OwnNumbers

CARRY_MB = 512
# A cell that the kernel itself could not read in this time is not tried.
LONGEST_MS = 500
UNKNOWN_GPU = {}
# How often a copy may ask for another. A cell can say the same.
MOST_COPIES = 4
ISOLATED = frozenset(("strength", "detail", "not_covered", "ready_ms"))
# With one of these a copy or twin has had its last word.
LAST_WORDS = frozenset(("done", "failed", "again", "impossible"))


class Job(copies.Job):
    """Cells, and the leash that ends what they start when the kernel lets go of it. `places`: where the spare process tells
    what it has found in libraries."""

    places: "int | None" = None

    def __init__(self, request, strength, threads, processes, twin, history_file):
        super().__init__((request["budget_ms"] + (request["twin_load_ms"] if twin else 0)) / 1000, threads)
        self.processes = processes
        self.twin = twin
        self.sources = request["cells"]
        self.numbers = OwnNumbers()
        self.memory_mb = request.get("memory_mb")
        self.clip = request.get("clip", False)
        self.variation = request.get("variation")
        self.rich = request.get("rich", False)
        self.without_values = request.get("without_values", False)
        # When the cell itself began, if it runs at the same time.
        self.since = request.get("since")
        self.carry_limit = (request.get("carry_mb") or CARRY_MB) << 20
        self.carries_more = not request.get("carry_mb")
        self.gpus = []
        self.fetched = gpu_tensors.Fetched()
        self.handed = []
        self.payload = self.go = None
        self.history_file = history_file
        self.strength = strength
        prepare(strength, processes)
        self.folder = tempfile.mkdtemp(prefix="grus-dry-") if strength == "landlock" else None
        self.leash_reading, self.leash = os.pipe2(os.O_CLOEXEC)

    def close_side_of_copy(self):
        super().close_side_of_copy()
        os.close(self.leash_reading)

    def kept(self):
        return super().kept() | {descriptor for descriptor in (self.payload, self.places) if descriptor is not None}

    def is_away(self):
        """Whether the kernel uses a GPU, and a twin of it has none."""
        return not self.fetched.lends and bool(self.gpus or self.fetched.copies)

    def environment(self):
        """What a twin's environment has beyond the kernel's."""
        if self.fetched.lends:
            return {"CUDA_LAUNCH_BLOCKING": "1"}
        return {"CUDA_VISIBLE_DEVICES": ""} if self.is_away() else {}

    def hand_over(self):
        """A spare process gets ready for the cell: it is told where to live, and on which descriptor what the cell needs
        will be, once a byte comes through the pipe; and over which pipe to tell."""
        place = {
            "path": [part for part in sys.path if isinstance(part, str)],
            "environment": {**os.environ, **self.environment()},
            "folder": os.getcwd(),
            "errand": self.errand(),
            "devices": sorted(self.fetched.free) if self.fetched.lends else None,
        }
        told = os.memfd_create("place", os.MFD_CLOEXEC)
        with os.fdopen(os.dup(told), "wb") as file:
            file.write(json.dumps(place).encode())
        self.payload = os.memfd_create("twin", os.MFD_CLOEXEC)
        waiting_end, self.go = os.pipe2(os.O_CLOEXEC)
        self.handed = [told, self.payload, os.dup(self.writing), os.dup(self.leash_reading), waiting_end]

    def close_handed(self):
        for descriptor in self.handed:
            os.close(descriptor)
        self.handed = []

    def let_go(self, carried):
        """The spare's twin goes on when everything was carried, and ends otherwise."""
        if self.go is not None:
            if carried:
                with contextlib.suppress(BrokenPipeError):
                    os.write(self.go, b"!")
            os.close(self.go)
        self.go = None

    def errand(self):
        """What the twin's own isolation needs to know. With a GPU it starts no processes: CUDA does not work in a process
        namespace."""
        return {
            "seconds": self.seconds,
            "deadline": self.deadline,
            "word": self.word,
            "strength": self.strength,
            "memory_mb": self.memory_mb,
            "history_file": self.history_file,
            "processes": not self.fetched.lends,
            "on_gpu": self.fetched.lends,
        }

    def close_kernel_side(self):
        super().close_kernel_side()
        self.let_go(carried=False)
        self.close_handed()
        os.close(self.leash)
        if self.folder is not None:
            scratch.remove(self.folder, asyncio.get_running_loop())


class DryRun:
    """One dry run from request to reply. `finish(content)` sends the reply, once."""

    def __init__(self, kernel, request, finish, sources_of_agent):
        self.kernel = kernel
        self.sources_of_agent = sources_of_agent
        self.threads, self.twin, self.no_copy, self.gpu = [], None, None, False
        self.lends = True
        self.spare = self.errand = None
        self.request = request
        self.finish = finish
        self.started = time.perf_counter()
        self.loop = asyncio.get_running_loop()
        self.left_out = []
        self.rehearsal = None
        self.rehearsed = []
        self.abandoned = False
        self.copies_asked_for = 0

    def another(self, request, finish):
        """A dry run of the same kernel."""
        return DryRun(self.kernel, request, finish, self.sources_of_agent)

    def start(self, strengths):
        if self.abandoned:
            return
        self.strengths = list(strengths)
        if any(cell_text.is_too_long(source, LONGEST_MS) for source in self.request["cells"]):
            self.finish({"status": "refused", "reason": reasons.cell_too_long()})
            return
        try:
            largest = self.request.get("largest_mb")
            if largest is not None and limits.memory_held() > largest << 20:
                raise gate.Refused(reasons.kernel_large(largest))
            without_values = self.request.get("without_values", False)
            self.threads = copies.ready(self.kernel.shell, with_gpu=without_values)
            if without_values and not gpu_tensors.gpus():
                raise gate.Refused(reasons.no_gpu())
            library = gate.needs_native_pool(self.kernel.shell, self.request["cells"])
            if library is not None:
                raise gate.Refused(reasons.library_threads(library), twin=True)
        except gate.Refused as refusal:
            if refusal.twin and self._launch_twin(refusal.reason, refusal.gpu):
                return
            if not copies.comes_again(refusal, self.started, self.loop, self.start, strengths):
                self.finish({"status": "refused", "reason": refusal.reason, "twin": refusal.twin})
            return
        self._launch(processes=False)

    def _launch_twin(self, no_copy, gpu):
        """Whether a twin can try instead."""
        if not self.request.get("twin_load_ms") or "namespaces" not in self.strengths:
            return False
        if self.rehearsal is not None:
            self.rehearsal.call_back()
        if gpu and gpu_memory.is_lost():
            self.finish({"status": "refused", "reason": reasons.gpu_lost()})
            return True
        self.twin, self.no_copy, self.gpu = self.sources_of_agent, no_copy, gpu
        self.strengths = ["namespaces"]
        if self.request.get("ready_twin", True):
            self.spare = ready.spare(self.kernel, self.loop, self.sources_of_agent)
        self._launch(processes=self.spare is None)
        return True

    def _launch(self, processes):
        self.lines = []
        self.job = Job(self.request, self.strengths[0], self.threads, processes, self.twin, _history_file(self.kernel))
        if self.twin is not None:
            self._take_along()
        elif self.job.without_values:
            self.job.gpus = gpu_tensors.gpus()
        self.pid, self.held_ms = copies.fork(self.job, self.kernel, copy_side.live)
        self.job.close_handed()
        copies.alive.add(self)
        self.kernel.shell.events.register("pre_execute", self.give_way)
        self.timer = self.loop.call_later(self.job.seconds, self._time_is_up)
        self.listener = Listener(self.job.reading, self.job.word)
        self.loop.add_reader(self.job.reading, self._read)
        if self.rehearsal is None and self.twin is None and self.request.get("clip_after_ms") is not None:
            self.rehearsal = rehearsal.Rehearsal(self)

    def _take_along(self):
        """What is on a GPU is lent to a twin that has one too, or fetched for one that has none."""
        needed = needed_names(self.request["cells"], self.kernel.shell)
        lent = gpu_memory.lend(needed) if self.gpu and self.lends and self.spare is not None else None
        if lent is not None:
            self.job.fetched = lent
        else:
            self.job.gpus = (gpu_tensors.gpus() or [UNKNOWN_GPU]) if self.gpu else []
            self.job.fetched = gpu_tensors.fetch(needed)
        if self.spare is not None:
            self.job.hand_over()
            self.errand = self.spare.run(self.job.handed)
            self.job.places = self.spare.places
            if self.errand is None:
                self.lines.append({"again": "without-spare"})

    def _read(self):
        for told in filter(self._is_for_it_to_say, self.listener.told()):
            self.lines.append(told)
            if "carried" in told:
                self.job.let_go(carried=True)
        if self.listener.flooded:
            self._end("flood")
        elif self.listener.at_end or any(LAST_WORDS.intersection(line) for line in self.lines):
            self._end(None)

    def _is_for_it_to_say(self, told):
        """A cell can lie about itself. It does not choose its isolation, and is not tried without end."""
        if "isolated" in told:
            return told.get("strength") == self.job.strength and ISOLATED.issubset(told)
        if "again" in told:
            self.copies_asked_for += 1
            is_possible = told["again"] != "gpu" or gpu_tensors.are_there()
            return is_possible and self.copies_asked_for <= MOST_COPIES
        if "carried" in told:
            return self.spare is not None
        return "impossible" not in told or not any("isolated" in line for line in self.lines)

    def _complete(self):
        return any("done" in line for line in self.lines)

    def _time_is_up(self):
        left = waiting.time_left(self.pid, self.job)
        if left > 0:
            self.timer = self.loop.call_later(left, self._time_is_up)
        else:
            self._end("time")

    def give_way(self):
        """A cell of the user's starts: a copy that lives on would make every change of memory slow."""
        self._end("user")
        copies.collect()

    def _end(self, why):
        if self not in copies.alive:
            return
        copies.alive.discard(self)
        self.loop.remove_reader(self.job.reading)
        self.timer.cancel()
        self.kernel.shell.events.unregister("pre_execute", self.give_way)
        if self.spare is not None and self.errand is not None and not self.spare.end(self.errand):
            self.lines.append({"again": "without-spare"})
        self.errand = None
        died = None
        if why is None and not self._complete():
            died = self._wait()
        else:
            copies.end(self.pid, self.kernel.shell, self.loop)
        self.job.close_kernel_side()
        impossible = next((line["impossible"] for line in self.lines if "impossible" in line), None)
        if impossible is not None:
            self.left_out.append(impossible)
            self.strengths.pop(0)
            if self.strengths:
                self._launch(processes=False)
                return
            self.finish({"status": "refused", "reason": reasons.no_isolation(self.left_out)})
            return
        again = next((line["again"] for line in self.lines if "again" in line), None)
        if again == "gpu" and not self._launch_twin(reasons.needs_gpu(), gpu=True):
            self.finish({"status": "refused", "reason": reasons.needs_gpu(), "twin": True})
        if again in ("processes", "without-gpu", "without-spare"):
            if again != "without-gpu" and not self.job.fetched.lends:
                self.spare = None
            self.lends = False
            self._launch(processes=self.spare is None)
        if again is not None:
            return
        if self.rehearsal is not None:
            self.rehearsal.call_back()
        self.finish(self._told(why, died))

    def settle(self, content):
        """Another copy has found out: end this one, and tell what the other told."""
        content["total_ms"] = round((time.perf_counter() - self.started) * 1000, 2)
        finish = self.finish
        self.abandon()
        finish(content)

    def abandon(self):
        """End without a reply."""
        self.finish = lambda content: None
        self.abandoned = True
        self._end("abandoned")

    def _wait(self):
        """How the copy died: it has closed its end of the pipe, so this takes no time."""
        deadline = time.perf_counter() + 0.5
        while time.perf_counter() < deadline:
            try:
                pid, status = os.waitpid(self.pid, os.WNOHANG)
            except ChildProcessError:
                return {"signal": None, "code": None}
            if pid:
                ended = os.WIFSIGNALED(status)
                return {
                    "signal": signal.Signals(os.WTERMSIG(status)).name if ended else None,
                    "code": None if ended else os.WEXITSTATUS(status),
                }
            time.sleep(0.001)
        copies.end(self.pid, self.kernel.shell, self.loop)
        return {"signal": None, "code": None}

    def _told(self, why, died):
        isolated = next((line for line in self.lines if "isolated" in line), None)
        failed = next((line["failed"] for line in self.lines if "failed" in line), None)
        return {
            "status": "ok",
            "isolation": None
            if isolated is None
            else {name: isolated[name] for name in ("strength", "detail", "not_covered")},
            "skipped": self.left_out,
            "twin": self._twin(),
            "cells": [line for line in self.lines if "cell" in line],
            "ended": "failed" if failed else "died" if died else {None: "done"}.get(why, why),
            "reason": failed,
            "signal": died["signal"] if died else None,
            "where": next((line["where"] for line in self.lines if "where" in line), []) if why == "time" else [],
            "rehearsed": self.rehearsed if why == "time" else [],
            "held_ms": round(self.held_ms, 2),
            "ready_ms": None if isolated is None else isolated["ready_ms"],
            "total_ms": round((time.perf_counter() - self.started) * 1000, 2),
        }

    def _twin(self):
        """Of a twin: why there was no copy, and how many objects it was given."""
        if self.twin is None:
            return None
        carried = next((line for line in self.lines if "twin" in line), {})
        return {"reason": self.no_copy, "objects": carried.get("twin", 0), "sampled": carried.get("sampled", [])}


def give_up(run):
    """Nobody waits for this dry run any more. How many were ended."""
    wanted = [one for one in copies.alive if isinstance(one, DryRun) and one.request.get("run") == run]
    for one in wanted:
        one.give_way()
    return len(wanted)


def _history_file(kernel):
    return str(getattr(kernel.shell.history_manager, "hist_file", ""))


def allowed_strengths(request):
    """The strengths to try, strongest first, or None when what is asked for contradicts itself."""
    chosen = request.get("isolation") or "auto"
    required = request.get("require")
    strengths = STRENGTHS if chosen == "auto" else (chosen,)
    if required is not None:
        strengths = tuple(name for name in strengths if STRENGTHS.index(name) <= STRENGTHS.index(required))
    return strengths
