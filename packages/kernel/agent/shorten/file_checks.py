# Where the notebook's code looks at files that this copy changed, or that are not there: what it finds may be the work of
# rounds that were cut, or of rounds that were left out. A file that was written anew after those rounds is what it would be.
import linecache
import os
import re
import sys
import time

from .file_names import settings_of
from .things import FORM, GROWN, LOST, NOTHING, VALUE

LISTING = frozenset(("os.listdir", "os.scandir"))
# A file gets a name that nobody wrote to, or names mean others.
NAMING = frozenset(("os.rename", "os.link", "os.symlink", "os.chdir", "shutil.move"))
# Where programs are, and what the system tells of itself: training writes nothing there.
OF_PROGRAMS = tuple(folder for folder in os.environ.get("PATH", "").split(os.pathsep) if os.path.isabs(folder))
OF_SYSTEM = ("/proc/", "/sys/", "/etc/")
OF_PYTHON = tuple({os.path.realpath(sys.prefix), os.path.realpath(sys.base_prefix), sys.prefix, sys.base_prefix})
# The search for modules.
OF_IMPORTS = "<frozen importlib"
ASKING = ("stat", "lstat", "access")
# Clocks of files are coarse.
EARLIER = 0.1
WRITING = os.O_WRONLY | os.O_RDWR
# What code in C writes in one go, unseen.
ARCHIVE = b"PK"
NUMBER = re.compile(r"\d+")


class FileChecks:
    def __init__(self, namespace, cuts):
        self.namespace = namespace
        self.cuts = cuts
        # (file of the code, line) of every frame of the notebook that was on the way, to the paths.
        self.places = {}
        # Names that nobody can know beforehand.
        self.temporary = set()
        # Paths that were opened for writing, to (when, whether all that was in it went).
        self.openings = {}
        # (place, line) of the loops in which that was.
        self.loops_of = {}
        # What their names are made of, each time; whether all of them are the same in every round.
        self.made_of = {}
        self.are_same, self.renames = False, False
        self.busy = False
        self.since = time.time() - EARLIER

    def watch(self):
        self.stat = os.stat
        for name in ASKING:
            whole = getattr(os, name)
            watched = self._watched(whole)
            setattr(os, name, watched)
            for able in (os.supports_dir_fd, os.supports_effective_ids, os.supports_fd, os.supports_follow_symlinks):
                if whole in able:
                    able.add(watched)
        sys.addaudithook(self._hear)
        torch = sys.modules.get("torch")
        if torch is not None:
            torch._C.PyTorchFileWriter = self._writer(torch._C.PyTorchFileWriter)

    def _writer(self, whole):
        """Written by code in C, which nobody hears of."""

        def writer(held, *more, **options):
            if isinstance(held, str):
                self._write(held, os.O_WRONLY | os.O_TRUNC)
            return whole(held, *more, **options)

        return writer

    def _hear(self, event, args):
        if event == "tempfile.mkstemp":
            self.temporary.add(args[0])
        elif event in NAMING:
            self.renames = True
        elif event == "open" and args[2] & WRITING:
            self._write(args[0], args[2])
        elif event == "open" or event in LISTING:
            self._look(args[0] if args else None, event in LISTING)

    def _watched(self, function):
        def asked(path, *more, **options):
            self._look(path)
            return function(path, *more, **options)

        return asked

    def _write(self, path, flags):
        anew = bool(flags & (os.O_TRUNC | os.O_EXCL))
        if not anew:
            self._look(path)
        if self.busy or isinstance(path, int):
            return
        self.busy = True
        try:
            whole = _whole(path)
            self.openings.setdefault(whole, []).append((time.time(), anew))
            self.loops_of.setdefault(whole, set()).update(loop.site for loop in self.cuts.going_on)
            self.made_of.setdefault(whole, set()).add(settings_of(whole, sys._getframe(1), self.namespace))
        finally:
            self.busy = False

    def _look(self, path, lists=False):
        if self.busy or not self.cuts.made or isinstance(path, int):
            return
        self.busy = True
        try:
            if self._is_settled(os.getcwd() if path is None else path, lists):
                return
            frame = sys._getframe(2)
            if frame.f_code.co_filename.startswith(OF_IMPORTS):
                return
            while frame is not None:
                if frame.f_globals is self.namespace:
                    found = self.places.setdefault((frame.f_code.co_filename, frame.f_lineno), set())
                    found.add(_whole(os.getcwd() if path is None else path))
                frame = frame.f_back
        finally:
            self.busy = False

    def _is_settled(self, path, lists):
        """What is there was there before; of a folder more may come."""
        try:
            name = os.path.abspath(os.fsdecode(path))
            # The text of code, a cell's too, is looked for when a warning is shown.
            if name.startswith((*OF_PYTHON, *OF_PROGRAMS, *OF_SYSTEM)) or name in linecache.cache:
                return True
            return not lists and self.stat(path).st_mtime < self.since
        except (OSError, ValueError, TypeError):
            return False

    def level_of(self, path, error, more_come, unseen):
        """How far rounds that were left out decide about what is there. `more_come`: they may write other files, `unseen`:
        in another way than those that ran."""
        try:
            changed = self.stat(path).st_mtime
        except (OSError, ValueError):
            may_come = more_come and self.may_come(path) and (unseen or self._got_new(os.path.dirname(path)))
            return LOST if may_come else NOTHING
        if os.path.isdir(path):
            return LOST if unseen or self._got_new(path) else NOTHING
        openings = self.openings.get(path, [])
        if openings and self._only_grows(path, openings, error):
            return NOTHING
        if (not openings and not _is_archive(path)) or not all(anew for _, anew in openings):
            return GROWN
        since = openings[-1][0] if openings else changed - EARLIER
        rounds = [begun for begun, until in self.cuts.early if since < until and begun < max(since, changed)]
        if any(since < begun for begun in rounds):
            # Opened before them, and written to by each.
            return GROWN
        return FORM if rounds or self.cuts.irregular else VALUE

    def _got_new(self, folder):
        """Whether anything came into the folder, or where it would be, since the first round."""
        while not os.path.isdir(folder) and os.path.dirname(folder) != folder:
            folder = os.path.dirname(folder)
        try:
            return self.stat(folder).st_mtime >= self.since
        except OSError:
            return True

    def may_come(self, path):
        """Whether other rounds may write such a file: not where all that were written have a number in their names, and this
        one is none of theirs; nor where those of its name were written beside the rounds; nor where every round writes the
        same ones."""
        written = [one for one in self.openings if one not in self.temporary]
        alike = [one for one in written if _template(one) == _template(path)]
        if alike:
            return any(self._in_rounds(one, when) for one in alike for when, _ in self.openings[one])
        if self.are_same and not self.renames and not self._has_unheard_of(os.path.dirname(path)):
            return False
        return not written or not all(NUMBER.search(os.path.basename(one)) for one in written)

    def _has_unheard_of(self, folder):
        """Whether code in C wrote files there, or made the folder."""
        above = folder
        while not os.path.isdir(above) and os.path.dirname(above) != above:
            above = os.path.dirname(above)
        try:
            with os.scandir(above) as found:
                entries = [entry.path for entry in found if above != folder or not entry.is_dir()]
            new = [_whole(path) for path in entries if self.stat(path).st_mtime >= self.since]
        except OSError:
            return True
        return not all(any(one == path or one.startswith(path + os.sep) for one in self.openings) for path in new)

    def _in_rounds(self, path, when):
        """Clocks may be set while rounds go on: what the loops say counts too."""
        cut = not self.loops_of.get(path, set()).isdisjoint(self.cuts.made)
        return cut or any(begun <= when <= until for begun, until in self.cuts.spans)

    def _only_grows(self, path, openings, error):
        """Whether the error is about the beginning of a text that gets longer at its end alone."""
        document, position = getattr(error, "doc", None), getattr(error, "pos", None)
        if type(document) is not str or type(position) is not int or position >= len(document.rstrip()):
            return False
        first = min([begun for begun, _ in self.cuts.early], default=0.0)
        if any(anew and when > first - EARLIER for when, anew in openings):
            return False
        try:
            with open(path, encoding="utf-8") as held:
                return held.read() == document
        except (OSError, ValueError):
            return False


def _whole(path):
    return os.path.realpath(os.fsdecode(path))


def _template(path):
    return NUMBER.sub("0", path)


def _is_archive(path):
    try:
        with open(path, "rb") as held:
            return held.read(len(ARCHIVE)) == ARCHIVE
    except OSError:
        return False
