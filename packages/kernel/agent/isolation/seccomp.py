# A seccomp filter in classic BPF from a table of granted system calls: each with conditions on its arguments, everything
# else refused. The numbers are searched by halves, so that a call costs a handful of comparisons. It is made in the kernel,
# once, with places for the two numbers that only a copy knows.
import ctypes
import errno
import struct

from .system import PR_SET_NO_NEW_PRIVS, known_machine, prctl, syscall
from .system_calls import CALLS

LOAD, EQUAL, ANY_BIT, RETURN, GREATER_EQUAL, JUMP, AND = 0x20, 0x15, 0x45, 0x06, 0x35, 0x05, 0x54
ALLOW, ERRNO, KILL = 0x7FFF0000, 0x00050000, 0x80000000
# From here on a program that knows a new call expects that an older system does not have it.
NEWER = 424
# Stand for the process and the timer of the copy. Linux gives neither such a number.
PROCESS, TIMER = 0x7FFFFFF0, 0x7FFFFFF1
# struct sock_filter: code, two distances to jump, a number.
INSTRUCTION, PLACE_OF_NUMBER = struct.Struct("=HBBI"), 4


def _argument(number):
    """The low half: every argument that is looked at is an int, of which the system takes no more."""
    return (LOAD, 0, 0, 16 + 8 * number)


def one_of(argument, values, mask=None, wanted=True, refused=errno.EPERM, when=None):
    """The argument is among the values, or with `wanted` false is not."""
    masked = [(AND, 0, 0, mask)] if mask is not None else []
    deny, count = (RETURN, 0, 0, ERRNO | refused), len(values)
    if wanted:
        tests = [(EQUAL, count - index, 0, value & 0xFFFFFFFF) for index, value in enumerate(values)] + [deny]
    else:
        tests = [(EQUAL, count - index, 0, value & 0xFFFFFFFF) for index, value in enumerate(values)]
        tests += [(JUMP, 0, 0, 1), deny]
    return _when(when, [_argument(argument), *masked, *tests])


def clear(argument, bits, refused=errno.EPERM, when=None):
    """None of the bits is set."""
    return _when(when, [_argument(argument), (ANY_BIT, 0, 1, bits), (RETURN, 0, 0, ERRNO | refused)])


def has(argument, bits):
    """One of the bits is set."""
    return [_argument(argument), (ANY_BIT, 1, 0, bits), (RETURN, 0, 0, ERRNO | errno.EPERM)]


def _when(when, body):
    """Only where another argument has this value."""
    return body if when is None else [_argument(when[0]), (EQUAL, 0, len(body), when[1]), *body]


class Filter:
    """What a table of granted calls comes to."""

    def __init__(self, granted):
        architecture, which = known_machine()
        program = [(LOAD, 0, 0, 4), (EQUAL, 1, 0, architecture), (RETURN, 0, 0, KILL), (LOAD, 0, 0, 0)]
        program += _search(_ranges(granted, which))
        self.length = len(program)
        self.instructions = b"".join(INSTRUCTION.pack(*step) for step in program)
        self.places = [
            (index * INSTRUCTION.size + PLACE_OF_NUMBER, number)
            for index, (_, _, _, number) in enumerate(program)
            if number in (PROCESS, TIMER)
        ]

    def install(self, process, timer):
        """Bind this process and all that come from it. Raises OSError where the kernel has no seccomp."""
        own = ctypes.create_string_buffer(self.instructions, len(self.instructions))
        for place, number in self.places:
            struct.pack_into("=I", own, place, process if number == PROCESS else timer)
        prctl(PR_SET_NO_NEW_PRIVS, 1)
        loaded = _Program(self.length, ctypes.addressof(own))
        syscall((317, 277)[known_machine()[1]], 1, 0, ctypes.byref(loaded))


def _ranges(granted, which):
    """[(first number, what is done from there on)], whole."""
    does = {}
    for name, conditions in granted.items():
        number = CALLS[name][which]
        if number is not None:
            does[number] = [step for condition in conditions for step in condition] + [(RETURN, 0, 0, ALLOW)]
    found = []
    for number in sorted({0, NEWER, *does, *(number + 1 for number in does)}):
        refused = errno.EPERM if number < NEWER else errno.ENOSYS
        done = does.get(number, [(RETURN, 0, 0, ERRNO | refused)])
        if not found or found[-1][1] != done:
            found.append((number, done))
    return found


def _search(ranges):
    if len(ranges) == 1:
        return ranges[0][1]
    half = len(ranges) // 2
    below, above = _search(ranges[:half]), _search(ranges[half:])
    return [(GREATER_EQUAL, 0, 1, ranges[half][0]), (JUMP, 0, 0, len(below)), *below, *above]


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_uint16), ("instructions", ctypes.c_void_p)]
