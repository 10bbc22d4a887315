# Files that were open for writing are copies in the copy: they have another number in the file system, and what is written
# to them is not seen under their name. The first is hidden; a cell that looks under the name after it wrote proves nothing.
# The same holds for files that were mapped: what is written to the mapping does not come to the file.
import os
import sys

FSTAT, STAT = os.fstat, os.stat
# Of what `stat` tells: mode, number, device, links, user and group are those of the original.
OF_THE_ORIGINAL = 6


class CopiedFiles:
    """`differs()` is called when a cell asks for what is another answer in the kernel."""

    def __init__(self, descriptors, differs):
        self.copies = descriptors.copies
        self.mapped = descriptors.mapped
        self.differs = differs
        self.named = {copy.path: copy for copy in self.copies if copy.path is not None}
        # The mapping keeps one descriptor of the file: where there is another, the notebook may look through that.
        self.is_mapped_and_open = any(descriptors.opened.count(one) > 1 for one in self.mapped.values())

    def watch(self):
        if self.copies:
            watched = os.fstat
            os.fstat = lambda descriptor: self._as_original(watched(descriptor))
            os.stat = self._stat
        if self.named or self.mapped:
            sys.addaudithook(self._hear)

    def _stat(self, path, **options):
        self._look_at(path)
        told = STAT(path, **options)
        return self._as_original(told) if type(path) is int else told

    def _hear(self, event, args):
        if event == "open":
            self._look_at(args[0])

    def _look_at(self, path):
        if type(path) is not int and (self.copies or self.mapped):
            try:
                real = os.path.realpath(os.fsdecode(path))
            except (TypeError, ValueError, OSError):
                return
            copy = self.named.get(real)
            if real in self.mapped or (copy is not None and copy.is_written()):
                self.differs()

    def _as_original(self, told):
        copy = next((one for one in self.copies if one.identity == (told.st_dev, told.st_ino)), None)
        if copy is None:
            return told
        made, (fields, more) = told.__reduce__()
        if not copy.is_written():
            return copy.original
        return made(tuple(copy.original)[:OF_THE_ORIGINAL] + fields[OF_THE_ORIGINAL:], more)
