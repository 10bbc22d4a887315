# A copy with its loops cut short, and where its exception may hang on what the cutting changed, more copies with other
# numbers, and if need be other rounds. If the exception comes in each of them, it would come in the whole run too.
import re
import time

from ..shorten import variation

SHORTEST = 1.0
PLACE = ("cell", "line", "call_line", "inside")
ADDRESS = re.compile(r"0x[0-9a-f]+")
NUMBER = re.compile(r"\d+")
# As libraries write them: (3,), (3, 4), [3, 4].
SHAPE = re.compile(r"[(\[]\d+(?:,\s*\d+)*,?[)\]]")
# What an experiment can settle, and whether that takes other rounds too.
SETTLED = {"cut-values": False, "cut-forms": True}


class Experiment:
    """Used as a dry run is. `dry_run(request, hear)` makes one; `finish(content)` sends the reply, once."""

    def __init__(self, dry_run, request, finish):
        self.dry_run, self.request, self.finish = dry_run, request, finish
        self.deadline = time.monotonic() + request["budget_ms"] / 1000
        self.content, self.raised = {}, {}
        self.same, self.rounds, self.unrun, self.over = 0, False, ((), ()), False
        self.again, self.strengths = {}, []
        self.runs = [dry_run(request, self._hear)]

    def start(self, strengths):
        self.runs[0].start(strengths)

    def _hear(self, content):
        self.content = content
        cells = content["cells"] if content["status"] == "ok" else []
        last = cells[-1] if cells else {}
        seconds = self.deadline - time.monotonic()
        code = (last["doubt"] or {}).get("code") if last.get("status") == "raised" else None
        if code not in SETTLED or seconds < SHORTEST:
            self.finish(content)
            return
        self.raised, self.rounds, self.unrun = last, SETTLED[code], (last.get("unrun", ()), last.get("ran", ()))
        self.again = dict(self.request, cells=self.request["cells"][: last["cell"] + 1])
        self.strengths, self.runs = self.runs[0].strengths[:1], []
        for number in variation.ALL:
            self._try(number)

    def _try(self, number, late=False):
        forced = self.unrun if self._forces(number) else ((), ())
        request = dict(
            self.again,
            variation=(number, self.rounds, late, *forced, self.raised["around"]),
            budget_ms=(self.deadline - time.monotonic()) * 1000,
        )
        run = self.dry_run(request, lambda content: self._compare(content, number, late))
        self.runs.append(run)
        run.start(self.strengths)

    def _compare(self, content, number, late):
        if self.over:
            return
        cells = content["cells"] if content["status"] == "ok" else []
        again = cells[-1] if cells else {}
        raised = again.get("status") == "raised"
        there = raised and all(again[name] == self.raised[name] for name in PLACE)
        if raised and not there and not late and self.deadline - time.monotonic() > SHORTEST:
            # Training does not bear these numbers. What comes after it may.
            self._try(number, late=True)
            return
        if (
            there
            and again["varied"] > 0
            and not (self._forces(number) and again.get("unrun", True))
            and again["type"] == self.raised["type"]
            and self._told(again) == self._told(self.raised)
        ):
            self.same += 1
            if self.same < len(variation.ALL):
                return
            self.raised["doubt"] = None
            self.raised["variations"] = self.same
        self.abandon()
        self.finish(self.content)

    def _forces(self, number):
        """Whether rounds go through branches that none went through in the first copy."""
        return bool(self.unrun[0]) and number != variation.ZERO

    def abandon(self):
        self.over = True
        for run in self.runs:
            run.abandon()

    def _told(self, raised):
        """The messages, without what may differ from copy to copy: shapes, and with other rounds every number. Where that
        would say how far training had come, nothing may differ."""
        texts = [ADDRESS.sub("", link["message"]) for link in [raised, *raised["chain"]]]
        if self.raised.get("of_sizes"):
            return texts
        texts = [SHAPE.sub("", text) for text in texts]
        return [NUMBER.sub("", text) for text in texts] if self.rounds else texts
