# Removes what a copy left in its private folder, whatever its shape: one folder open at a time, so that no depth is too
# deep, and in short pieces between the kernel's messages, so that no number of files holds the kernel up. What takes long
# is left to a program that outlives the kernel.
import os
import time

PIECE = 0.004
LONG = 0.5
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
SHELL = "/bin/sh"
# Started in the background of a shell that ends at once: it is no child of the kernel's.
PROGRAM = '(chmod -R u+rwx -- "$1"; rm -rf -- "$1") </dev/null >/dev/null 2>&1 &'


def remove(folder, loop):
    """Goes on in the background of the event loop."""
    steps = _steps(folder)
    long_from = time.perf_counter() + LONG

    def piece():
        nonlocal long_from
        ends = time.perf_counter() + PIECE
        for _ in steps:
            now = time.perf_counter()
            if now > long_from:
                if _left_to_a_program(folder):
                    steps.close()
                    return
                long_from = now + LONG
            if now > ends:
                loop.call_soon(piece)
                return

    piece()


def _left_to_a_program(folder):
    try:
        shell = os.posix_spawn(SHELL, [SHELL, "-c", PROGRAM, SHELL, folder], {"PATH": os.defpath}, setsid=True)
    except OSError:
        return False
    os.waitpid(shell, 0)
    return True


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
                elif _try(os.rmdir, name, dir_fd=here):
                    # It was empty: as many calls as it took to make it.
                    pass
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
