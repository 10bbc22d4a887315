# The three strengths of isolation, strongest first, and how a copy puts itself into one. A strength that the machine
# does not offer is skipped; none is weaker than the audit hook.
import os
import tempfile

from . import landlock, limits, mappings, namespaces, seccomp
from .descriptors import Descriptors
from .effects import fence_of
from .system import PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, drop_capabilities, has_admin, machine, prctl

STRENGTHS = ("namespaces", "landlock", "audit")
STORAGE_MB = 1024
WRITABLE_DEVICES = ("/dev/null", "/dev/zero", "/dev/full")


class NotPossible(Exception):
    """This strength cannot be had here; the process may be half-way into it and must not go on."""


class Isolation:
    """What the copy is held by, once it is inside."""

    def __init__(self, strength, detail, fence, lost, first_process):
        self.strength = strength
        self.detail = detail
        self.fence = fence
        self.lost = lost
        self.first_process = first_process


def enter(strength, kept, leash, observe):
    """Raises NotPossible. `observe` is told where the private folder is before anything is closed."""
    if machine() is None:
        if strength != "audit":
            raise NotPossible("this processor's system calls are not known")
    try:
        return {"namespaces": _namespaces, "landlock": _landlock, "audit": _audit}[strength](kept, leash)
    except OSError as error:
        raise NotPossible("%s: %s" % (strength, error)) from error


def _namespaces(kept, leash):
    as_root = has_admin() and landlock.version() > 0
    namespaces.enter(STORAGE_MB, as_user=not as_root)
    lost = _own_files(kept, copy_files=False)
    drop_capabilities()
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    scoped = landlock.version() >= 6
    if landlock.version() > 0:
        landlock.separate_domain()
    seccomp.install(seccomp.namespace_rules(os.getpid(), scoped))
    detail = "own mounts with an overlay, no network, own processes" + ("" if as_root else ", user namespace")
    return Isolation("namespaces", detail, fence_of("namespaces", ""), lost, namespaces.FirstProcess(leash))


def _landlock(kept, leash):
    known = landlock.version()
    if known == 0:
        raise NotPossible("this kernel has no Landlock")
    lost = _own_files(kept, copy_files=True)
    folder = _private_folder()
    landlock.writable_below([folder], WRITABLE_DEVICES)
    seccomp.install(seccomp.landlock_rules(os.getpid(), known >= 3))
    detail = "files read-only but for a private temporary folder, no network, no other processes"
    return Isolation("landlock", detail, fence_of("landlock", folder), lost, None)


def _audit(kept, leash):
    lost = _own_files(kept, copy_files=True)
    limits.no_growth_of_files()
    detail = "Python's own calls that write, connect or start programs are refused"
    return Isolation("audit", detail, fence_of("audit", ""), lost, None)


def _own_files(kept, copy_files):
    descriptors = Descriptors(kept, copy_files)
    descriptors.replace_all()
    mappings.make_private()
    return descriptors.lost


def _private_folder():
    """A folder of its own for temporary files. It is made before the fence goes up and named to the kernel's side."""
    folder = os.environ["GRUS_DRY_FOLDER"]
    for name in ("TMPDIR", "TEMP", "TMP"):
        os.environ[name] = folder
    tempfile.tempdir = folder
    return folder
