# How a `while` is cut short that does not count. One that fills a list gets the elements of the rounds between, and makes
# its last round. Any other is ended after some time: what it made is then only known as far as its form was the same in
# every round.
import sys
import time

from .growth import MOST_REPEATED, Growth, Seen
from .loops import FORCED, ROUNDS, SHARE

# Seconds of one that has no known end.
SHARE_OF_AN_OPEN_END = 1.5


class Entered:
    """A loop since it was entered, by one frame."""

    def __init__(self, frame, span):
        self.frame, self.span = frame, span
        self.start, self.since, self.entered = Seen(frame), time.perf_counter(), time.time()
        self.rounds, self.ended = 0, False
        # Rounds that it still has when it is ended.
        self.more = 0
        self.seen = self.growth = None

    def seconds(self):
        return time.perf_counter() - self.since


class OpenWhiles:
    def __init__(self, cuts):
        self.cuts = cuts
        self.entered = {}

    def _round(self, site, frame):
        """The loop that this is a round of; None in its first."""
        known = self.entered.get(site)
        if known is None or known.frame is not frame:
            self.cuts.inner -= known is not None
            self.entered[site] = Entered(frame, self.cuts.begin(frame))
            return None
        known.rounds += 1
        return known

    def fill(self, site, held, bound):
        """At the beginning of a round of `while len(held) < bound`."""
        frame = sys._getframe(1)
        known = self._round(site, frame)
        if known is None or known.growth is not None or known.seconds() < SHARE or type(bound) is not int:
            return
        earlier, known.seen = known.seen, Seen(frame)
        if known.rounds < ROUNDS or earlier is None:
            return
        by = len(held) - earlier.lists.get(id(held), (held, len(held)))[1]
        left_out = (bound - len(held) - 1) // by if by > 0 else 0
        growth = Growth(known.start, earlier, known.seen, known.rounds)
        if left_out <= 0 or not growth.is_filled_by(held):
            return
        if left_out * by > MOST_REPEATED:
            self._end(site, known, growth)
            return
        self.cuts.note(site, "loop", known.rounds + 1, known.rounds + 1 + left_out)
        self.cuts.skip(site, left_out, known.seconds() / known.rounds)
        self.cuts.leave_out(known.entered)
        growth.fill(left_out)
        known.growth = growth
        self.cuts.jump(frame)

    def go_on(self, site):
        """Before the test of any other: False when it is ended."""
        frame = sys._getframe(1)
        known = self._round(site, frame)
        if known is None or known.seconds() < SHARE_OF_AN_OPEN_END:
            return True
        if known.ended:
            known.more -= 1
            return known.more >= 0
        earlier, known.seen = known.seen, Seen(frame)
        if known.rounds < ROUNDS or earlier is None:
            return True
        self._end(site, known, Growth(known.start, earlier, known.seen, known.rounds))
        known.more = FORCED - 1 if self.cuts.variation is not None and self.cuts.variation.forced else -1
        return known.more >= 0

    def is_not_ended(self, site):
        known = self.entered.get(site)
        return known is None or known.frame is not sys._getframe(1) or not known.ended

    def _end(self, site, known, growth):
        self.cuts.note(site, "loop", known.rounds, None)
        self.cuts.leave_out(known.entered)
        growth.fill(0)
        known.growth, known.ended = growth, True

    def over(self, site):
        known, frame = self.entered.pop(site, None), sys._getframe(1)
        if known is not None:
            if known.growth is not None:
                self.cuts.observe(site, *known.growth.end(frame))
            self.cuts.end(known.span, frame)
