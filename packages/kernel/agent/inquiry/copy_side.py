# A copy that answers questions to the real libraries: small programs of constructor calls, module calls and tensor
# operations whose parts the walk over the cell is certain of. Data are stand-ins of the right shape and dtype. What is
# told of each step: the form of its value, the exception it raises whatever the data hold, or nothing.
import contextlib
import importlib
import itertools
import json
import os
import random
import select
import signal
import time

from ..dry_run.cells import message_of
from ..dry_run.doubts import doubt_about_error
from ..isolation import limits, quiet, strengths, thread_pools
from ..isolation.effects import Effects
from ..isolation.pipe import Teller
from ..protocol import reasons
from ..twin import gpu_tensors
from ..twin.gpu_stand_ins import GpuStandIns
from . import data_steps, placeholders
from .data_steps import NoAnswer
from .program import SHORT_OF, Program, Refused, TimeUp, parts_of


def live(job, kernel, kernel_pid):
    """The life of the copy. Never returns."""
    status = 70
    try:
        teller = Teller(job.writing, job.word)
        try:
            _live(job, kernel, kernel_pid, teller)
            status = 0
        except BaseException as error:
            teller.tell(failed=reasons.preparing_failed("%s: %s" % (type(error).__name__, message_of(error))))
    finally:
        os._exit(status)


def _live(job, kernel, kernel_pid, teller):
    limits.tie_to_kernel(kernel_pid)
    limits.apply(job)
    isolation = strengths.read_only(job)
    collector = importlib.import_module("gc")
    collector.freeze()
    collector.disable()
    random.setstate(job.random_state)
    effects = Effects()
    quiet.cut_off(kernel, quiet.Output(), quiet.Errors())
    thread_pools.renew(kernel.shell.user_ns)
    gpu = GpuStandIns(job.gpus) if job.gpus else None
    if gpu is None:
        gpu_tensors.keep_off(_out_of_reach, job.gpu_count)
    effects.watch(isolation.fence)
    if not select.select([job.asked], [], [], 0)[0]:
        _get_ready(kernel.shell.user_ns, job.about)
    rounds = Rounds(job, kernel.shell.user_ns, effects, isolation.strength, teller, gpu)
    asked = [] if job.questions is None else [job.questions]
    with os.fdopen(job.asked, "rb") as more:
        for questions in itertools.chain(asked, map(json.loads, iter(more.readline, b""))):
            rounds.answer(questions)
            teller.tell(answered=True)
            if questions.get("last"):
                # To end takes as long as to be made: nobody has to come and say so first.
                return


def _get_ready(namespace, about):
    """Touch what answers will need: in a copy, everything is slow the first time."""
    for name in about:
        with contextlib.suppress(Exception):
            data_steps.described(namespace[name])


def _out_of_reach():
    raise gpu_tensors.OutOfReach()


class Rounds:
    """What was found out in one round holds in the next."""

    def __init__(self, job, namespace, effects, strength, teller, gpu):
        self.deadline = job.deadline
        self.steps = {}
        ends = time.process_time() + job.cpu_seconds
        self.programs = [Program(self.steps, namespace, fill, job.deadline, ends, gpu) for fill in placeholders.FILLS]
        self.earlier = []
        self.effects, self.strength, self.teller = effects, strength, teller
        self.circumstances = {"threads": job.threads, "source": "", "pretended_gpu": gpu is not None, "own_gpu": None}
        _alarm()

    def answer(self, asked):
        """Tell the answer of each wanted step, in order. A brief one is described in the end, where nothing came of it."""
        self.steps.update((step["id"], step) for step in asked["steps"])
        brief, met = set(asked.get("brief", ())), set()
        for wanted in asked["wanted"]:
            if not self._tell(wanted, wanted in brief):
                met.update(parts_of(self.steps[wanted]))
        for wanted in sorted(brief & met):
            self._tell(wanted, False)

    def _tell(self, wanted, brief):
        """Whether the step has a value."""
        if time.monotonic() > self.deadline - SHORT_OF:
            return False
        told = _answer(wanted, brief, self.earlier, self.programs, self.effects, self.strength, self.circumstances)
        self.teller.tell(answer=wanted, **told)
        self.earlier.append(wanted)
        return told["status"] == "value"


def _alarm():
    def over(*_):
        raise TimeUp()

    signal.signal(signal.SIGALRM, over)
    signal.signal(signal.SIGPROF, over)


def _answer(wanted, brief, earlier, programs, effects, strength, circumstances):
    first, *others = programs
    is_real = first.steps[wanted].get("real", False)
    try:
        value = first.value(wanted)
        if is_real:
            return {"status": "value", "value": {"kind": "brief"} if brief else data_steps.described(value)}
        told = placeholders.described(value, first.steps[wanted], first.gpu)
        if first.steps[wanted]["op"] != "draw" and not _alike(others[-1], wanted, told, earlier):
            return {"status": "unknown", "reason": reasons.depends_on_data()}
        return {"status": "value", "value": told}
    except Refused as refusal:
        if isinstance(refusal.error, NameError):
            return {"status": "unknown", "reason": reasons.looks_for_names()}
        told = _name_and_message(refusal.error)
        doubt = doubt_about_error(refusal.error, effects, strength, circumstances)
        if not is_real and not getattr(refusal.error, "grus_certain", False):
            doubt = doubt or placeholders.doubt(refusal.error, first.steps)
        if first.gpu is not None:
            doubt = doubt or first.gpu.doubt(refusal.error)
        on_real_data = is_real or first.steps[wanted]["op"] == "draw"
        if doubt is None and (on_real_data or all(_raises_too(program, wanted, told, earlier) for program in others)):
            return {"status": "raised", "type": told[0], "message": told[1]}
        return {"status": "unknown", "reason": doubt or reasons.depends_on_data()}
    except NoAnswer as none:
        return {"status": "unknown", "reason": none.reason}


def _alike(program, wanted, told, earlier):
    """Whether other data of the same form give a value of the same form."""
    try:
        _repeat(program, earlier)
        return placeholders.described(program.value(wanted), program.steps[wanted], program.gpu) == told
    except (Refused, NoAnswer):
        return False


def _repeat(program, earlier):
    """Take the steps that change something."""
    for step in earlier:
        if program.steps[step].get("name") == "backward":
            program.value(step)


def _raises_too(program, wanted, told, earlier):
    """Whether other data of the same form meet the same exception, after the same steps that change something."""
    try:
        _repeat(program, earlier)
        program.value(wanted)
    except Refused as refusal:
        return _name_and_message(refusal.error)[0] == told[0]
    except NoAnswer:
        return False
    return False


def _name_and_message(error):
    return type(error).__name__, message_of(error)
