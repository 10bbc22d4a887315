# Removes what a copy left in its private folder, whatever its shape: one folder open at a time, so that no depth is too
# deep, and in short pieces between the kernel's messages, so that no number of files holds the kernel up.
import os
import time

PIECE = 0.004
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def remove(folder, loop):
    """Goes on in the background of the event loop."""
    steps = _steps(folder)

    def piece():
        ends = time.perf_counter() + PIECE
        for _ in steps:
            if time.perf_counter() > ends:
                loop.call_soon(piece)
                return

    piece()


def _steps(top):
    """Down into each folder, and up again when it is empty. What cannot be removed is left."""
    try:
        here = os.open(top, FOLDER)
    except OSError:
        return
    names, pending = [], [_entries(here)]
    try:
        while pending:
            if pending[-1]:
                name, is_folder = pending[-1].pop()
                if not is_folder:
                    _try(os.unlink, name, dir_fd=here)
                elif _try(os.chmod, name, 0o700, dir_fd=here):
                    inner = os.open(name, FOLDER, dir_fd=here)
                    os.close(here)
                    here = inner
                    names.append(name)
                    pending.append(_entries(here))
            else:
                pending.pop()
                if names:
                    outer = os.open("..", FOLDER, dir_fd=here)
                    os.close(here)
                    here = outer
                    _try(os.rmdir, names.pop(), dir_fd=here)
            yield
    finally:
        os.close(here)
    _try(os.rmdir, top)


def _entries(folder):
    """[(name, whether it is a folder)]."""
    with os.scandir(folder) as entries:
        return [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]


def _try(function, *arguments, **options):
    try:
        function(*arguments, **options)
        return True
    except OSError:
        return False
