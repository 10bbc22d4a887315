# Code of the notebook that collects whichever child ends, in a thread, a timer, a task or the handler of a signal: it would
# be told of a copy. Its code is looked at; nothing of it runs.
import asyncio
import dis
import functools
import signal
import sys
import threading
import types

from ..objects.lookup import instance_dict, plain_names

WAITS = frozenset(("waitpid", "waitid", "wait3", "wait4"))
DEEPEST = 6
HANDLES = (asyncio.Handle, asyncio.TimerHandle)


def are_there(namespace):
    """`namespace`: the global names of the notebook."""
    return any(_collects(code, namespace, set(), 0) for code in _codes(namespace))


def _codes(namespace):
    """The code that other threads are in or will come to, and that signals and the event loop will call."""
    here = threading.get_ident()
    for ident, innermost in sys._current_frames().items():
        frame = None if ident == here else innermost
        while frame is not None:
            if frame.f_globals is namespace:
                yield frame.f_code
            frame = frame.f_back
    for thread in threading.enumerate():
        held = instance_dict(thread) or {}
        yield from _code(held.get("_target"), namespace)
        yield from _code(held.get("function"), namespace)
    for number in (signal.SIGALRM, signal.SIGVTALRM, signal.SIGPROF, signal.SIGUSR1, signal.SIGUSR2):
        yield from _code(signal.getsignal(number), namespace)
    loop = asyncio._get_running_loop()
    held = {} if loop is None else instance_dict(loop) or {}
    for handle in [*(held.get("_scheduled") or ()), *(held.get("_ready") or ())]:
        if type(handle) in HANDLES:
            yield from _code(handle._callback, namespace)


def _code(function, namespace):
    plain = _unbound(function.func if type(function) is functools.partial else function)
    if type(plain) is types.FunctionType and plain.__globals__ is namespace:
        yield plain.__code__


def _unbound(function):
    return function.__func__ if type(function) is types.MethodType else function


def _collects(code, namespace, seen, depth):
    if code in seen or depth > DEEPEST:
        return False
    seen.add(code)
    names = set(code.co_names)
    if names & WAITS or ({"os", "wait"} <= names and _waits_by_os(code)):
        return True
    held = plain_names(namespace)
    inner = [constant for constant in code.co_consts if type(constant) is types.CodeType]
    inner += [one for name in names for one in _code(held.get(name), namespace)]
    return any(_collects(one, namespace, seen, depth + 1) for one in inner)


def _waits_by_os(code):
    """`os.wait`, which waits for any child; the `wait` of a process or an event waits for that."""
    before = None
    for step in dis.get_instructions(code):
        if step.argval == "wait" and before == "os":
            return True
        before = step.argval
    return False
