# Whether an exception, or a clean finish, can be believed: everything that the isolation or the fork may have caused
# is inconclusive. Returns the reason for doubt, or None.
import errno
import glob
import os
import re

from ..protocol import reasons
from .cells import chain_of, message_of

# Of an OSError only these mean the same inside and outside a copy, and only where they are about a path.
FAITHFUL = {getattr(errno, name) for name in "ENOENT EISDIR ENOTDIR EEXIST ENOTEMPTY ENAMETOOLONG EINVAL ELOOP".split()}
UNFAITHFUL_PLACES = ("/dev/", "/proc/", "/sys/", "/run/", "/var/run/")
NETWORK_MODULES = frozenset(
    "requests urllib3 httpx httpcore aiohttp botocore boto3 huggingface_hub ssl socket ftplib smtplib paramiko grpc "
    "psycopg2 psycopg pymysql redis pymongo kaggle wandb mlflow websocket websockets".split()
)
PARALLEL_NAMES = frozenset(
    "BrokenProcessPool TerminatedWorkerError BrokenThreadPool BrokenExecutor ChildProcessError AuthenticationError "
    "Empty Full TimeoutError BrokenBarrierError CancelledError InvalidStateError ProcessLookupError "
    "CalledProcessError TimeoutExpired EOF TIMEOUT ZMQError".split()
)
# Messages of libraries that met a limit of the copy: its threads, its processes, its loop, its fork.
BY_THE_COPY = re.compile(
    r"start new thread|forked (sub)?process|fork-based|after fork|re-initialize CUDA|DataLoader worker|"
    r"different (event )?loop|no running event loop|no current event loop|can only (join|test) a child|"
    r"resource temporarily unavailable|operation not permitted|permission denied|read-only file system|"
    r"no space left|connection (refused|reset|error|aborted)|network is unreachable|name resolution|"
    r"failed to (connect|resolve|download|fetch)|timed? ?out|offline mode|database is locked|readonly database|"
    r"disk I/O error|shared memory|semaphore",
    re.IGNORECASE,
)
# What a library did not expect of its surroundings. A GPU's driver and its tools are others in a twin.
OF_A_LIBRARY = "INTERNAL ASSERT FAILED"
# Their messages are names and keys.
ABOUT_NAMES = (LookupError, AttributeError, NameError)
OF_THE_RUNNING_LOOP = "cannot be called from a running event loop"
ON_A_GPU = re.compile(r"cuda|nvidia|cudnn|cublas|\bgpu\b|nccl", re.IGNORECASE)
INSTALLERS = re.compile(
    r"\b(pip3?|conda|mamba|uv|poetry|apt|apt-get|wget|curl|git|npm|kaggle|gdown|aria2c|rsync|ssh|scp|aws|gsutil|"
    r"docker|nvidia-smi|huggingface-cli|dvc)\b"
)
UNITS = {"bytes": 1, "byte": 1, "B": 1}
UNITS.update({name: 1024**power for power, name in enumerate(("KiB", "MiB", "GiB", "TiB", "PiB", "EiB"), 1)})
UNITS.update({name: 1000**power for power, name in enumerate(("KB", "MB", "GB", "TB", "PB", "EB"), 1)})
SIZE = re.compile(r"allocat\w*\D{0,20}?(\d+(?:\.\d*)?) ?(%s)" % "|".join(sorted(UNITS, key=len, reverse=True)))


def doubt_about_finish(effects, strength, source):
    """Why a clean finish is no proof that the cell finishes in the kernel too."""
    for note in effects.of_kind("network"):
        return reasons.uses_network(note["what"])
    for note in effects.denied():
        return reasons.isolation_refused(strength, note["what"])
    for note in effects.of_kind("process"):
        found = INSTALLERS.search(note["what"]) or INSTALLERS.search(source)
        if found:
            return reasons.program_needs_network(found.group(0))
    return None


def doubt_about_error(error, effects, strength, circumstances):
    """Why an exception may have been caused by the copy itself."""
    early = doubt_about_finish(effects, strength, circumstances["source"])
    if early is not None:
        return early
    for link in [error, *chain_of(error)]:
        reason = _doubt_about(link, circumstances)
        if reason is not None:
            return reason
    return None


def _doubt_about(error, circumstances):
    name, message = type(error).__name__, message_of(error)
    root = (type(error).__module__ or "").partition(".")[0]
    own = circumstances["own_gpu"]
    if own is not None and own.ran_out(error):
        return own.doubt_about_memory()
    if own is not None and OF_A_LIBRARY in message:
        return reasons.other_gpu_use()
    if isinstance(error, MemoryError) or ("allocate" in message and not isinstance(error, ABOUT_NAMES)):
        if circumstances["pretended_gpu"] and not getattr(error, "grus_certain", False):
            return reasons.less_memory(name)
        return _doubt_about_memory(name, message)
    if isinstance(error, OSError):
        return _doubt_about_system(error, name, message)
    if root in NETWORK_MODULES or name in PARALLEL_NAMES:
        return reasons.alone_in_copy(name)
    if root in ("h5py", "tables", "netCDF4"):
        return reasons.file_identity()
    if circumstances["threads"]:
        return reasons.threads_missing(circumstances["threads"][:3])
    if OF_THE_RUNNING_LOOP in message:
        return None
    found = BY_THE_COPY.search(message)
    if found:
        return reasons.copy_may_cause(found.group(0).lower())
    knows_gpu = circumstances["pretended_gpu"] or own is not None
    if ON_A_GPU.search(message) and not knows_gpu and glob.glob("/dev/nvidia*"):
        return reasons.other_gpu_use()
    return None


def _doubt_about_system(error, name, message):
    if error.errno is None:
        if type(error) in (OSError, ConnectionError, TimeoutError):
            return reasons.error_without_number(name)
        found = BY_THE_COPY.search(message)
        return reasons.copy_may_cause(found.group(0).lower()) if found else None
    if error.errno not in FAITHFUL or (error.filename is None and error.strerror == os.strerror(error.errno)):
        code = errno.errorcode.get(error.errno, str(error.errno))
        return reasons.error_of_isolation(name, code)
    path = error.filename
    if isinstance(path, (str, bytes)) and os.fsdecode(path).startswith(UNFAITHFUL_PLACES):
        return reasons.other_place(os.fsdecode(path))
    return None


def _doubt_about_memory(name, message):
    found = SIZE.search(message)
    if found is None or float(found.group(1)) * UNITS[found.group(2)] <= _memory_of_the_machine():
        return reasons.less_memory(name)
    return None


def _memory_of_the_machine():
    total = 0
    with open("/proc/meminfo") as table:
        for line in table:
            if line.startswith(("MemTotal:", "SwapTotal:")):
                total += int(line.split()[1]) * 1024
    return total
