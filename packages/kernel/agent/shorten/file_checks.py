# Where the notebook's code looks at files that this copy changed, or that are not there: what it finds may be the work of
# rounds that were cut, or of rounds that were left out.
import os
import sys
import time

LISTING = frozenset(("os.listdir", "os.scandir"))
# Where programs are: training writes nothing there.
OF_PROGRAMS = tuple(folder for folder in os.environ.get("PATH", "").split(os.pathsep) if os.path.isabs(folder))
OF_PYTHON = tuple({os.path.realpath(sys.prefix), os.path.realpath(sys.base_prefix), sys.prefix, sys.base_prefix})
# The search for modules.
OF_IMPORTS = "<frozen importlib"
ASKING = ("stat", "lstat", "access")
# Clocks of files are coarse.
EARLIER = 0.1


class FileChecks:
    def __init__(self, namespace, cuts):
        self.namespace = namespace
        self.cuts = cuts
        # (file of the code, line), of every frame of the notebook that was on the way.
        self.places = set()
        # Names that nobody can know beforehand.
        self.temporary = set()
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

    def _hear(self, event, args):
        if event == "tempfile.mkstemp":
            self.temporary.add(args[0])
        elif event == "open" and args[2] & os.O_TRUNC:
            # Whatever was in it is gone.
            return
        elif event == "open" or event in LISTING:
            self._look(args[0] if args else None, event in LISTING)

    def _watched(self, function):
        def asked(path, *more, **options):
            self._look(path)
            return function(path, *more, **options)

        return asked

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
                    self.places.add((frame.f_code.co_filename, frame.f_lineno))
                frame = frame.f_back
        finally:
            self.busy = False

    def _is_settled(self, path, lists):
        """What is there was there before; of a folder more may come."""
        try:
            if os.path.abspath(os.fsdecode(path)).startswith((*OF_PYTHON, *OF_PROGRAMS)):
                return True
            return not lists and self.stat(path).st_mtime < self.since
        except (OSError, ValueError, TypeError):
            return False
