# The limits of one request inside the live process. Work is counted, so the same state gives the same answer; the
# clock is only the last resort, and whatever is left out is noted.
import time

from ..protocol import reasons

DEFAULT_MS = 50
DEFAULT_BYTES = 400_000
WALL_FACTOR = 8

ITEMS = 24
"""Elements described of a container."""
KEYS = 300
"""Keys listed of a dict."""
LABELS = 64
"""Index labels listed."""
COLUMNS = 2000
"""Column labels listed."""
ATTRIBUTES = 80
"""Instance attributes described."""
MEMBERS = 400
"""Static names listed."""
DEPTH = 3
"""Levels of containment below a requested name."""
TEXT = 200
"""Characters kept of a string."""
OBJECT_SAMPLE = 400
"""Python objects looked at per column or container."""
ARRAY_ELEMENTS = 131_072
"""Longest array or column of machine numbers that is looked at whole."""
ARRAY_SAMPLE = 2_048
"""Machine numbers looked at of a longer one, in clusters, because each far-off one costs a miss of every cache."""
SAMPLE_CLUSTERS = 64
TOTAL_ELEMENTS = 1_000_000
"""Machine numbers looked at per request."""
TOTAL_SAMPLED = 20_000
"""Python objects looked at per request."""


class Budget:
    def __init__(self, limits, generous=1):
        """`generous` multiplies the samples: a question about one column may look at more of it."""
        self.ms = _number(limits, "ms", DEFAULT_MS)
        seconds = self.ms / 1000.0
        # Time of this thread, so that a busy machine does not change the answer; the wall clock bounds it from above.
        self.deadline = time.thread_time() + seconds
        self.wall_deadline = time.perf_counter() + WALL_FACTOR * seconds
        self.bytes_left = _number(limits, "bytes", DEFAULT_BYTES)
        self.object_sample = OBJECT_SAMPLE * generous
        self.array_elements = ARRAY_ELEMENTS * generous
        self.elements_left = TOTAL_ELEMENTS * generous
        self.sampled_left = TOTAL_SAMPLED * generous
        self.notes = []

    def note(self, reason):
        """What is left out, and why."""
        if len(self.notes) < 100 and reason not in self.notes:
            self.notes.append(reason)

    def spent(self):
        """Why nothing more may be described, or None."""
        if self.bytes_left <= 0:
            return reasons.bytes_spent()
        if time.thread_time() > self.deadline or time.perf_counter() > self.wall_deadline:
            return reasons.time_spent()
        return None

    def charge(self, count):
        self.bytes_left -= count

    def take_elements(self, wanted):
        """How many machine numbers may be looked at: all of them, or a sample."""
        granted = wanted if wanted <= min(self.array_elements, self.elements_left) else min(wanted, ARRAY_SAMPLE)
        self.elements_left -= granted
        return granted

    def take_objects(self, wanted):
        """How many Python objects may be looked at."""
        granted = max(0, min(wanted, self.object_sample, self.sampled_left))
        self.sampled_left -= granted
        return granted


def _number(limits, key, default):
    value = limits.get(key) if type(limits) is dict else None
    return value if type(value) is int or type(value) is float else default


def stride_positions(length, count):
    """Evenly spread positions, first and last included; all of them when they fit."""
    if length <= count:
        return range(length)
    if count <= 1:
        return range(count)
    return [position * (length - 1) // (count - 1) for position in range(count)]
