# How the agent is reached: a message type of its own on the kernel's shell channel. Such a message fires none of
# IPython's cell events, moves no execution count and enters no history.
import sys
import time

from ..snapshot.answer import answer

REQUEST = "grus_snapshot_request"
REPLY = "grus_snapshot_reply"


def install(version):
    """Register the handlers, replacing those of an older agent. Binds nothing in the user's namespace."""
    kernel = _kernel()
    if kernel is None:
        raise RuntimeError("no IPython kernel is running here")
    handler = _handler(kernel, version)
    kernel.shell_handlers[REQUEST] = handler
    _forget_install_cell(kernel.shell)


def _kernel():
    module = sys.modules.get("ipykernel.kernelbase")
    return module.Kernel._instance if module is not None else None


def _handler(kernel, version):
    def handle(stream, ident, parent):
        request = parent["content"]
        if request.get("agent") not in (None, version):
            content = {"status": "stale", "agent": version}
        else:
            started = time.perf_counter()
            content: dict = answered(request, kernel.shell)
            content["agent"] = version
            content["agent_ms"] = round((time.perf_counter() - started) * 1000, 3)
        _send(kernel.session, stream, content, parent, ident)

    return handle


def _send(session, stream, content, parent, ident):
    """By copy whatever the size: sending without a copy would import a module and start a thread in the kernel."""
    threshold = session.copy_threshold
    session.copy_threshold = sys.maxsize
    try:
        session.send(stream, REPLY, content, parent, ident=ident)
    finally:
        session.copy_threshold = threshold


def answered(request, shell):
    """The content of a reply."""
    gc = sys.modules.get("gc")
    collecting = gc is not None and gc.isenabled()
    if gc is not None and collecting:
        gc.disable()
    try:
        return {"status": "ok", "snapshot": answer(request, shell)}
    except Exception as error:
        return {"status": "error", "ename": type(error).__name__, "evalue": str(error)[:500], "where": _where(error)}
    finally:
        if gc is not None and collecting:
            gc.enable()


def _where(error):
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    return "%s:%d" % (last.tb_frame.f_code.co_filename, last.tb_lineno) if last is not None else ""


def _forget_install_cell(shell):
    """The text that installed the agent is no cell of the user's: take it out of what tracebacks look up."""
    frame = sys._getframe()
    while frame is not None and frame.f_globals is not shell.user_ns:
        frame = frame.f_back
    if frame is None:
        return
    name = frame.f_code.co_filename
    linecache = sys.modules.get("linecache")
    if linecache is not None:
        linecache.cache.pop(name, None)
    getattr(shell.compile, "_filename_map", {}).pop(name, None)
