"""Decides which steps are observed: few while the run is calm, many when something is coming, and never more than a
small share of the run's time.

An observation costs time that is measured; the time spent so far must stay below a share of the time elapsed. Calm
running spends half of what is allowed, so that there is credit when precursors appear.
"""

from __future__ import annotations

import math

calm_share = 0.0035
fine_share = 0.006
#: Observations at the beginning are worth more than their share: a run that fails early leaves little else.
first_credit = 0.02
#: The first observations load code and kernels, which is no cost of steps: they are charged no more than this each.
first_observations = 8
first_cost = 0.002
#: Most seconds that a fine stretch may spend beyond its share.
most_banked = 2.0
longest_gap = 5.0
#: Calm observations per e-fold of the run's age.
density = 1500
fine_seconds = 60.0


class Pace:
    """``clock`` counts what may be spent: the wall clock, or the thread's own time where other processes share the cores."""

    def __init__(self, now, clock):
        self.started = now
        self.clock = clock
        self.clock_started = clock()
        self.spent = 0.0
        self.cost = 2e-4
        self.last = -math.inf
        self.fine_until = -math.inf
        self._poor_until = -math.inf
        self._observations = 0

    def wants(self, now, step_time):
        """Whether the step that ends about ``step_time`` from now is to be observed."""
        if now < self._poor_until:
            return False
        fine = now < self.fine_until
        gap = now + step_time - self.last
        if gap >= longest_gap:
            return True
        if not fine and gap < (now - self.started) / density:
            return False
        share = fine_share if fine else calm_share
        worked = self.clock() - self.clock_started
        allowed = min(share * worked, self.spent + most_banked)
        short = self.spent + self.cost - allowed - first_credit
        if short <= 0:
            return True
        # No clock runs faster than the wall's: asking it before then would only cost.
        self._poor_until = min(now + short / share, self.last + longest_gap)
        return False

    def observed(self, now, seconds):
        self._observations += 1
        if self._observations <= first_observations:
            seconds = min(seconds, first_cost)
        self.last = now
        self.spent += seconds
        self.cost += 0.2 * (seconds - self.cost)

    def refine(self, now):
        if now >= self.fine_until:
            self._poor_until = -math.inf
        self.fine_until = now + fine_seconds


_watched = {"loss": 4.0, "grad_norm": 4.0, "step_time": 3.0}


class Precursors:
    """Says when recorded values leave their own course. Wrong alarms cost a few observations and nothing else."""

    def __init__(self):
        self._levels = {}
        self._seen = 0

    def appear(self, row):
        self._seen += 1
        # Every value is looked at: each has a level of its own that follows it.
        leaving = [self._leaves(name, row.get(name)) for name in _watched]
        return any(leaving) or self._memory(row) or self._scale(row)

    def _leaves(self, name, value):
        if value is None:
            return False
        if not math.isfinite(value):
            return True
        size = math.log(abs(value) + 1e-12)
        level, spread = self._levels.get(name, (size, 0.3))
        away = size - level
        rises = self._seen > 10 and away > max(math.log(_watched[name]) / 2, 5 * spread)
        weight = 0.02 if rises else 0.1
        self._levels[name] = (level + weight * away, spread + weight * (min(abs(away), 2.0) - spread))
        return rises

    def _memory(self, row):
        held, total = row.get("memory_reserved"), row.get("memory_total")
        return bool(held and total and held > 0.92 * total)

    def _scale(self, row):
        scale = row.get("loss_scale")
        if scale is None:
            return False
        before = self._levels.get("loss_scale", scale)
        self._levels["loss_scale"] = scale
        return scale < before
