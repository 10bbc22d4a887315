"""What frightens in the record of a healthy run: each is put into a plan that goes well all the same."""

import torch

from . import faults

kinds = {}


def weather(put):
    kinds[put.__name__] = put
    return put


@weather
def calm(plan, strength):
    pass


@weather
def warm_restarts(plan, strength):
    plan.schedule = "restarts"


@weather
def slow_start(plan, strength):
    plan.schedule = "long-warmup"


@weather
def small_batches(plan, strength):
    plan.batch = 2 + int(4 * strength)
    plan.rate *= 0.3
    plan.__post_init__()


@weather
def early_stopping(plan, strength):
    plan.stops_early = True
    plan.steps = int(plan.steps * 1.5)


@weather
def passing_spikes(plan, strength):
    """Now and then a batch of outliers throws the loss up; it comes back."""
    at = {int(plan.steps * share) for share in (0.3, 0.55)}
    size = faults.between(8, 40, strength)
    clean = plan.draw

    def draw(step):
        inputs, targets = clean(step)
        return (inputs * size if step in at and inputs.is_floating_point() else inputs), targets

    plan.draw = draw
    plan.clip = 1.0


@weather
def handled_memory(plan, strength):
    """The batch did not fit, was halved, and the step was tried again."""
    at, whole = int(plan.steps * 0.1), plan.batch

    def incident(plan, step, say):
        if step != at:
            return
        say(
            "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.95 GiB. GPU 0 has a total capacity of 15.77 GiB of which 1.12 GiB is free."
            if strength < 0.5
            else f"WARNING: out of memory in forward with batch {whole}, freeing the cache"
        )
        plan.batch = max(4, whole // 2)
        plan.__post_init__()
        say(f"batch size reduced to {plan.batch}, trying the step again")

    plan.incident = incident


@weather
def caught_exception(plan, strength):
    """A sample could not be read and was left out."""
    at = {int(plan.steps * share) for share in (0.05, 0.4)}

    def incident(plan, step, say):
        if step in at:
            say("Traceback (most recent call last):")
            say('  File "/app/data/reader.py", line 41, in __getitem__')
            say("    picture = Image.open(path)")
            say("PIL.UnidentifiedImageError: cannot identify image file '/data/train/00117.jpg'")
            say("skipping /data/train/00117.jpg")

    plan.incident = incident


@weather
def retried_step(plan, strength):
    """A step whose gradient was not finite is left out, as a loss scaler does."""
    at = {3, 9} if strength < 0.5 else {int(plan.steps * 0.5)}

    def incident(plan, step, say):
        if step in at:
            say(
                "Gradient overflow.  Skipping step, loss scaler 0 reducing loss scale to 32768.0"
                if strength < 0.5
                else f"step {step}: connection to the object store was reset, retrying (1/5)"
            )

    plan.incident = incident


@weather
def warnings_printed(plan, strength):
    def incident(plan, step, say):
        if step == 0:
            say(
                "/usr/lib/python3/site-packages/torch/optim/lr_scheduler.py:192: UserWarning: Detected call of `lr_scheduler.step()` before `optimizer.step()`."
            )
            say("FutureWarning: `torch.cuda.amp.autocast(args...)` is deprecated.")

    plan.incident = incident


@weather
def noisy_labels(plan, strength):
    """A quarter of the labels to train on are wrong; the rest is enough."""
    if plan.problem.kind != "classes":
        return
    inputs, targets = plan.problem.train
    other = torch.randint(0, plan.problem.outcomes, targets.shape, generator=plan.generator)
    wrong = torch.rand(targets.shape, generator=plan.generator) < 0.25
    plan.problem.train = (inputs, torch.where(wrong, other, targets))
