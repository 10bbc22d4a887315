# Thread pools and a fork. libgomp's pool is dropped in the kernel before the fork (it is rebuilt at the next use),
# because a copy that inherits it hangs; pools of Python's and joblib's are made new inside the copy.
import ctypes
import os
import sys

from .system import libc, told_by

ALL_DEVICES_HARD = 2
# Where struct dl_phdr_info counts the libraries that were loaded and unloaded, in words of eight bytes.
LOADED, UNLOADED = 4, 5
FIRST_LIBRARY = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_ulonglong), ctypes.c_size_t, ctypes.c_void_p)

_pools = {}
"""The loaded libgomps, by the counts at which they were looked for."""


def drop_openmp():
    """Every libgomp that is loaded: wheels bring their own. Returns the files of those that cannot drop their pool."""
    stuck = []
    for path, library in _openmps():
        try:
            pause = library.omp_pause_resource_all
        except AttributeError:
            stuck.append(path)
            continue
        pause(ALL_DEVICES_HARD)
    return stuck


def _openmps():
    counts = _libraries_so_far()
    if counts is None or counts not in _pools:
        _pools.clear()
        mode = os.RTLD_NOLOAD | os.RTLD_LAZY
        _pools[counts] = [(path, ctypes.CDLL(path, mode=mode)) for path in _loaded_libraries("libgomp")]
    return _pools[counts]


def _libraries_so_far():
    """How many were loaded and unloaded; None where the C library does not count."""
    counts = []

    def count(first, size, _):
        if size >= 8 * (UNLOADED + 1):
            counts.extend((first[LOADED], first[UNLOADED]))
        return 1

    ask = getattr(libc(), "dl_iterate_phdr", None)
    if ask is not None:
        ask(FIRST_LIBRARY(count), None)
    return tuple(counts) or None


def _loaded_libraries(name):
    wanted, found = name.encode(), set()
    with open("/proc/self/maps", "rb", buffering=0) as table:
        text = table.readall()
    if wanted in text:
        for line in text.splitlines():
            path = line[line.find(b"/") :]
            if wanted in os.path.basename(path) and b".so" in path:
                found.add(os.fsdecode(path))
    return sorted(found)


def native_pools():
    """Pools of native threads that a copy cannot use; the cell hangs if it needs them."""
    names = set()
    for task in os.listdir("/proc/self/task"):
        try:
            names.add(told_by("/proc/self/task/%s/comm" % task).strip().partition("-")[0])
        except OSError:
            continue
    return sorted(names & {"polars", "rayon", "duckdb"})


def renew(namespace):
    """Inside the copy: executors get new threads, joblib works in sequence, loaders start over."""
    _executors(namespace)
    _joblib()
    _loaders(namespace)
    _opencv()


def _executors(namespace):
    module = sys.modules.get("concurrent.futures.thread")
    if module is None:
        return
    import queue
    import threading

    for value in list(namespace.values()):
        if type(value) is module.ThreadPoolExecutor:
            value._threads = set()
            value._idle_semaphore = threading.Semaphore(0)
            value._work_queue = queue.SimpleQueue()


def _joblib():
    parallel = sys.modules.get("joblib.parallel")
    if parallel is None:
        return
    executor = sys.modules.get("joblib.externals.loky.reusable_executor")
    if executor is not None:
        vars(executor)["_executor"] = None
    configure = getattr(parallel, "parallel_config", None) or getattr(parallel, "parallel_backend", None)
    if configure is not None:
        configure("sequential")


def _loaders(namespace):
    module = sys.modules.get("torch.utils.data")
    if module is None:
        return
    for value in list(namespace.values()):
        if isinstance(value, module.DataLoader):
            value._iterator = None


def _opencv():
    module = sys.modules.get("cv2")
    if module is not None and hasattr(module, "setNumThreads"):
        module.setNumThreads(0)
