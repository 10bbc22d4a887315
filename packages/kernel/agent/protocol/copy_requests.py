# How dry runs, and questions to the libraries, are asked for: a message type of their own on the kernel's shell channel.
# The rooms that answer are loaded when the kernel has nothing to do, so that the first request need not wait for it.
import sys

from . import reasons

REQUEST = "grus_dry_request"
REPLY = "grus_dry_reply"
SOON = 0.05


def install(version, load, load_rest, sources):
    """Register the handler. `load(name)` gives a module of the agent, loading it when it is new."""
    kernel = sys.modules["ipykernel.kernelbase"].Kernel._instance

    def answer_message(stream, ident, parent):
        def finish(content):
            content["agent"] = version
            kernel.session.send(stream, REPLY, content, parent, ident=ident)

        request = parent["content"]
        if request.get("agent") not in (None, version):
            finish({"status": "stale"})
        else:
            handle(kernel, request, finish, load, sources)

    kernel.shell_handlers[REQUEST] = answer_message
    _load_ahead(load_rest())


def handle(kernel, request, finish, load, sources):
    """Have a copy do what the request asks for. `finish(content)` is called once, now or later."""
    try:
        if request.get("questions") is not None:
            load("grus_agent.inquiry.kernel_side").take(kernel, request, finish)
            return
        launch = load("grus_agent.dry_run.kernel_side")
        if request.get("give_up") is not None:
            finish({"status": "given-up", "runs": launch.give_up(request["give_up"])})
            return
        strengths = launch.allowed_strengths(request)
        if not strengths:
            finish({"status": "refused", "reason": reasons.isolation_too_weak()})
            return
        run = launch.DryRun(kernel, request, finish, sources)
        if request.get("clip"):
            run = load("grus_agent.dry_run.experiment").Experiment(run.another, request, finish)
        run.start(strengths)
    except Exception as error:
        finish({"status": "error", "ename": type(error).__name__, "evalue": str(error)[:500]})


def _load_ahead(pieces):
    """A piece at a time, between the messages that the kernel handles."""
    try:
        loop = sys.modules["asyncio"].get_running_loop()
    except RuntimeError:
        return

    def next_piece():
        for _ in pieces:
            loop.call_soon(next_piece)
            return

    loop.call_later(SOON, next_piece)
