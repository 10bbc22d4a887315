# Memory that arrays and tensors lie in. Several of them may lie in the same, wholly or in part: what is written through one
# is read through the others. So a pickle holds only where each of them lies; all memory is carried beside it, once, and
# they are made on it again. An object of Python that keeps its bytes itself, such as a bytearray, stays the one that has
# them.
import array
import ctypes
import pickle
import sys

KEEPS_BYTES = (bytearray, array.array, bytes)
# How much larger than its values the memory between the first and the last may be before an array is copied instead.
SPREAD, SMALL = 8, 1 << 20


class Memory:
    """What the objects of one pickle lie in. `uses`: (start, size, what is there), by number; `lent_out`: objects that keep
    bytes which somebody looks at. Raises `too_large` when it is more than the limit."""

    def __init__(self, made, objects=(), limit=None, too_large: type[Exception] = MemoryError, pinned=()):
        self.made, self.limit, self.too_large, self.pinned = made, limit, too_large, pinned
        self.uses, self.storages, self.kept, self.apart, self.size = [], {}, [], set(), 0
        self.keepers, self.lent_out = {}, []
        for value in objects:
            if type(value) in KEEPS_BYTES[:2] and len(value):
                if made.is_lent_out(value):
                    self.lent_out.append(value)
                self._keep(value)

    def _keep(self, keeper):
        numpy = sys.modules.get("numpy")
        if numpy is not None and id(keeper) not in self.keepers:
            seen = numpy.frombuffer(keeper, numpy.uint8)
            start = seen.__array_interface__["data"][0]
            self.keepers[id(keeper)] = start, start + seen.size, keeper

    def _keeper_of(self, start, size):
        """(the object of Python that has the bytes, where they are in it); None of other memory."""
        for first, end, keeper in self.keepers.values():
            if first <= start and start + size <= end:
                return keeper, start - first
        return None

    def reduced(self, value):
        """As a pickler wants it; None for what is no array or storage on its own."""
        numpy, torch = sys.modules.get("numpy"), sys.modules.get("torch")
        if numpy is not None and type(value) is numpy.ndarray:
            return self._array(value, numpy)
        if numpy is not None and type(value) is numpy.memmap and value._mmap is not None:
            return self._mapped(value, numpy)
        if torch is not None and type(value) is torch.storage.TypedStorage and value.device.type == "cpu":
            return self.made.typed_storage, (self.storage(value._untyped_storage), str(value.dtype).rpartition(".")[2])
        if torch is not None and type(value) is torch.UntypedStorage and value.device.type == "cpu":
            return self.made.same, (self.storage(value),)
        if type(value).__module__.startswith("pandas.") and hasattr(type(value), "blocks"):
            self._leave_apart(value.blocks)
        return None

    def _leave_apart(self, blocks):
        """pandas itself keeps account of which of its frames share memory, and copies it before it is changed."""
        for block in blocks:
            self.apart.add(id(block.values))
            self.apart.add(id(getattr(block.values, "_ndarray", None)))

    def _array(self, value, numpy):
        if value.dtype.hasobject or id(value) in self.apart:
            return None
        if value.size == 0:
            return self.made.empty_array, (value.shape, value.dtype, value.flags.writeable)
        start, size = _extent(value)
        if size > max(SMALL, SPREAD * value.nbytes):
            return None
        base = value.base
        while type(base) in (numpy.ndarray, memoryview):
            base = base.base if type(base) is numpy.ndarray else base.obj
        if type(base) in KEEPS_BYTES:
            self._keep(base)
        form = (value.shape, value.dtype, value.strides, value.flags.writeable)
        at = value.__array_interface__["data"][0]
        keeper = self._keeper_of(start, size)
        if keeper is not None:
            return self.made.array_over, (*keeper, at - start, *form)
        number = self._number(start, size, form[:3] if value.flags.owndata else "array", value)
        return self.made.array_on, (number, at - start, *form)

    def _mapped(self, value, numpy):
        """A file that is only read. What is written to one goes to the file, which a twin must not change."""
        if value.mode in ("r+", "w+"):
            raise pickle.PicklingError("a file that is written to as an array")
        noted = {name: held for name, held in vars(value).items() if name != "_mmap"}
        return self.made.mapped, (value.view(numpy.ndarray), noted)

    def storage(self, storage):
        """What stands for it in the pickle."""
        start, size = storage.data_ptr(), storage.nbytes()
        if size == 0:
            return None
        if (start, size) not in self.storages:
            keeper = self._keeper_of(start, size)
            if keeper is None:
                whole = "shared" if storage.is_shared() else "storage" if storage.resizable() else "fixed"
                kind = "pinned" if start in self.pinned else whole
                told = self.made.Part(self.made.storage_on, (self._number(start, size, kind, storage),))
            else:
                told = self.made.Part(self.made.storage_over, (*keeper, size))
            self.storages[start, size] = told
        return self.storages[start, size]

    def _number(self, start, size, what, holder):
        self.size += size
        if self.limit is not None and self.size > self.limit:
            raise self.too_large()
        self.kept.append(holder)
        self.uses.append((start, size, what))
        return len(self.uses) - 1

    def parts(self):
        """To be written before the pickle: which blocks there are and where in them each use is, and what they hold."""
        blocks, where = [], {}
        for number in sorted(range(len(self.uses)), key=lambda number: self.uses[number][0]):
            start, size, _ = self.uses[number]
            if not blocks or start >= blocks[-1][0] + blocks[-1][1]:
                blocks.append([start, 0])
            first, length = blocks[-1]
            blocks[-1][1] = max(length, start + size - first)
            where[number] = len(blocks) - 1, start - first
        told = [(*where[number], size, what) for number, (_, size, what) in enumerate(self.uses)]
        whole = pickle.dumps(([size for _, size in blocks], told), protocol=5)
        return [whole, *(memoryview((ctypes.c_char * size).from_address(start)) for start, size in blocks)]


def _extent(value):
    """(the address of its first byte, the number of bytes to its last)."""
    first = last = value.__array_interface__["data"][0]
    for count, stride in zip(value.shape, value.strides):
        first += min(0, (count - 1) * stride)
        last += max(0, (count - 1) * stride)
    return first, last + value.itemsize - first


SOURCE = '''
import contextlib

class Part:
    """Stands for something that is made once."""
    def __init__(self, make, given):
        self.parts = make, given
    def __reduce__(self):
        return self.parts

def same(value):
    return value

BLOCKS, USES = [], []

class Block:
    """`size` bytes. The array that owns them, or else a storage of torch's, or else bytes of NumPy's."""
    def __init__(self, size, uses, file):
        import numpy
        self.owner = self.tensor = None
        self.number = next((n for n, (_, _, length, what) in uses if type(what) is tuple and length == size), None)
        kinds = {what for _, (_, _, _, what) in uses if type(what) is str}
        self.bytes = None
        if self.number is not None:
            shape, dtype, strides = next(what for n, (_, _, _, what) in uses if n == self.number)
            self.owner = numpy.ndarray(shape, dtype, strides=strides)
            order = sorted(range(len(shape)), key=lambda axis: -strides[axis])
            self.bytes = self.owner.transpose(order).reshape(-1).view(numpy.uint8)
        elif kinds.isdisjoint(("storage", "pinned", "shared")):
            self.bytes = numpy.empty(size, numpy.uint8)
        else:
            import torch
            self.tensor = torch.empty(size, dtype=torch.uint8, device="cpu")
            if "pinned" in kinds and torch.cuda.is_initialized():
                with contextlib.suppress(RuntimeError):
                    self.tensor = self.tensor.pin_memory()
            if "shared" in kinds:
                with contextlib.suppress(RuntimeError, OSError):
                    self.tensor.share_memory_()
        self.fill(file, size)

    def fill(self, file, size):
        import ctypes
        target = self.bytes
        if target is None:
            target = (ctypes.c_char * size).from_address(self.tensor.data_ptr())
        if file.readinto(memoryview(target).cast("B")) != size:
            raise EOFError

    def storage(self, start, size):
        import torch
        if self.tensor is not None and size == self.tensor.nbytes:
            return self.tensor.untyped_storage()
        return torch.from_numpy(self.all()[start : start + size]).untyped_storage()

    def all(self):
        if self.bytes is None:
            self.bytes = self.tensor.numpy()
        return self.bytes

def take_memory(file):
    """Inside the twin, before what lies in it."""
    import pickle
    sizes, uses = pickle.load(file)
    by_block = [[] for _ in sizes]
    for number, use in enumerate(uses):
        by_block[use[0]].append((number, use))
    USES[:] = uses
    BLOCKS[:] = [Block(size, held, file) for size, held in zip(sizes, by_block)]

def let_go_of_memory():
    """Those that were made on it hold it from here on."""
    BLOCKS.clear()
    USES.clear()

def empty_array(shape, dtype, writeable):
    import numpy
    made = numpy.ndarray(shape, dtype)
    made.flags.writeable = writeable
    return made

def mapped(array, noted):
    import numpy
    made = array.view(numpy.memmap)
    made.__dict__.update(noted)
    return made

def array_on(number, offset, shape, dtype, strides, writeable):
    block, start, _, _ = USES[number]
    block = BLOCKS[block]
    if block.number == number:
        made = block.owner
    else:
        import numpy
        made = numpy.ndarray(shape, dtype, buffer=block.all(), offset=start + offset, strides=strides)
    made.flags.writeable = writeable
    return made

def array_over(keeper, start, offset, shape, dtype, strides, writeable):
    import numpy
    whole = numpy.frombuffer(keeper, numpy.uint8)
    made = numpy.ndarray(shape, dtype, buffer=whole, offset=start + offset, strides=strides)
    if not writeable:
        made.flags.writeable = False
    return made

def storage_on(number):
    block, start, size, _ = USES[number]
    return BLOCKS[block].storage(start, size)

def storage_over(keeper, start, size):
    import torch
    return torch.frombuffer(keeper, dtype=torch.uint8, count=size, offset=start).untyped_storage()

def typed_storage(storage, kind):
    import torch
    storage = torch.UntypedStorage(0) if storage is None else storage
    return torch.storage.TypedStorage(wrap_storage=storage, dtype=getattr(torch, kind), _internal=True)
'''
