# A twin on the GPU: a process with a context of its own on the same device. The kernel lends it handles to the blocks that
# its tensors lie in; the twin copies what it needs on the device and lets go of the rest before it runs anything. Nothing of
# the kernel's can be written.
import contextlib
import ctypes
import os
import pickle
import sys

from ..protocol import reasons
from . import gpu_tensors

# What a context takes of the card, and what must stay free for the kernel: a share of the card.
CONTEXT = 768 << 20
ROOM = 0.05
GIGA = 1 << 30
OPEN_LAZILY = 1
ASKING = "memory_allocated memory_reserved max_memory_allocated max_memory_reserved memory_stats mem_get_info".split()


class NoRoom(Exception):
    """The twin would not leave the kernel room on the card."""


class Handle(ctypes.Structure):
    _fields_ = (("bytes", ctypes.c_byte * 64),)


class Lent(gpu_tensors.Fetched):
    """What the kernel lends, and which of it the objects of a cell lie in. `segments`: (start, end, device, handle,
    offset). `free` and `total`: bytes by device. `generators`: states by the identity of the generator. `most`: by device,
    how many bytes torch was told to use at most, and how many it uses; `streams`: by device, the current one."""

    lends = True

    def __init__(self, segments, free, total, random, generators, most, streams):
        super().__init__()
        self.most, self.streams = most, streams
        self.segments, self.free, self.total = segments, free, total
        self.random, self.generators = random, generators
        self.storages, self.numbers = [], {}

    def valueless(self):
        return False

    def number(self, tensor):
        """The storage of a tensor among those that are carried; None for one without memory."""
        storage = tensor.untyped_storage()
        start, size = storage.data_ptr(), storage.nbytes()
        if size == 0:
            return None
        if start not in self.numbers:
            held = next((one for one in self.segments if one[0] <= start and start + size <= one[1]), None)
            if held is None:
                raise pickle.PicklingError("a tensor in memory that cannot be lent")
            first, _, device, handle, offset = held
            self.numbers[start] = len(self.storages)
            self.storages.append({"device": device, "handle": handle, "at": offset + start - first, "bytes": size})
        return self.numbers[start]

    def told(self):
        """For the twin. Raises NoRoom."""
        needed = dict.fromkeys(self.free, 0)
        for storage in self.storages:
            needed[storage["device"]] += storage["bytes"]
        limits = {}
        for device, free in self.free.items():
            most, used = self.most[device]
            limits[device] = min(free - CONTEXT - int(self.total[device] * ROOM), most - used + needed[device])
            if needed[device] > limits[device]:
                raise NoRoom()
        return {
            "storages": self.storages,
            "limits": limits,
            "free": self.free,
            "total": self.total,
            "needed": needed,
            "most": {device: most for device, (most, _) in self.most.items()},
            "streams": self.streams,
        }


def is_lost():
    """In the kernel: whether an earlier error on the GPU, such as an assertion that failed there, has ended its context."""
    torch = sys.modules.get("torch")
    if torch is None or torch.version.cuda is None or not torch.cuda.is_initialized():
        return False
    try:
        torch.cuda.synchronize()
    except RuntimeError:
        return True
    return False


def lend(objects):
    """In the kernel, which has nothing else to do: its work on the GPU is waited for, and handles are asked for. None where
    that is not possible. A kernel that has not used the GPU yet has nothing to lend."""
    torch = sys.modules.get("torch")
    if torch is None or torch.version.cuda is None or not gpu_tensors.are_there():
        return None
    if not torch.cuda.is_initialized():
        return Lent([], {}, {}, {}, {}, {}, {})
    try:
        driver, segments = _Driver(), []
        blocks = torch.cuda.memory_snapshot()
        used = {told["device"] for told in blocks} | {torch.cuda.current_device()}
        for device in used:
            torch.cuda.synchronize(device)
        for told in blocks:
            start, size = told["address"], told["total_size"]
            found = driver.handle(start)
            if found is not None:
                segments.append((start, start + size, told["device"], *found))
        sizes = {device: torch.cuda.mem_get_info(device) for device in used}
        most = {device: (_most(torch, device, sizes[device][1]), torch.cuda.memory_allocated(device)) for device in used}
        streams = {device: torch.cuda.current_stream(device).cuda_stream for device in used}
        random = {device: torch.cuda.get_rng_state(device).numpy() for device in used}
        generators = {
            id(value): value.get_state().numpy().tobytes()
            for value in objects.values()
            if type(value) is torch.Generator and value.device.type == "cuda"
        }
    except (OSError, AttributeError, RuntimeError):
        return None
    free, total = ({device: size[which] for device, size in sizes.items()} for which in (0, 1))
    lent = Lent(segments, free, total, random, generators, most, streams)
    lent.pinned = _pinned(gpu_tensors.tensors_in(objects.values()), torch)
    return lent


def _pinned(tensors, torch):
    """To be asked in the kernel: the driver knows."""
    found = set()
    for tensor in tensors:
        with contextlib.suppress(RuntimeError, NotImplementedError):
            if tensor.device.type == "cpu" and tensor.layout is torch.strided and tensor.is_pinned():
                found.add(tensor.untyped_storage().data_ptr())
    return found


def _most(torch, device, total):
    """What torch was told to use of a card at most."""
    told = getattr(torch.cuda, "get_per_process_memory_fraction", None)
    return total if told is None else int(total * told(device))


class _Driver:
    def __init__(self):
        self.library = ctypes.CDLL(gpu_tensors.DRIVER)
        self.library.cuIpcOpenMemHandle_v2.argtypes = [ctypes.POINTER(ctypes.c_void_p), Handle, ctypes.c_uint]
        self.library.cuIpcCloseMemHandle.argtypes = [ctypes.c_void_p]

    def handle(self, address):
        """(the handle of the block as text, where in the block the address is); None where it cannot be lent."""
        base, size, handle = ctypes.c_void_p(), ctypes.c_size_t(), Handle()
        pointer = ctypes.c_void_p(address)
        if self.library.cuMemGetAddressRange_v2(ctypes.byref(base), ctypes.byref(size), pointer) != 0:
            return None
        if self.library.cuIpcGetMemHandle(ctypes.byref(handle), pointer) != 0:
            return None
        return bytes(handle).hex(), address - (base.value or 0)

    def opened(self, handle):
        address = ctypes.c_void_p()
        made = Handle.from_buffer_copy(bytes.fromhex(handle))
        code = self.library.cuIpcOpenMemHandle_v2(ctypes.byref(address), made, OPEN_LAZILY)
        if code != 0:
            raise OSError(code, "a block of the GPU's memory could not be opened")
        return address

    def close(self, address):
        self.library.cuIpcCloseMemHandle(address)


class OwnGpu:
    """The GPU as the twin has it: a context of its own, copies of what was lent, a limit, and what the cell came to ask."""

    def __init__(self):
        self.lent: dict = {}
        self.wanted: dict = {}
        self.asked = self.captured = False
        self.complaints = os.memfd_create("stderr")

    def start(self, devices):
        """Make the context, which takes longest, while the kernel still takes down what the cell needs."""
        os.dup2(self.complaints, 2)
        for device in devices or [0]:
            sys.modules["torch"].empty(1, device="cuda:%d" % device)

    def take(self, lent):
        """The storages that were lent, copied."""
        torch, driver = sys.modules["torch"], _Driver()
        self.lent = lent
        for device in lent["limits"] or {"0": None}:
            self._limit(torch, device)
        opened, copies = {}, []
        for told in self.lent["storages"]:
            with torch.cuda.device(told["device"]):
                address = opened.setdefault(told["handle"], None) or driver.opened(told["handle"])
                opened[told["handle"]] = address
                copies.append(torch.as_tensor(_Bytes(address.value + told["at"], told["bytes"]), device="cuda").clone())
        for device in self.lent["limits"]:
            torch.cuda.synchronize(int(device))
        for address in opened.values():
            driver.close(address)
        torch._C._cuda_attach_out_of_memory_observer(self._ran_out)
        for name in ASKING:
            setattr(torch.cuda, name, self._noting(getattr(torch.cuda, name)))
        self._note_captures(torch.cuda.CUDAGraph)
        return [copy.untyped_storage() for copy in copies]

    def go_on_streams(self, stream):
        """Make those the current ones that are so in the kernel; `stream` makes one."""
        for device, address in self.lent["streams"].items():
            if address:
                sys.modules["torch"].cuda.set_stream(stream(int(device), address))

    def _limit(self, torch, device):
        free, total = torch.cuda.mem_get_info(int(device))
        limit = self.lent["limits"].get(device, free - int(total * ROOM))
        torch.cuda.set_per_process_memory_fraction(min(1.0, max(0.0, limit / total)), int(device))

    def _ran_out(self, device, wanted, total, free):
        torch = sys.modules["torch"]
        key = str(device)
        new = torch._C._cuda_memoryStats(device)["allocated_bytes"]["all"]["current"] - self.lent["needed"].get(key, 0)
        most = min(total, self.lent["most"].get(key, total))
        self.wanted = {"request": wanted, "total": most, "need": wanted + new, "free": self.lent["free"].get(key, free)}

    def _noting(self, function):
        def noted(*args, **kwargs):
            if sys._getframe(1).f_globals.get("__name__") == "__main__":
                self.asked = True
            return function(*args, **kwargs)

        return noted

    def _note_captures(self, graph):
        begin = graph.capture_begin

        def noted(*args, **kwargs):
            self.captured = True
            return begin(*args, **kwargs)

        graph.capture_begin = noted

    def ran_out(self, error):
        return bool(self.wanted) and type(error).__name__ == "OutOfMemoryError"

    def doubt_about_memory(self):
        """A request beyond the whole card, or beyond what may be used of it, fails whatever else is on it."""
        if self.wanted["request"] > self.wanted["total"]:
            return None
        return reasons.gpu_memory(round(self.wanted["need"] / GIGA, 1), round(self.wanted["free"] / GIGA, 1))

    def assertion(self):
        """What the GPU itself wrote of an assertion that failed in it."""
        os.lseek(self.complaints, 0, os.SEEK_SET)
        text = os.read(self.complaints, 1 << 16).decode("utf-8", "replace")
        line = next((line for line in text.splitlines() if "Assertion" in line), "")
        return line[line.find("Assertion") :].strip()


class _Bytes:
    """Memory at an address, as libraries for GPUs take it from each other."""

    def __init__(self, address, size):
        self.__cuda_array_interface__ = {"shape": (size,), "typestr": "|u1", "data": (address, False), "version": 2}
