# Copies of shared memory for a copy of the process. A fork shares `np.memmap`, tensors in shared memory, and the
# locks and values of multiprocessing; each such mapping is replaced in place by a private one, whatever its protection is
# now: it can be changed later. What belongs to a device, such as the registers of a GPU, is taken away.
import ctypes
import fcntl
import os
import struct

from .system import MAP_ANONYMOUS, MAP_FIXED, MAP_PRIVATE, PROT_EXEC, PROT_NONE, PROT_READ, PROT_WRITE, libc

COPY_LIMIT = 1 << 30
LOCKED_LIMIT = 64 << 20
"""Memory that cannot be read now is seldom used again: of more than this, nothing is kept."""
MREMAP_MAYMOVE, MREMAP_FIXED = 1, 2
MEMORY_BELOW_DEV = ("/dev/shm/", "/dev/zero", "/dev/hugepages/")
FAILED = ctypes.c_void_p(-1).value
# struct procmap_query, since Linux 6.11: the system looks for the next shared mapping itself.
QUERY, NEXT_SHARED = 0xC0686611, 0x18
QUERIED = struct.Struct("=9Q4I2Q")
LONGEST_PATH = 4096


def make_private():
    """Answers the files that were mapped, path to (device, number). Raises OSError when there is more to copy than is
    sensible."""
    to_copy, files = [], {}
    for start, end, protection, offset, device, inode, path in _shared():
        if inode and protection & PROT_WRITE and path.startswith("/") and not path.startswith("/dev/"):
            files[path] = (device, inode)
        if path.startswith("/dev/") and not path.startswith(MEMORY_BELOW_DEV):
            _take_away(start, end)
        elif inode and _is_that_file(path, inode) and _map_privately(start, end, protection, offset, path):
            continue
        elif not protection & PROT_READ and end - start > LOCKED_LIMIT:
            _take_away(start, end)
        else:
            to_copy.append((start, end, protection))
    if sum(end - start for start, end, _ in to_copy) > COPY_LIMIT:
        raise OSError(12, "shared memory of the kernel is too large to copy")
    for mapping in to_copy:
        _copy(*mapping)
    return files


def _shared():
    """(start, end, protection, offset, device, number of the file, path) of each shared mapping."""
    table = os.open("/proc/self/maps", os.O_RDONLY | os.O_CLOEXEC)
    try:
        return list(_queried(table))
    except OSError:
        return list(_listed(table))
    finally:
        os.close(table)


def _queried(table):
    """Raises OSError where the system is not asked so."""
    name = ctypes.create_string_buffer(LONGEST_PATH)
    address = 0
    while True:
        asked = QUERIED.pack(QUERIED.size, NEXT_SHARED, address, *[0] * 8, LONGEST_PATH, 0, ctypes.addressof(name), 0)
        try:
            told = QUERIED.unpack(fcntl.ioctl(table, QUERY, asked))
        except FileNotFoundError:
            return
        _, _, _, start, address, flags, _, offset, inode, major, minor, named, _, _, _ = told
        path = os.fsdecode(name.value) if named else ""
        # Reading, writing and running are the same bits there and in a protection.
        yield start, address, flags & 7, offset, os.makedev(major, minor), inode, path


def _listed(table):
    # Unbuffered bytes, and only the few shared lines taken apart: a kernel with many libraries has thousands of lines.
    text = b""
    while piece := os.read(table, 1 << 20):
        text += piece
    for line in text.splitlines():
        permissions = line.partition(b" ")[2][:4]
        if permissions[3:] != b"s":
            continue
        fields = os.fsdecode(line).split(None, 5)
        start, _, end = fields[0].partition("-")
        path = fields[5] if len(fields) > 5 else ""
        yield int(start, 16), int(end, 16), _number(fields[1]), int(fields[2], 16), _device(fields[3]), int(fields[4]), path


def _device(text):
    major, _, minor = text.partition(":")
    return os.makedev(int(major, 16), int(minor, 16))


def _is_that_file(path, inode):
    try:
        return path.startswith("/") and os.stat(path).st_ino == inode
    except OSError:
        return False


def _number(letters):
    bits = zip("rwx", (PROT_READ, PROT_WRITE, PROT_EXEC))
    return sum(bit for letter, bit in bits if letter in letters)


def _take_away(start, end):
    flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED
    _checked(libc().mmap(start, end - start, PROT_NONE, flags, -1, 0))


def _map_privately(start, end, protection, offset, path):
    """Whether the file could be opened."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        flags = MAP_PRIVATE | MAP_FIXED
        _checked(libc().mmap(start, end - start, protection, flags, descriptor, offset))
    finally:
        os.close(descriptor)
    return True


def _copy(start, end, protection):
    size = end - start
    if not protection & PROT_READ and libc().mprotect(start, size, PROT_READ) != 0:
        _take_away(start, end)
        return
    flags = MAP_PRIVATE | MAP_ANONYMOUS
    fresh = _checked(libc().mmap(None, size, PROT_READ | PROT_WRITE, flags, -1, 0))
    ctypes.memmove(fresh, start, size)
    _checked(libc().mremap(fresh, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, start))
    if protection != PROT_READ | PROT_WRITE:
        libc().mprotect(start, size, protection)


def _checked(address):
    if address == FAILED:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), "a shared mapping could not be made private")
    return address
