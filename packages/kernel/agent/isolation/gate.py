# Whether the kernel may be forked now. Forking while another thread is inside native code can hang the kernel itself,
# so every thread must be provably parked; and some libraries do not survive a fork. When in doubt, refuse.
import functools
import os
import signal
import sys
import threading
import types

from ..objects.lookup import class_module, class_name, has_type, instance_dict, module_dict
from ..protocol import reasons
from ..twin.needed_names import needed_names
from . import own_waits
from .system import told_by
from .thread_pools import native_pools

# Python functions in which a thread only waits: (end of the file's name, function).
PARKED = frozenset(
    {
        ("threading.py", "wait"),
        ("threading.py", "_wait_for_tstate_lock"),
        ("threading.py", "join"),
        ("queue.py", "get"),
        ("queue.py", "put"),
        ("selectors.py", "select"),
        ("concurrent/futures/thread.py", "_worker"),
        ("multiprocessing/connection.py", "wait"),
        ("multiprocessing/connection.py", "_recv"),
        ("socketserver.py", "serve_forever"),
        ("zmq/sugar/__init__.py", "device"),
        ("ipykernel/heartbeat.py", "run"),
        ("ipykernel/iostream.py", "_watch_pipe_fd"),
        ("ipykernel/parentpoller.py", "run"),
    }
)
# System calls in which a thread sleeps until something happens outside of it: (x86_64, aarch64) numbers of nanosleep,
# clock_nanosleep, poll, ppoll, select, pselect6, epoll_wait, epoll_pwait, read, recvfrom, recvmsg, accept, accept4,
# wait4, waitid.
WAITING_CALLS = {
    "x86_64": frozenset((35, 230, 7, 271, 23, 270, 232, 281, 0, 45, 47, 43, 288, 61, 247)),
    "aarch64": frozenset((101, 115, 73, 72, 22, 63, 207, 212, 202, 242, 260, 95)),
}
# wait4 of a group or of any process; waitid of anything but one process or its descriptor.
CHILD_WAITS = {
    "x86_64": {"61": lambda pid: pid == 0 or pid >> 31, "247": lambda kind: kind not in (1, 3)},
    "aarch64": {"260": lambda pid: pid == 0 or pid >> 31, "95": lambda kind: kind not in (1, 3)},
}
OWN_THREADS = ("ipykernel.", "IPython.", "tqdm.", "zmq.", "jupyter_client.", "tornado.", "debugpy.", "_pydevd")
LIBRARY_TARGETS = ("concurrent.futures", "ipykernel", "IPython", "zmq", "multiprocessing", "tqdm", "joblib", "tornado")


class Refused(Exception):
    """The kernel is not forked; `reason` says why. `twin` says whether a fresh process could still try, `passing`
    whether it may be over in a moment, `gpu` whether torch has things on a GPU."""

    def __init__(self, reason, twin=False, passing=False, gpu=False):
        super().__init__(reason["code"])
        self.reason = reason
        self.twin = twin
        self.passing = passing
        self.gpu = gpu


def check(shell, with_gpu=False):
    """Raises Refused; not for a GPU in use, where the copy keeps off it (`with_gpu`). Returns the names of threads that
    run the user's own code and will be missing in the copy."""
    if sys.platform != "linux" or not hasattr(os, "fork"):
        raise Refused(reasons.platform_cannot_fork(sys.platform))
    if threading.current_thread() is not threading.main_thread():
        raise Refused(reasons.cell_running())
    handler = signal.getsignal(signal.SIGCHLD)
    if not has_type(handler, signal.Handlers, type(None)) and not _minds_its_own_children(handler):
        raise Refused(reasons.own_child_handler())
    if _waits_for_any_child() or (shell is not None and own_waits.are_there(shell.user_ns)):
        raise Refused(reasons.own_child_handler())
    if sys.gettrace() is not None:
        raise Refused(reasons.debugger_attached())
    threads = _threads()
    _libraries(with_gpu)
    return threads


def _waits_for_any_child():
    """A thread that waits for whichever child ends would be told of a copy."""
    calls = CHILD_WAITS.get(os.uname().machine, {})
    for thread in threading.enumerate():
        if thread is threading.main_thread():
            continue
        told = _system_call(_held(thread, "_native_id"))
        if told and told[0] in calls and calls[told[0]](int(told[1], 16)):
            return True
    return False


def _minds_its_own_children(handler):
    """A loader of torch that had workers looks after those alone, for the rest of the session."""
    if _module_of(handler) != "torch.utils.data._utils.signal_handling" or type(handler) is not types.FunctionType:
        return False
    return not any(callable(cell.cell_contents) for cell in handler.__closure__ or ())


def _libraries(with_gpu):
    torch = sys.modules.get("torch")
    cuda = getattr(torch, "cuda", None) if torch is not None else None
    in_use = getattr(cuda, "is_initialized", None)
    if not with_gpu and in_use is not None and in_use():
        raise Refused(reasons.library_in_use("CUDA"), twin=True, gpu=True)
    if _tensorflow_executed():
        raise Refused(reasons.library_in_use("TensorFlow"), twin=True)
    bridge = sys.modules.get("jax._src.xla_bridge")
    if bridge is not None and getattr(bridge, "_backends", None):
        raise Refused(reasons.library_in_use("JAX"), twin=True)
    for name in ("cupy", "cudf", "pycuda.driver"):
        if name in sys.modules:
            raise Refused(reasons.library_in_use(name.split(".")[0]), twin=True)
    if "pyspark" in sys.modules and getattr(sys.modules["pyspark"].SparkContext, "_active_spark_context", None):
        raise Refused(reasons.cluster_open("Spark"))
    if "ray" in sys.modules and sys.modules["ray"].is_initialized():
        raise Refused(reasons.cluster_open("Ray"))


def needs_native_pool(shell, sources):
    """A library whose native threads would be missing in the copy, and that the cell works with; or None."""
    pools = native_pools()
    if not pools:
        return None
    for value in needed_names(sources, shell).values():
        held = module_dict(value)
        module = class_module(type(value)) if held is None else held.get("__name__")
        root = module.partition(".")[0] if type(module) is str else ""
        if root in pools:
            return root
    return None


def _tensorflow_executed():
    """The eager context starts its threads with the first operation."""
    context = sys.modules.get("tensorflow.python.eager.context")
    if context is None:
        return False
    current = getattr(context, "_context", None)
    return current is not None and getattr(current, "_context_handle", None) is not None


def _threads():
    busy = _busy_thread()
    if busy is not None:
        raise Refused(reasons.thread_at_work(busy), passing=True)
    return _of_the_user()


def _busy_thread():
    """The name of a thread that is not provably parked, or None."""
    here = threading.get_ident()
    known = {_held(thread, "_ident"): thread for thread in threading.enumerate()}
    native = {_held(thread, "_native_id") for thread in known.values()}
    for ident, frame in sys._current_frames().items():
        if ident == here:
            continue
        thread = known.get(ident)
        if not _is_parked(frame) and not _waits(_held(thread, "_native_id")):
            return _name(thread) if thread is not None else "%d, unknown to Python" % ident
    return _busy_native_thread(native)


def _is_parked(frame):
    name = frame.f_code.co_filename.replace(os.sep, "/")
    return any(frame.f_code.co_name == function and name.endswith("/" + end) for end, function in PARKED)


def _waits(native):
    calls = WAITING_CALLS.get(os.uname().machine)
    if native is None or calls is None:
        return False
    told = _system_call(native)
    return bool(told) and told[0] in {str(call) for call in calls}


def _system_call(native):
    """The number of the call in which a thread is, and its arguments, as text; empty when it is in none."""
    try:
        return told_by("/proc/self/task/%s/syscall" % native).split()
    except OSError:
        return []


def _busy_native_thread(python_threads):
    """A thread that Python does not know and that is on a processor now."""
    for name in os.listdir("/proc/self/task"):
        if int(name) in python_threads:
            continue
        try:
            before, _, after = told_by("/proc/self/task/%s/stat" % name).rpartition(")")
        except OSError:
            continue
        if after.split()[0] == "R":
            return "%s (native)" % before.partition("(")[2]
    return None


def _held(thread, name):
    """What the thread keeps itself, as a plain number or a function: a subclass may answer with code of its own."""
    value = (instance_dict(thread) or {}).get(name)
    return value if has_type(value, int, str, types.FunctionType, types.MethodType, functools.partial) else None


def _name(thread):
    name = _held(thread, "_name")
    return name if type(name) is str else class_name(type(thread))


def _of_the_user():
    found = []
    for thread in threading.enumerate():
        module = class_module(type(thread)) + "."
        held = instance_dict(thread) or {}
        # A timer keeps what it will call under another name.
        name = "function" if held.get("_target") is None else "_target"
        target, where = held.get(name), _module_of(_held(thread, name))
        if thread is threading.main_thread() or module.startswith(OWN_THREADS) or where.startswith(LIBRARY_TARGETS):
            continue
        if target is None and not module.startswith("__main__"):
            continue
        found.append(_name(thread))
    return found


def _module_of(function):
    function = function.__func__ if type(function) is types.MethodType else function
    found = function.__module__ if type(function) is types.FunctionType else None
    return found if type(found) is str else ""
