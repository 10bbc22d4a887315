# Descriptors of its own for a copy. After a fork they are shared: a write would move the user's file position and
# reach the real file even under an overlay. Files are opened anew by path, what has no path is copied, and
# connections get a stand-in that shows afterwards whether it was used.
import fcntl
import os
import stat

from .policy import HARMLESS_DEVICES
from .stand_ins import StandIns

COPY_LIMIT = 128 << 20
# As it is before anybody watches it.
FSTAT = os.fstat


class FileCopy:
    """A file that was open for writing, as a copy in memory: another file than the one at its `path`, if it has one."""

    def __init__(self, fresh, original, path):
        self.original = original
        self.path = path
        # One of its own, because the user may close the others. Its time is set back, so that any write shows.
        self.own = os.dup(fresh)
        os.utime(self.own, ns=(0, 0))
        told = os.fstat(self.own)
        self.identity = (told.st_dev, told.st_ino)

    def is_written(self):
        return FSTAT(self.own).st_mtime_ns != 0


class Descriptors:
    """What became of the descriptors: `lost` names those of the user's that could not be carried over.
    `copies`: the files that were copied. `opened`: which file each one was of; `mapped`: files of mappings by their path."""

    def __init__(self, kept, copy_files=False, read_only=(), writable=True):
        """`read_only` are paths of files that need no writing: one that may be written is copied, now or by the overlay.
        Unless `writable`, no file needs any."""
        self.kept = frozenset(kept)
        self.read_only = frozenset(read_only)
        self.copy_files = copy_files
        self.writable = writable
        self.lost = []
        self.stand_ins = StandIns()
        self.copies = []
        self.opened = []
        self.mapped = {}

    def replace_all(self):
        for name in os.listdir("/proc/self/fd"):
            descriptor = int(name)
            if descriptor in self.kept:
                continue
            try:
                self._replace(descriptor)
            except OSError as error:
                self.lost.append("descriptor %d: %s" % (descriptor, error.strerror))
                os.dup2(self.stand_ins.null, descriptor)

    def _replace(self, descriptor):
        try:
            mode = os.fstat(descriptor).st_mode
        except OSError:
            return
        if descriptor in self.stand_ins.own or any(descriptor == copy.own for copy in self.copies):
            return
        if stat.S_ISREG(mode):
            self._file(descriptor)
        elif stat.S_ISDIR(mode):
            folder = os.readlink("/proc/self/fd/%d" % descriptor)
            _take(os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC), descriptor)
        elif stat.S_ISCHR(mode) and os.readlink("/proc/self/fd/%d" % descriptor) in HARMLESS_DEVICES:
            return
        else:
            inherited = os.get_inheritable(descriptor)
            os.dup2(self.stand_ins.instead_of(descriptor, mode), descriptor, inherited)

    def _file(self, descriptor):
        told = os.fstat(descriptor)
        path = os.readlink("/proc/self/fd/%d" % descriptor)
        flags = fcntl.fcntl(descriptor, fcntl.F_GETFL)
        writes = flags & os.O_ACCMODE != os.O_RDONLY
        offset = os.lseek(descriptor, 0, os.SEEK_CUR)
        self.opened.append((told.st_dev, told.st_ino))
        is_there = self._same_file(path, told)
        if not is_there and not self.writable:
            raise OSError(2, "the open file %s has no name any more" % path)
        if not is_there or (writes and self.copy_files and path not in self.read_only):
            if told.st_size > COPY_LIMIT:
                raise OSError(27, "the open file %s is too large to copy" % path)
            fresh = _copied(descriptor, told.st_size)
            if flags & os.O_APPEND:
                fcntl.fcntl(fresh, fcntl.F_SETFL, flags & os.O_APPEND)
            self.copies.append(FileCopy(fresh, told, path if is_there else None))
        else:
            if writes and (not self.writable or path in self.read_only or told.st_size > COPY_LIMIT):
                flags = flags & ~os.O_ACCMODE | os.O_RDONLY
            fresh = os.open(path, flags & ~(os.O_CREAT | os.O_EXCL | os.O_TRUNC) | os.O_CLOEXEC)
        os.lseek(fresh, offset, os.SEEK_SET)
        _take(fresh, descriptor)

    def _same_file(self, path, told):
        try:
            there = os.stat(path)
        except OSError:
            return False
        return (there.st_ino, there.st_size) == (told.st_ino, told.st_size)


def _copied(descriptor, size):
    fresh = os.memfd_create("copy", os.MFD_CLOEXEC)
    done = 0
    while done < size:
        piece = os.pread(descriptor, min(1 << 22, size - done), done) if _readable(descriptor) else b""
        if not piece:
            break
        os.write(fresh, piece)
        done += len(piece)
    return fresh


def _readable(descriptor):
    return fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE != os.O_WRONLY


def _take(fresh, descriptor):
    os.dup2(fresh, descriptor, os.get_inheritable(descriptor))
    os.close(fresh)
