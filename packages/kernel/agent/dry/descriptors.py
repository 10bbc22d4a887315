# Descriptors of its own for a copy. After a fork they are shared: a write would move the user's file position and
# reach the real file even under an overlay. Files are opened anew by path, what has no path is copied, and
# connections end nowhere.
import fcntl
import os
import select
import socket
import stat

COPY_LIMIT = 256 << 20
KEPT_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


class Descriptors:
    """What became of the descriptors: `lost` names those of the user's that could not be carried over."""

    def __init__(self, kept, copy_files):
        self.kept = frozenset(kept)
        self.copy_files = copy_files
        self.lost = []

    def replace_all(self):
        for name in os.listdir("/proc/self/fd"):
            descriptor = int(name)
            if descriptor in self.kept:
                continue
            try:
                self._replace(descriptor)
            except OSError as error:
                self.lost.append("descriptor %d: %s" % (descriptor, error.strerror))
                _dead(descriptor)

    def _replace(self, descriptor):
        try:
            told = os.fstat(descriptor)
        except OSError:
            return
        inherited = os.get_inheritable(descriptor)
        mode = told.st_mode
        if stat.S_ISREG(mode):
            self._file(descriptor, told)
        elif stat.S_ISDIR(mode):
            _take(os.open(os.readlink("/proc/self/fd/%d" % descriptor), os.O_RDONLY | os.O_DIRECTORY), descriptor)
        elif stat.S_ISCHR(mode) and os.readlink("/proc/self/fd/%d" % descriptor) in KEPT_DEVICES:
            return
        elif stat.S_ISSOCK(mode):
            _dead_socket(descriptor)
        elif stat.S_ISFIFO(mode):
            _dead_pipe(descriptor)
        elif os.readlink("/proc/self/fd/%d" % descriptor) == "anon_inode:[eventpoll]":
            poll = select.epoll()
            os.dup2(poll.fileno(), descriptor)
            poll.close()
        else:
            _dead(descriptor)
        os.set_inheritable(descriptor, inherited)

    def _file(self, descriptor, told):
        path = os.readlink("/proc/self/fd/%d" % descriptor)
        flags = fcntl.fcntl(descriptor, fcntl.F_GETFL)
        writes = flags & os.O_ACCMODE != os.O_RDONLY
        offset = os.lseek(descriptor, 0, os.SEEK_CUR)
        if not self._same_file(path, told) or (writes and self.copy_files):
            if told.st_size > COPY_LIMIT:
                raise OSError(27, "the open file %s is too large to copy" % path)
            fresh = _copied(descriptor, told.st_size)
            if flags & os.O_APPEND:
                fcntl.fcntl(fresh, fcntl.F_SETFL, flags & os.O_APPEND)
        else:
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
    os.dup2(fresh, descriptor)
    os.close(fresh)


def _dead(descriptor):
    _take(os.open("/dev/null", os.O_RDWR | os.O_CLOEXEC), descriptor)


def _dead_socket(descriptor):
    ours, theirs = socket.socketpair()
    os.dup2(ours.fileno(), descriptor)
    ours.close()
    theirs.close()


def _dead_pipe(descriptor):
    reading, writing = os.pipe()
    writes = fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE == os.O_WRONLY
    os.dup2(writing if writes else reading, descriptor)
    os.close(reading)
    os.close(writing)
