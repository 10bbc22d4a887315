# The three strengths of isolation, strongest first, and how a copy puts itself into one. A strength that the machine
# does not offer is skipped; none is weaker than the audit hook.
import os
import signal
import tempfile

from ..protocol import reasons
from . import granted_calls, landlock, limits, mappings, namespaces
from .descriptors import Descriptors
from .effects import fence_of, fence_of_questions
from .policy import not_covered
from .system import (
    PR_CAP_AMBIENT,
    PR_CAP_AMBIENT_CLEAR_ALL,
    PR_SET_PDEATHSIG,
    drop_capabilities,
    has_admin,
    libc,
    machine,
    prctl,
)

STRENGTHS = ("namespaces", "landlock", "audit")
STORAGE_MB = 1024
GRAPHICS = "/dev/nvidiactl"


class NotPossible(Exception):
    """This strength cannot be had here, and `reason` says why; the process may be half-way into it and must not go on."""

    def __init__(self, reason):
        super().__init__(reason["code"])
        self.reason = reason


class Isolation:
    """What the copy is held by, once it is inside."""

    def __init__(self, strength, detail, job, descriptors, closed=True):
        self.strength = strength
        self.detail = detail
        self.descriptors = descriptors
        self.not_covered = not_covered(strength, landlock.version() > 0, closed)
        self.fence = fence_of_questions if strength == "read-only" else fence_of(job, self.not_covered)


def prepare(strength, processes=False):
    """In the kernel: make what is the same for every copy before the first, so that no copy makes it for itself."""
    if machine() is not None:
        libc()
        _filter(strength, processes, local_sockets=processes)


def _filter(strength, processes=False, local_sockets=False, own_memory=True):
    if strength == "namespaces":
        return granted_calls.under_namespaces(processes, local_sockets, os.path.exists(GRAPHICS), own_memory)
    if strength == "landlock":
        return granted_calls.under_landlock(landlock.version() >= 3)
    return granted_calls.reading_alone()


def enter(job):
    """Put this process inside. Raises NotPossible."""
    if machine() is None:
        raise NotPossible(reasons.processor_unknown())
    try:
        return {"namespaces": _namespaces, "landlock": _landlock, "audit": _audit}[job.strength](job)
    except OSError as error:
        raise NotPossible(reasons.isolation_failed(job.strength, str(error))) from error


def _namespaces(job):
    as_root = has_admin() and (landlock.version() > 0 or job.processes)
    objects = namespaces.of_objects()
    closed = namespaces.enter(STORAGE_MB, not as_root, job.processes, job.on_gpu)
    if not as_root:
        limits.limit_processes()
    own_memory = objects is not None and namespaces.of_objects() not in (None, objects)
    if job.processes:
        _continue_inside(job, as_root)
    descriptors = _own_files(Descriptors(job.kept(), read_only=[job.history_file]))
    _no_privileges()
    if landlock.version() > 0:
        landlock.separate_domain()
    # Only programs that the cell starts need socket files, and the driver of a GPU sockets of its own.
    local_sockets = (job.processes or job.on_gpu) and closed
    _filter("namespaces", job.processes, local_sockets, own_memory).install(os.getpid(), job.timer)
    detail = "own mounts with an overlay, no network"
    detail += ", own processes" if job.processes else ", no other processes"
    detail += "" if as_root else ", user namespace"
    return Isolation("namespaces", detail, job, descriptors, closed)


def _continue_inside(job, as_root):
    """Only a process that is born in the new process namespace can have threads: go on as one, and wait outside."""
    namespaces.start_first_process(job.leash_reading)
    inside = os.fork()
    if inside:
        os.close(job.writing)
        os.close(job.leash_reading)
        wait_for_all()
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    limits.end_in_time(job)
    if not namespaces.show_own_processes() and as_root:
        raise NotPossible(reasons.no_own_proc())


def wait_for_all():
    """Collect every process of the namespace, then end as the copy did."""
    code = 0
    while True:
        try:
            _, status = os.wait()
        except ChildProcessError:
            os._exit(code)
        code = code or (128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status))


def _landlock(job):
    if landlock.version() == 0:
        raise NotPossible(reasons.no_landlock())
    descriptors = _own_files(Descriptors({job.writing}, copy_files=True, read_only=[job.history_file]))
    # The variables of the environment stay: a cell that reads them gets what the kernel would give it.
    tempfile.tempdir = job.folder
    _no_privileges()
    landlock.writable_below([job.folder])
    _filter("landlock").install(os.getpid(), job.timer)
    detail = "files read-only but for a private temporary folder, no network, no other processes"
    return Isolation("landlock", detail, job, descriptors)


def _audit(job):
    descriptors = _own_files(Descriptors({job.writing}, copy_files=True, read_only=[job.history_file]))
    _only_read(job)
    detail = "calls that write, connect or start programs are refused"
    return Isolation("audit", detail, job, descriptors)


def read_only(job):
    """For copies that only answer questions. Nothing can be written, which takes less time than keeping what is."""
    if machine() is None:
        raise NotPossible(reasons.processor_unknown())
    descriptors = _own_files(Descriptors({job.writing, job.asked}, writable=False))
    _only_read(job)
    return Isolation("read-only", "nothing can be written", job, descriptors)


def _only_read(job):
    limits.no_growth_of_files()
    _no_privileges(starts_programs=False)
    if landlock.version() > 0:
        landlock.writable_below([])
    _filter("read-only").install(os.getpid(), job.timer)


def _own_files(descriptors):
    descriptors.replace_all()
    descriptors.mapped = mappings.make_private()
    return descriptors


def _no_privileges(starts_programs=True):
    drop_capabilities(starts_programs)
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
