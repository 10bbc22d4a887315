# Descriptors of its own for a copy. After a fork they are shared: a write would move the user's file position and
# reach the real file even under an overlay. Files are opened anew by path, what has no path is copied, and
# connections end nowhere.
import fcntl
import os
import select
import socket
import stat

COPY_LIMIT = 128 << 20
KEPT_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


class Descriptors:
    """What became of the descriptors: `lost` names those of the user's that could not be carried over."""

    def __init__(self, kept, copy_files=False, read_only=(), writable=True):
        """`read_only` are paths of files that need no writing: one that may be written is copied, now or by the overlay.
        Unless `writable`, no file needs any."""
        self.kept = frozenset(kept)
        self.read_only = frozenset(read_only)
        self.copy_files = copy_files
        self.writable = writable
        self.lost = []
        self.dead_ends = _DeadEnds()

    def replace_all(self):
        for name in os.listdir("/proc/self/fd"):
            descriptor = int(name)
            if descriptor in self.kept:
                continue
            try:
                self._replace(descriptor)
            except OSError as error:
                self.lost.append("descriptor %d: %s" % (descriptor, error.strerror))
                os.dup2(self.dead_ends.null, descriptor)
        self.dead_ends.close()

    def _replace(self, descriptor):
        try:
            mode = os.fstat(descriptor).st_mode
        except OSError:
            return
        if descriptor in self.dead_ends.own:
            return
        if stat.S_ISREG(mode):
            self._file(descriptor)
        elif stat.S_ISDIR(mode):
            folder = os.readlink("/proc/self/fd/%d" % descriptor)
            _take(os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC), descriptor)
        elif stat.S_ISCHR(mode) and os.readlink("/proc/self/fd/%d" % descriptor) in KEPT_DEVICES:
            return
        else:
            inherited = os.get_inheritable(descriptor)
            os.dup2(self.dead_ends.instead_of(descriptor, mode), descriptor, inherited)

    def _file(self, descriptor):
        told = os.fstat(descriptor)
        path = os.readlink("/proc/self/fd/%d" % descriptor)
        flags = fcntl.fcntl(descriptor, fcntl.F_GETFL)
        writes = flags & os.O_ACCMODE != os.O_RDONLY
        offset = os.lseek(descriptor, 0, os.SEEK_CUR)
        is_there = self._same_file(path, told)
        if not is_there and not self.writable:
            raise OSError(2, "the open file %s has no name any more" % path)
        if not is_there or (writes and self.copy_files and path not in self.read_only):
            if told.st_size > COPY_LIMIT:
                raise OSError(27, "the open file %s is too large to copy" % path)
            fresh = _copied(descriptor, told.st_size)
            if flags & os.O_APPEND:
                fcntl.fcntl(fresh, fcntl.F_SETFL, flags & os.O_APPEND)
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


class _DeadEnds:
    """One end of each kind that leads nowhere, for everything that was connected to something."""

    def __init__(self):
        self.socket, other = socket.socketpair()
        self.poll = select.epoll()
        self.null = os.open("/dev/null", os.O_RDWR | os.O_CLOEXEC)
        self.reading, writing = os.pipe()
        reading, self.writing = os.pipe()
        other.close()
        os.close(writing)
        os.close(reading)
        self.own = {self.socket.fileno(), self.poll.fileno(), self.null, self.reading, self.writing}

    def instead_of(self, descriptor, mode):
        if stat.S_ISSOCK(mode):
            return self.socket.fileno()
        if stat.S_ISFIFO(mode):
            writes = fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE == os.O_WRONLY
            return self.writing if writes else self.reading
        if os.readlink("/proc/self/fd/%d" % descriptor) == "anon_inode:[eventpoll]":
            return self.poll.fileno()
        return self.null

    def close(self):
        self.socket.close()
        self.poll.close()
        for descriptor in (self.null, self.reading, self.writing):
            os.close(descriptor)
