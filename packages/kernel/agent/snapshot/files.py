# Whether the files a cell reads exist, as seen from the kernel's working directory. Nothing is opened.
import os
import stat

from ..objects.similar_names import alike

LISTED = 5000


def probe(path):
    told: dict = {"status": _status(path)}
    folder, name = os.path.split(path.rstrip("/") if len(path) > 1 else path)
    if told["status"] == "absent":
        told["parent"] = _status(folder or ".")
        told["siblings"] = alike(name, _listed(folder or "."))
    elif told["status"] == "file":
        try:
            told["size"] = os.stat(path).st_size
            told["readable"] = os.access(path, os.R_OK)
        except OSError:
            told["status"] = "unknown"
    return told


def _status(path):
    try:
        mode = os.stat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return "absent"
    except (OSError, ValueError):
        return "unknown"
    return "directory" if stat.S_ISDIR(mode) else "file"


def _listed(folder):
    names = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                names.append(entry.name)
                if len(names) >= LISTED:
                    break
    except OSError:
        return []
    return names
