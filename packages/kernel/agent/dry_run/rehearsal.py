# A second copy for cells that take long: some time after the first it is sent ahead, with its loops cut short. What it
# finds and the cutting cannot have caused ends the first copy early; otherwise the first has the last word.
import time

from .experiment import Experiment

SHORTEST = 0.5


class Rehearsal:
    def __init__(self, run):
        self.run = run
        self.ahead = None
        self.timer = run.loop.call_later(run.request["clip_after_ms"] / 1000, self._leave)

    def _leave(self):
        run = self.run
        left = run.job.deadline - time.monotonic()
        if left < SHORTEST:
            return
        request = dict(run.request, clip=True, clip_after_ms=None, twin_load_ms=0, budget_ms=left * 1000)
        self.ahead = Experiment(run.another, request, self._hear)
        self.ahead.start(run.strengths[:1])

    def _hear(self, content):
        if content["status"] != "ok":
            return
        self.run.rehearsed = content["cells"]
        cells = content["cells"]
        ended = cells and (cells[-1].get("status") == "raised" or len(cells) == len(self.run.request["cells"]))
        if ended and cells[-1].get("doubt", "") is None:
            self.run.settle(content)

    def call_back(self):
        self.timer.cancel()
        if self.ahead is not None:
            self.ahead.abandon()
