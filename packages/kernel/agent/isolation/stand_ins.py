# What takes the place of pipes, sockets and the like that only the kernel can use. Each holds a mark, one byte or one
# event, that goes when it is used: what a cell does after that proves nothing, and it is seen whoever used it.
import fcntl
import os
import select
import socket
import stat
import struct
import sys
import termios

STANDARD = (0, 1, 2)
# As it is before anybody watches it.
IOCTL = fcntl.ioctl
# Where libraries keep the pipe to a process that cleans up after others: it is no business of the cell's.
PLUMBING = (
    "multiprocessing.resource_tracker",
    "multiprocessing.forkserver",
    "joblib.externals.loky.backend.resource_tracker",
    "loky.backend.resource_tracker",
)


class StandIns:
    """`numbers`: the descriptors of the user's that have a stand-in now."""

    def __init__(self):
        self.null = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        self.reading, mark = os.pipe2(os.O_CLOEXEC)
        os.write(mark, b"x")
        os.close(mark)
        self.sink, self.writing = os.pipe2(os.O_CLOEXEC)
        gone, self.broken = os.pipe2(os.O_CLOEXEC)
        os.close(gone)
        self.plumbing = _plumbing()
        self.standard = {*STANDARD, *_streams()}
        self.socket, self.peer = socket.socketpair()
        self.peer.send(b"x")
        self.peer.shutdown(socket.SHUT_WR)
        self.poll = select.epoll()
        self.poll.register(self.reading, select.EPOLLIN | select.EPOLLONESHOT)
        self.numbers = set()
        sockets = (self.socket.fileno(), self.peer.fileno())
        with_number = (self.reading, self.sink, self.writing, *sockets)
        self.identities = {_identity(os.fstat(number)) for number in with_number}
        self.own = {self.null, self.reading, self.sink, self.writing, self.broken, self.poll.fileno(), *sockets}

    def instead_of(self, descriptor, mode):
        if descriptor in self.standard:
            return self.null
        if descriptor in self.plumbing:
            return self.broken
        self.numbers.add(descriptor)
        if stat.S_ISFIFO(mode):
            access = fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE
            if access == os.O_RDONLY:
                return self.reading
            return self.writing if access == os.O_WRONLY else self.socket.fileno()
        if os.readlink("/proc/self/fd/%d" % descriptor) == "anon_inode:[eventpoll]":
            return self.poll.fileno()
        return self.socket.fileno()

    def is_one(self, told):
        """Whether this, which `fstat` tells, is of one of them, whatever its number; a poll has no identity of its own."""
        return _identity(told) in self.identities

    def settle(self):
        """What was used up to here, by libraries that got ready for the copy or by an earlier cell, does not count."""
        # Looking at the mark of the poll takes it away.
        self.poll.modify(self.reading, select.EPOLLIN | select.EPOLLONESHOT)
        self.settled = self._marks()

    def touched(self):
        """Whether any of them was used since."""
        try:
            return self._marks() != self.settled or not self.poll.poll(0)
        except (OSError, ValueError):
            return True

    def _marks(self):
        return [_waiting(end) for end in (self.reading, self.sink, self.socket, self.peer)]


def _streams():
    """Where the kernel prints: whoever asks how wide a line may be asks there, and the copy prints elsewhere anyway."""
    for stream in (sys.stdin, sys.stdout, sys.stderr, sys.__stdin__, sys.__stdout__, sys.__stderr__):
        try:
            number = None if stream is None else stream.fileno()
        except Exception:
            continue
        if type(number) is int:
            yield number


def _plumbing():
    found = set()
    for name in PLUMBING:
        for value in list(vars(sys.modules[name]).values()) if name in sys.modules else ():
            if type(value).__module__ == name:
                found.update(number for number in vars(value).values() if type(number) is int)
    return found


def _identity(told):
    return told.st_dev, told.st_ino


def _waiting(descriptor):
    return struct.unpack("i", IOCTL(descriptor, termios.FIONREAD, bytes(4)))[0]
