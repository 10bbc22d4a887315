"""One run's record: when to observe, the rows, what precedes them and how they end. Knows no framework."""

from __future__ import annotations

import os
import re
import time

from . import ending, environment, sending
from .pace import Pace, Precursors
from .quiet import quietly
from .writer import Writer

format_version = 1
_secret = re.compile(r"(^|[_.])(token|secret|password|passwd|credentials?)$|api_?key|secret|auth_?token", re.IGNORECASE)
_slow_facts_seconds = 10.0


def run_directory(directory=None, fallback=None):
    """Where the run is recorded: as asked, as ``grus watch`` says, or a new folder under ``grus-runs``."""
    chosen = directory or os.environ.get("GRUS_RUN_DIR") or fallback
    return str(chosen) if chosen else os.path.join("grus-runs", time.strftime("%Y%m%d-%H%M%S") + f"-{os.getpid()}")


class RunLog:
    def __init__(self, directory, config=None, max_bytes=32 * 2**20, clock=time.thread_time):
        self.directory = directory
        self.rank = environment.rank()
        name = "grus.jsonl" if not self.rank else f"grus-rank{self.rank}.jsonl"
        self.path = os.path.join(directory, name)
        self.config = dict(config or {})
        self.now = time.perf_counter
        self.pace = Pace(self.now(), clock)
        #: Measures what recording costs.
        self.clock = clock
        #: Whether the step under way is to be observed.
        self.armed = True
        self.step_time = 0.0
        self._precursors = Precursors()
        self._writer = Writer(self.path, max_bytes)
        self._steps_since = 0
        self._last_time = None
        #: The last step that ended, observed or not.
        self.last_step = None
        self._last_slow = -_slow_facts_seconds
        self._fine_file = os.path.join(directory, ".grus-fine.lock")
        self._fine_seen = 0.0
        self._begun = False
        self._ended = False
        self._pid = os.getpid()

    @quietly
    def begin(self, first_step=0):
        if self._begun:
            return
        self._begun = True
        self._writer.open(resumed=first_step > 1)
        self._writer.write({
            "grus": "start",
            "format": format_version,
            "time": round(time.time(), 3),
            "pid": self._pid,
            "config": plain(self.config),
            "versions": environment.versions(),
            "hardware": environment.hardware(),
        })
        ending.follow(self)
        sending.follow(self)

    def skip(self):
        """A step that is not observed ended: the cheapest possible work."""
        self._steps_since += 1
        now = self.now()
        if self._steps_since & 7 == 0 or self.step_time > 0.001:
            self._measure(now)
        self.armed = self.pace.wants(now, self.step_time)

    def _measure(self, now):
        if self._last_time is not None and self._steps_since > 0:
            self.step_time = (now - self._last_time) / self._steps_since

    def pace_facts(self, batch_size=None):
        """Seconds per step since the last observed step, and samples per second."""
        now = self.now()
        self._steps_since += 1
        facts = {}
        if self._last_time is not None:
            self._measure(now)
            facts["step_time"] = self.step_time
            if batch_size and self.step_time > 0:
                facts["samples_per_second"] = batch_size / self.step_time
        self._last_time = now
        self._steps_since = 0
        return facts

    def machine_facts(self):
        """Host memory, and now and then what changes slowly."""
        facts: dict = {"host_memory": environment.host_memory()}
        now = self.now()
        if now - self._last_slow >= _slow_facts_seconds:
            self._last_slow = now
            facts["disk_percent"] = environment.disk_percent(self.directory)
            self._heed_watcher(now)
        return facts

    def _heed_watcher(self, now):
        """``grus watch`` touches a file when it warns, and asks for finer records by that."""
        try:
            touched = os.stat(self._fine_file).st_mtime
        except OSError:
            return
        if touched > self._fine_seen:
            self._fine_seen = touched
            self.pace.refine(now)

    def is_fine(self):
        return self.now() < self.pace.fine_until

    def observed(self, seconds):
        """An observation that took ``seconds`` of the clock is over: plan the next one."""
        now = self.now()
        self.pace.observed(now, seconds)
        self.armed = self.pace.wants(now, self.step_time)

    @quietly
    def row(self, step, values, wall=None):
        self.last_step = step
        numbers = {name: short(value) for name, value in values.items() if value is not None}
        head = {"step": step, "time": round(wall or time.time(), 3)}
        if self.rank is not None:
            head["rank"] = self.rank
        self._writer.write({**head, **numbers})
        if self._precursors.appear(numbers):
            self.pace.refine(self.now())

    @quietly
    def facts(self, step, config):
        """Something about the run that became known later: shapes of its batches, the number of classes."""
        self._writer.write({"grus": "facts", "step": step, "config": plain(config)})

    @quietly
    def end(self, reason, signal=None, traceback=None):
        """``completed``, ``failed``, ``signal`` or ``exited`` (the interpreter ended, for whatever reason)."""
        if self._ended or not self._begun or os.getpid() != self._pid:
            return
        self._ended = True
        ending.forget(self)
        for flush in self.before_end:
            flush()
        row = {"grus": "end", "time": round(time.time(), 3), "step": self.last_step,
               "exit": {"reason": reason, "signal": signal}}
        if traceback:
            row["traceback"] = traceback
        self._writer.write(row)
        self._writer.close()

    #: Called before the last row: what waits on a device is written then.
    before_end: tuple = ()


def short(value):
    """Seven digits are what a float32 holds."""
    return float(f"{value:.7g}") if isinstance(value, float) else value


def plain(value, depth=0):
    """Settings as JSON, bounded, without what may be a secret."""
    if isinstance(value, dict):
        items = [(str(key), item) for key, item in list(value.items())[:500] if not _secret.search(str(key))]
        return {key: plain(item, depth + 1) for key, item in items} if depth < 6 else "…"
    if isinstance(value, (list, tuple)):
        return [plain(item, depth + 1) for item in list(value)[:50]] if depth < 6 else "…"
    if value is None or isinstance(value, (bool, int, float)):
        return value
    return str(value)[:500]
