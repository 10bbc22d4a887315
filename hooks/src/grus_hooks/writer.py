"""The file of a run: JSON lines, written through at once so that a killed process leaves its last steps, and bounded
in size: when full, every second of the older rows is dropped.
"""

from __future__ import annotations

import gzip
import json
import os

kept_archives = 3


class Writer:
    def __init__(self, path, max_bytes=32 * 2**20):
        self.path = path
        self.max_bytes = max(max_bytes, 4096)
        self._file = None
        self._size = 0

    def open(self, resumed):
        """A run that starts anew puts the file of the run before it aside; a resumed one goes on in it."""
        os.makedirs(os.path.dirname(self.path) or ".", exist_ok=True)
        if not resumed and os.path.exists(self.path) and os.path.getsize(self.path) > 0:
            self._archive()
        self._file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        self._size = os.fstat(self._file).st_size
        if self._size > 0:
            self._close_cut_line(self._file)

    def write(self, row):
        if self._file is None:
            return
        line = (json.dumps(row, default=str, separators=(",", ":")) + "\n").encode()
        if self._size + len(line) > self.max_bytes:
            self._file = self._thinned(self._file)
        os.write(self._file, line)
        self._size += len(line)

    def close(self):
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _close_cut_line(self, descriptor):
        with open(self.path, "rb") as file:
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b"\n":
                os.write(descriptor, b"\n")

    def _archive(self):
        stamp = int(os.path.getmtime(self.path))
        stem = self.path + "."
        with open(self.path, "rb") as old, gzip.open(f"{stem}{stamp}.gz", "wb", compresslevel=1) as archive:
            while True:
                block = old.read(2**20)
                if not block:
                    break
                archive.write(block)
        os.remove(self.path)
        folder = os.path.dirname(self.path) or "."
        archives = sorted(
            name for name in os.listdir(folder) if name.startswith(os.path.basename(stem)) and name.endswith(".gz")
        )
        for name in archives[:-kept_archives]:
            os.remove(os.path.join(folder, name))

    def _thinned(self, descriptor):
        with open(self.path, "rb") as file:
            lines = file.read().splitlines(keepends=True)
        newest = max(1, len(lines) // 4)
        older, rest = lines[:-newest], lines[-newest:]
        events = b'{"grus":'
        kept = [line for index, line in enumerate(older) if index % 2 == 0 or line.startswith(events)] + rest
        size = sum(map(len, kept))
        while size > self.max_bytes * 3 // 4 and len(kept) > 2:
            size -= len(kept.pop(1))
        temporary = self.path + ".tmp"
        with open(temporary, "wb") as file:
            file.writelines(kept)
        os.replace(temporary, self.path)
        os.close(descriptor)
        self._size = size
        return os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
