"""How the run ended: an uncaught exception, a signal that would end the process, or the end of the interpreter.

Handlers of others are kept: an exception hook is called on, and a signal is taken only where nobody handles it, then
sent again so that the process ends exactly as it would have.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
import traceback

_open = []
_installed = threading.Event()


def follow(log):
    """Tells ``log`` how the process ends."""
    _open.append(log)
    _install()


def forget(log):
    if log in _open:
        _open.remove(log)


def describe(kind, value, trace):
    return "".join(traceback.format_exception(kind, value, trace))[-20000:]


def _install():
    if _installed.is_set():
        return
    _installed.set()
    atexit.register(end_all)
    before = sys.excepthook

    def on_exception(kind, value, trace):
        for log in _open.copy():
            log.end("signal" if kind is KeyboardInterrupt else "failed", traceback=describe(kind, value, trace),
                    signal="SIGINT" if kind is KeyboardInterrupt else None)
        before(kind, value, trace)

    sys.excepthook = on_exception
    if threading.current_thread() is threading.main_thread():
        for name in ("SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGXCPU"):
            _take(getattr(signal, name, None))


def _take(number):
    if number is None or signal.getsignal(number) is not signal.SIG_DFL:
        return

    def on_signal(received, _frame):
        for log in _open.copy():
            log.end("signal", signal=signal.Signals(received).name)
        signal.signal(received, signal.SIG_DFL)
        os.kill(os.getpid(), received)

    signal.signal(number, on_signal)


def end_all():
    """The interpreter ends, for whatever reason."""
    for log in _open.copy():
        log.end("exited")
