# The three strengths of isolation, strongest first, and how a copy puts itself into one. A strength that the machine
# does not offer is skipped; none is weaker than the audit hook.
import os
import signal
import tempfile

from ..protocol import reasons
from . import landlock, limits, mappings, namespaces, seccomp
from .descriptors import Descriptors
from .effects import fence_of
from .system import (
    PR_CAP_AMBIENT,
    PR_CAP_AMBIENT_CLEAR_ALL,
    PR_SET_PDEATHSIG,
    drop_capabilities,
    has_admin,
    machine,
    prctl,
)

STRENGTHS = ("namespaces", "landlock", "audit")
STORAGE_MB = 1024
WRITABLE_DEVICES = ("/dev/null", "/dev/zero", "/dev/full")


class NotPossible(Exception):
    """This strength cannot be had here, and `reason` says why; the process may be half-way into it and must not go on."""

    def __init__(self, reason):
        super().__init__(reason["code"])
        self.reason = reason


class Isolation:
    """What the copy is held by, once it is inside."""

    def __init__(self, strength, detail, fence, lost):
        self.strength = strength
        self.detail = detail
        self.fence = fence
        self.lost = lost


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
    namespaces.enter(STORAGE_MB, not as_root, job.processes)
    if job.processes:
        _continue_inside(job, as_root)
    lost = _own_files(Descriptors({job.writing}, read_only=[job.history_file]))
    drop_capabilities()
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    if landlock.version() > 0:
        landlock.separate_domain()
    seccomp.install(seccomp.namespace_rules(os.getpid(), job.processes))
    detail = "own mounts with an overlay, no network"
    detail += ", own processes" if job.processes else ", no other processes"
    return Isolation("namespaces", detail + ("" if as_root else ", user namespace"), fence_of(job), lost)


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
    known = landlock.version()
    if known == 0:
        raise NotPossible(reasons.no_landlock())
    lost = _own_files(Descriptors({job.writing}, copy_files=True, read_only=[job.history_file]))
    _use_for_temporary_files(job.folder)
    landlock.writable_below([job.folder], WRITABLE_DEVICES)
    seccomp.install(seccomp.landlock_rules(os.getpid(), known >= 3))
    detail = "files read-only but for a private temporary folder, no network, no other processes"
    return Isolation("landlock", detail, fence_of(job), lost)


def _audit(job):
    lost = _own_files(Descriptors({job.writing}, copy_files=True, read_only=[job.history_file]))
    limits.no_growth_of_files()
    seccomp.install(seccomp.read_only_rules(os.getpid()))
    detail = "calls that write, connect or start programs are refused"
    return Isolation("audit", detail, fence_of(job), lost)


def read_only(job):
    """For copies that only answer questions. Nothing can be written, which takes less time than keeping what is."""
    if machine() is None:
        raise NotPossible(reasons.processor_unknown())
    lost = _own_files(Descriptors({job.writing, job.asked}, writable=False))
    limits.no_growth_of_files()
    seccomp.install(seccomp.read_only_rules(os.getpid()))
    return Isolation("read-only", "nothing can be written", lambda kind, *_: kind in ("change", "process"), lost)


def _own_files(descriptors):
    descriptors.replace_all()
    mappings.make_private()
    return descriptors.lost


def _use_for_temporary_files(folder):
    for name in ("TMPDIR", "TEMP", "TMP"):
        os.environ[name] = folder
    tempfile.tempdir = folder
