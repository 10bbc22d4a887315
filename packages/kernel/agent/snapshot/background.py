# What runs in the process by itself between two cells: threads, tasks, timers and handlers that are not the kernel's own.
# While there is none, what was read of the kernel holds until somebody sends it a message.
import asyncio
import os
import signal
import sys
import threading
import types

from ..objects.lookup import class_name, has_type, instance_dict

# Threads of the kernel and of libraries that never touch what a cell can see.
OWN_THREADS = ("ipykernel.", "IPython.", "zmq.", "tqdm.")
OWN_TARGETS = ("ipykernel.", "zmq.")
OWN_FOLDERS = ("ipykernel", "tornado", "zmq")
# The agent waits for its copies, and loads what it may need when there is time.
OF_THE_AGENT = "grus_agent."
# Loops of Python's own: one of the user's would answer with code of the user's.
LOOPS = (asyncio.SelectorEventLoop, vars(asyncio).get("ProactorEventLoop"))


def running(kernel):
    """What runs beside the cells, in words; empty when nothing does. Whatever is not known to be harmless is told."""
    if threading.current_thread() is not threading.main_thread():
        return ["a cell"]
    try:
        return [*_threads(), *_loop(asyncio.get_running_loop()), *_others(kernel)]
    except Exception as error:
        return ["unknown: " + type(error).__name__]


def _threads():
    known = {(instance_dict(thread) or {}).get("_ident"): thread for thread in threading.enumerate()}
    for ident in sys._current_frames():
        thread = known.get(ident)
        if thread is None or not _is_own(thread):
            yield "a thread"


def _is_own(thread):
    if thread is threading.main_thread() or class_name(type(thread)).startswith(OWN_THREADS):
        return True
    target = (instance_dict(thread) or {}).get("_target")
    return type(thread) is threading.Thread and _module(target).startswith(OWN_TARGETS)


def _module(function):
    """Where a plain function or bound method comes from, with a dot behind it; empty for anything else."""
    function = function.__func__ if type(function) is types.MethodType else function
    name = function.__module__ if type(function) is types.FunctionType else None
    return name + "." if type(name) is str else ""


def _loop(loop):
    if not has_type(loop, *LOOPS) or loop.get_task_factory() is not None:
        return ["an event loop of its own kind"]
    told = ["a task" for task in asyncio.all_tasks(loop) if not _is_own_task(task)]
    told += ["a timer" for timer in loop._scheduled if not timer._cancelled and not _is_of_the_agent(timer)]
    for key in loop._selector.get_map().values():
        told += ["a handler" for handle in key.data if handle is not None and not _is_own_handle(handle, key.fd)]
    return told


def _is_of_the_agent(handle):
    return _module(handle._callback).startswith(OF_THE_AGENT)


def _is_own_task(task):
    coroutine = task.get_coro() if type(task) is asyncio.Task else None
    if type(coroutine) is not types.CoroutineType:
        return False
    return any(part in OWN_FOLDERS for part in coroutine.cr_code.co_filename.split(os.sep))


def _is_own_handle(handle, descriptor):
    """The pipe that wakes the loop, and the sockets of the kernel, which Tornado watches."""
    callback = handle._callback
    module = _module(callback)
    if module.startswith(OF_THE_AGENT):
        return True
    if module == "asyncio.selector_events.":
        return callback.__func__.__name__ == "_read_from_self"
    if not module.startswith("tornado."):
        return module.startswith(OWN_TARGETS)
    watched = ((instance_dict(callback.__self__) or {}).get("handlers") or {}).get(descriptor)
    return type(watched) is tuple and class_name(type(watched[0])).startswith("zmq.")


def _others(kernel):
    if getattr(kernel, "eventloop", None) is not None:
        yield "a graphical event loop"
    timers = getattr(signal, "getitimer", None)
    if timers is not None and timers(signal.ITIMER_REAL)[0] > 0:
        yield "an alarm"

