"""Stands in front of the cells that a JupyterLab sends to this kernel. It tells beforehand which cells it is about to
send; each of those is judged when its turn comes, and one that is certain to crash is answered instead of run.
Everything else that is sent passes untouched. Nothing of IPython's is changed: no count, no history, no hook. Whatever
fails here, the cell runs."""

import inspect
import os
import time

PLAN, LOOK = "grus_plan_request", "grus_look_request"
STOPPED, STOPPED_REPLY = "grus_stopped_request", "grus_stopped_reply"
CHECKED = "grus_checked"
TELLS_WITHIN = 0.5


class Plan:
    """The cells that one client is about to send, and how they are to be treated."""

    def __init__(self, content):
        self.content = content
        self.told = None
        """The process that knows of it."""
        self.waiting = list(content["run"])
        self.mode = content["mode"]
        self.seconds = content["budget"] / 1000
        self.holds = content["holds"]
        self.known = content.get("known")
        """The cell of these that was judged ahead, as far as its client knows."""
        self.runs_ahead = content.get("ahead", False)
        self.light = set()
        """Cells of these in which nothing could be found: they need not be judged."""


class Quiet:
    """A cell that was judged ahead, as it was then, and in which nothing was found. `errand`: what runs ahead of it."""

    def __init__(self, session, cell, source, runs_ahead, errand):
        self.about, self.errand = (session, cell, source, runs_ahead), errand

    def holds_for(self, *about):
        return self.about == about


class MessageGate:
    def __init__(self, kernel, asker, version, forerunners):
        self.kernel, self.asker, self.version = kernel, asker, version
        self.forerunners = forerunners(kernel, lambda told: setattr(self, "stopped", told))
        self.owner = os.getpid()
        self.run = kernel.shell_handlers["execute_request"]
        self.plans = {}
        self.holds = {}
        """How many cells of each client were held: what it sent before it knew of the last is not run."""
        self.stopped = None
        """The cell that was held last, and those behind it, for a page that was loaded again meanwhile."""
        self.quiet = None
        """What was judged ahead, if nothing was found and no cell has run since."""

    def install(self):
        """In place of that of another version; one of the same version stays."""
        handlers = self.kernel.shell_handlers
        there = getattr(handlers.get(PLAN), "__self__", None)
        if there is not None:
            if there.version == self.version:
                return
            handlers["execute_request"] = there.run
            there.asker.close()
        self.run = handlers["execute_request"]
        handlers["execute_request"] = self.execute
        handlers[PLAN] = self.plan
        handlers[LOOK] = self.look
        handlers[STOPPED] = self.tell_stopped
        self.asker.open()

    def plan(self, _stream, _ident, parent):
        session = parent["header"]["session"]
        self.plans[session] = plan = Plan(parent["content"])
        if self.stopped is not None and self.stopped["cell"] == parent["content"].get("after"):
            self.stopped["behind"] += plan.waiting
        else:
            self.stopped = None
        self._hand_over(plan)

    def look(self, _stream, _ident, parent):
        """A cell is judged that may be run next. Nobody waits for it, and a miss does not count."""
        session, content = parent["header"]["session"], parent["content"]
        (cell,), source = content["run"], content["source"]
        plan = Plan(content)
        plan.waiting.clear()
        self.plans[session], self.quiet = plan, None
        misses = self.asker.misses
        try:
            self._hand_over(plan)
            told = self.asker.ask({"task": "cell", "cell": cell, "source": source}, plan.seconds)
        except KeyboardInterrupt:
            # Half a message may be in the pipe.
            self.asker.close()
            return
        if told is None:
            self.asker.misses = misses
        elif told["settled"]:
            self.quiet = Quiet(session, cell, source, plan.runs_ahead, told.get("ahead"))

    def tell_stopped(self, stream, ident, parent):
        content = {"status": "ok", "stopped": self.stopped}
        self.kernel.session.send(stream, STOPPED_REPLY, content, parent, ident=ident)

    def _hand_over(self, plan):
        """To the process beside, and to the next one when that has ended."""
        if self.asker.open() and plan.told is not self.asker.beside:
            plan.told = self.asker.beside
            self.asker.tell({"plan": plan.content}, TELLS_WITHIN)

    def execute(self, stream, ident, parent):
        """In place of the kernel's own handler."""
        try:
            refusal = self._refusal(parent)
        except KeyboardInterrupt:
            # Half a message may be in the pipe; and whoever interrupts does not want the cell to run.
            self.asker.close()
            refusal = self._stop(parent, {"kind": "interrupted"})
        except Exception as error:
            self._tell(parent, {"kind": "failed", "message": "%s: %s" % (type(error).__name__, error)})
            refusal = None
        if refusal is None:
            return self._run(stream, ident, parent)
        self.kernel.session.send(stream, "execute_reply", refusal, parent, ident=ident)
        return None

    def _run(self, stream, ident, parent):
        try:
            running = self.run(stream, ident, parent)
        except BaseException:
            self.forerunners.over()
            raise
        if inspect.isawaitable(running):
            return self._until_over(running)
        self.forerunners.over()
        return running

    async def _until_over(self, running):
        try:
            return await running
        finally:
            self.forerunners.over()

    def _refusal(self, parent):
        """What the client is answered instead; None when the cell runs."""
        session, cell = parent["header"]["session"], parent["metadata"].get("cellId")
        quiet, self.quiet = self.quiet, None
        plan = self.plans.get(session)
        if plan is None or cell not in plan.waiting or os.getpid() != self.owner:
            return None
        plan.waiting.remove(cell)
        if plan.holds < self.holds.get(session, 0):
            return {"status": "aborted", "grus": {"kind": "behind", "holds": self.holds[session]}}
        if cell in plan.light:
            return None
        code = parent["content"]["code"]
        if plan.known == cell and quiet is not None and quiet.holds_for(session, cell, code, plan.runs_ahead):
            self._run_ahead(quiet.errand, plan, parent, cell)
            self._tell(parent, {"kind": "verdict", "verdict": None, "ms": 0.0})
            return None
        started = time.monotonic()
        self._hand_over(plan)
        told = self.asker.ask({"task": "cell", "cell": cell, "source": code}, plan.seconds)
        ms = round((time.monotonic() - started) * 1000, 1)
        if told is None:
            late = ms >= plan.seconds * 1000
            self._tell(parent, {"kind": "late" if late else "failed", "ms": ms, "message": self.asker.problem})
            return None
        plan.light.update(told["light"])
        verdict = told.get("verdict")
        if verdict is not None and told["certain"] and plan.mode in ("ask", "block"):
            self.stopped = {"cell": cell, "verdict": verdict, "behind": list(plan.waiting)}
            return self._stop(parent, {"kind": "held", "verdict": verdict, "ms": ms})
        self._run_ahead(told.get("ahead"), plan, parent, cell)
        self._tell(parent, {"kind": "verdict", "verdict": verdict, "ms": ms})
        return None

    def _run_ahead(self, errand, plan, parent, cell):
        """`errand`: None for a cell that does not look long."""
        beside = self.asker.beside
        if errand is not None and beside is not None and beside.answer is not None:
            told = {"parent": parent, "cell": cell, "mode": plan.mode, "waiting": plan.waiting}
            self.forerunners.start(beside.answer, beside, errand, **told)

    def _stop(self, parent, told):
        session = parent["header"]["session"]
        self.holds[session] = self.holds.get(session, 0) + 1
        nothing = {"ename": "CellHeld", "evalue": "", "traceback": [], "execution_count": None}
        return {"status": "error", **nothing, "grus": told}

    def _tell(self, parent, told):
        told = dict(told, cell=parent["metadata"].get("cellId"))
        self.kernel.session.send(self.kernel.iopub_socket, CHECKED, told, parent, ident=b"grus")
