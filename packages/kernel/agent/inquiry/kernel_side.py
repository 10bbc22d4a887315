# The kernel's side of questions to the libraries. One copy answers all rounds of a check: it is made for the first round,
# waits a moment after each for the next, and gives way when a cell of the user's starts.
import asyncio
import json
import os
import time

from ..isolation import copies, gate
from ..isolation.pipe import Listener
from ..isolation.strengths import prepare
from ..protocol import reasons
from ..twin import gpu_tensors
from . import copy_side, data_steps

WAITS_FOR_MORE = 0.3


def take(kernel, request, finish):
    """One round: put to the copy that answered the rounds before while it lives, else to a new one."""
    last = Consulted.last
    if last is not None and last.check == request["check"]:
        if last.gave_way:
            finish({"status": "refused", "reason": reasons.run_meanwhile()})
            return
        if last in copies.alive:
            last.ask(request, finish)
            return
    if last is not None:
        last.end()
    Consulted.last = Consulted(kernel, request, finish)
    Consulted.last.start()


def expect(kernel, request):
    """Questions are likely to come: a copy gets ready for them. Those of another check find none, and make their own."""
    if Consulted.last is not None:
        Consulted.last.end()
    Consulted.last = Consulted(kernel, request, None)
    Consulted.last.start()


class Job(copies.Job):
    """Questions, and the pipe over which more of them come."""

    def __init__(self, request, threads):
        super().__init__(request["budget_ms"] / 1000, threads)
        self.questions = request.get("questions")
        self.about = request.get("about", ())
        self.cpu_seconds = request["cpu_ms"] / 1000
        self.gpus = gpu_tensors.gpus()
        prepare("read-only")
        data_steps.know_classes()
        self.asked, self.asking = os.pipe2(os.O_CLOEXEC)

    def close_side_of_copy(self):
        super().close_side_of_copy()
        os.close(self.asked)

    def close_kernel_side(self):
        super().close_kernel_side()
        os.close(self.asking)


class Consulted:
    """A copy that is asked. `finish(content)` sends the reply to a round, once."""

    last: "Consulted | None" = None

    def __init__(self, kernel, request, finish):
        self.kernel = kernel
        self.check = request["check"]
        self.request = request
        self.finish = finish
        self.loop = asyncio.get_running_loop()
        self.started = time.perf_counter()
        self.gave_way = False

    def start(self):
        try:
            threads = copies.ready(self.kernel.shell, with_gpu=True)
        except gate.Refused as refusal:
            if self.finish is None:
                return
            if not copies.comes_again(refusal, self.started, self.loop, self.start):
                self._reply({"status": "refused", "reason": refusal.reason})
            return
        self.job = Job(self.request, threads)
        self.pid, _ = copies.fork(self.job, self.kernel, copy_side.live)
        copies.alive.add(self)
        self.kernel.shell.events.register("pre_execute", self.give_way)
        self.listener = Listener(self.job.reading, self.job.word)
        self.loop.add_reader(self.job.reading, self._read)
        self._expect(self.finish)

    def ask(self, request, finish):
        line = (json.dumps(request["questions"]) + "\n").encode()
        self.timer.cancel()
        self._expect(finish)
        try:
            while line:
                line = line[os.write(self.job.asking, line) :]
        except BrokenPipeError:
            self.end()

    def _expect(self, finish):
        """A round has begun: it ends with the copy's word, its death, or its time."""
        self.answers, self.finish = [], finish
        self.timer = self.loop.call_later(max(0.0, self.job.deadline - time.monotonic()), self.end)

    def _read(self):
        for told in self.listener.told():
            if "answer" in told:
                self.answers.append(told)
            elif "answered" in told:
                self._reply({"status": "ok", "answers": self.answers})
                self.timer.cancel()
                self.timer = self.loop.call_later(WAITS_FOR_MORE, self.end)
        if self.listener.at_end or self.listener.flooded:
            self.end()

    def _reply(self, content):
        finish, self.finish = self.finish, None
        if finish is not None:
            finish(content)

    def give_way(self):
        """A cell of the user's starts: what the copy knows no longer holds."""
        self.gave_way = True
        self.end()
        copies.collect()

    def end(self):
        if self not in copies.alive:
            return
        copies.alive.discard(self)
        self.loop.remove_reader(self.job.reading)
        self.timer.cancel()
        self.kernel.shell.events.unregister("pre_execute", self.give_way)
        copies.end(self.pid, self.kernel.shell, self.loop)
        self.job.close_kernel_side()
        self._reply({"status": "ok", "answers": self.answers})
