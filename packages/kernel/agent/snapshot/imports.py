# Whether an import would find its module, and whether the module holds a name, without importing anything: neither
# the module nor its parents. Where a package may compute what it offers, the answer is "unknown".
import os
import re
import sys
import types
from importlib.machinery import BuiltinImporter, FileFinder, FrozenImporter, PathFinder

from ..objects.lookup import (
    MISSING,
    class_module,
    class_name,
    entry,
    has_dynamic_attributes,
    has_type,
    instance_dict,
    is_class,
    module_dict,
    static_names,
)
from ..objects.resolve import resolve
from ..objects.similar_names import alike
from ..protocol import reasons

NamespacePath = vars(sys.modules["_frozen_importlib_external"]).get("_NamespacePath")
ZIP_FINDER = vars(sys.modules["zipimport"]).get("zipimporter") if "zipimport" in sys.modules else None
OF_IMPORTLIB = ("_frozen_importlib_external", "importlib._bootstrap_external")
STANDARD_FINDERS = (BuiltinImporter, FrozenImporter, PathFinder)
NARROW_FINDERS = {
    "_virtualenv": ("distutils", "setuptools"),
    "_numba_cuda_redirector": ("numba",),
    "six": ("six",),
    "_distutils_hack": ("distutils", "pip", "test"),
    "pkg_resources.extern": ("pkg_resources",),
    "setuptools.extern": ("setuptools",),
    "transformers.utils.import_utils": ("transformers",),
    "importlib_metadata": (),
    "absl.flags._flagvalues": (),
}
"""Finders of libraries that serve names below these packages and nothing else, by the module of their class."""
INIT_LIMIT = 300_000
COMPUTED_NAMES = re.compile(
    rb"import\s*\(?\s*\*|__getattr__|__dict__|__class__|__import__|\b(globals|locals|vars|setattr|exec|eval)\s*\(|sys\.modules|import_module|[Ll]azy"
    rb"|^@(?!(dataclasses\.)?dataclass\b|functools\.|(lru_)?cache\b|wraps\b|total_ordering\b|contextlib\.|(async)?contextmanager\b)",
    re.MULTILINE,
)
"""Signs that a module may hold names which its source does not spell out; a decorator can put names beside its class."""
DYNAMIC_WORDS = ("__path__", "sys.modules", "meta_path", "extend_path", "LazyLoader")
"""Signs that a package makes modules importable that no finder knows. Importing others by computed names is none."""


def probe(module, names, walk):
    """The fact about `import module` or `from module import names`."""
    status, reason = find(module)
    told = {"status": status, "names": {}}
    if reason:
        told["reason"] = reason
    loaded = sys.modules.get(module)
    if status == "present" and loaded is None and not _is_standard(module):
        told["runs"] = True
    version = _version(loaded)
    if version:
        told["version"] = version
    if status == "absent":
        told["siblings"] = alike(module.rpartition(".")[2], _module_siblings(module))
    for name in names:
        told["names"][name] = _probe_name(module, name, loaded, status, walk)
    return told


def _is_standard(module):
    names = getattr(sys, "stdlib_module_names", sys.builtin_module_names)
    return module.partition(".")[0] in names


def _version(loaded):
    version = (module_dict(loaded) or {}).get("__version__")
    return version if type(version) is str else None


def _probe_name(module, name, loaded, module_status, walk):
    if name == "*":
        return {"status": "unknown", "reason": reasons.star_import()}
    if loaded is not None:
        status, value, reason = resolve(loaded, name, walk.resolvers)
        if status == "present":
            told = {"status": "present"}
            if value is not MISSING:
                told["object"] = walk.ref(value)
            return told
        if _submodule_found(module, name):
            return {"status": "present", "reason": reasons.is_submodule()}
        if status == "unknown":
            return {"status": "unknown", "reason": reason}
        listed = static_names(loaded, 5000) or []
        return {"status": "absent", "siblings": alike(name, listed)}
    if module_status == "present" and _submodule_found(module, name):
        return {"status": "present", "reason": reasons.is_submodule()}
    words = _words_of(module) if module_status == "present" else None
    if words is not None and name not in words:
        return {"status": "absent", "reason": reasons.never_mentioned(), "siblings": alike(name, words)}
    return {"status": "unknown", "reason": reasons.module_not_imported()}


def _words_of(module):
    """Every word in the source of a module that is not loaded; None when it may get names that it does not spell out."""
    spec = _locate(module)[2]
    origin = None if spec is None else spec.origin
    if type(origin) is not str or not origin.endswith(".py"):
        return None
    try:
        with open(origin, "rb") as handle:
            text = handle.read(INIT_LIMIT + 1)
    except OSError:
        return None
    if len(text) > INIT_LIMIT or COMPUTED_NAMES.search(text):
        return None
    return {word.decode("ascii") for word in re.findall(rb"[A-Za-z_][A-Za-z0-9_]*", text)}


def _submodule_found(module, name):
    return find(module + "." + name)[0] == "present"


def find(name):
    """(status, reason) of importing `name`."""
    if name in sys.modules:
        return ("present", None) if sys.modules.get(name) is not None else ("absent", reasons.blocked_module())
    parent, _, _ = name.rpartition(".")
    if not parent:
        return _find_spec(name, None)[:2]
    if parent in sys.modules:
        return _find_below_loaded(name, sys.modules[parent])
    status, reason, spec = _locate(parent)
    if status != "present":
        return status, reason
    if spec is None or spec.submodule_search_locations is None:
        return "unknown", reasons.parent_unloaded()
    status, reason, _ = _find_spec(name, list(spec.submodule_search_locations))
    if status == "absent" and not _is_plain_package(spec.origin):
        return "unknown", reasons.parent_unloaded()
    return status, reason


def _find_below_loaded(name, parent):
    held = module_dict(parent)
    if held is None:
        return "unknown", reasons.parent_not_module()
    path = held.get("__path__", MISSING)
    if path is MISSING:
        if has_dynamic_attributes(parent):
            return "unknown", reasons.parent_computes()
        return "absent", reasons.parent_not_package()
    if type(path) is NamespacePath:
        path = (instance_dict(path) or {}).get("_path")
    if type(path) is not list:
        return "unknown", reasons.path_computed()
    return _find_spec(name, path)[:2]


def _locate(name):
    """Like find, with the spec, for parents that are not imported."""
    parent, _, _ = name.rpartition(".")
    if not parent:
        return _find_spec(name, None)
    if parent in sys.modules:
        held = module_dict(sys.modules[parent]) or {}
        path = held.get("__path__")
        return _find_spec(name, list(path)) if type(path) is list else ("unknown", reasons.path_computed(), None)
    status, reason, spec = _locate(parent)
    if status != "present" or spec is None or spec.submodule_search_locations is None:
        return ("unknown" if status == "present" else status), reason, None
    status, reason, found = _find_spec(name, list(spec.submodule_search_locations))
    if status == "absent" and not _is_plain_package(spec.origin):
        return "unknown", reasons.parent_unloaded(), None
    return status, reason, found


def _find_spec(name, path):
    folders = list(sys.path) if path is None else path
    known = [folder for folder in folders if _is_searched_by_python(folder)]
    is_whole = len(known) == len(folders)
    for finder in list(sys.meta_path):
        if any(finder is standard for standard in STANDARD_FINDERS):
            spec = finder.find_spec(name, known if finder is PathFinder else path)
            if spec is not None:
                return "present", None, spec
        elif not _is_narrow(finder, name):
            is_whole = False
    return ("absent", None, None) if is_whole else ("unknown", reasons.finder_not_asked(), None)


def _is_searched_by_python(folder):
    """Whether the folder is looked through by Python's own finders alone."""
    if type(folder) is not str:
        return False
    finder = entry(sys.path_importer_cache, folder or os.getcwd())
    if finder is MISSING:
        return all(_is_standard_hook(hook) for hook in list(sys.path_hooks))
    return finder is None or (has_type(finder, FileFinder, ZIP_FINDER) and "find_spec" not in (instance_dict(finder) or {}))


def _is_standard_hook(hook):
    if hook is ZIP_FINDER:
        return True
    function = hook.__func__ if type(hook) is types.MethodType else hook
    module = function.__module__ if type(function) is types.FunctionType else None
    return type(module) is str and (module in OF_IMPORTLIB or module.startswith("__editable__"))


def _is_narrow(finder, name):
    """Whether a known finder certainly does not serve `name`."""
    cls = finder if is_class(finder) else type(finder)
    module, root = class_module(cls), name.partition(".")[0]
    if class_name(cls).endswith("._SixMetaPathImporter"):
        known = (instance_dict(finder) or {}).get("known_modules")
        return type(known) is dict and entry(known, name) is MISSING
    if module.startswith("__editable__"):
        mapping = (module_dict(sys.modules.get(module)) or {}).get("MAPPING")
        return type(mapping) is dict and entry(mapping, root) is MISSING
    return module in NARROW_FINDERS and root not in NARROW_FINDERS[module]


def _is_plain_package(origin):
    """Whether a package's `__init__` does nothing that could make other submodules importable."""
    if type(origin) is not str or not origin.endswith(".py"):
        return False
    try:
        with open(origin, "rb") as handle:
            text = handle.read(INIT_LIMIT + 1)
    except OSError:
        return False
    return len(text) <= INIT_LIMIT and not any(word.encode() in text for word in DYNAMIC_WORDS)


def _module_siblings(module):
    parent, _, _ = module.rpartition(".")
    if parent:
        loaded = sys.modules.get(parent)
        path = (module_dict(loaded) or {}).get("__path__")
        folders = [folder for folder in path if type(folder) is str] if type(path) is list else []
    else:
        folders = [entry for entry in list(sys.path) if type(entry) is str]
    names: set[str] = set(getattr(sys, "stdlib_module_names", ())) if not parent else set()
    for folder in folders:
        try:
            listed = os.listdir(folder or ".")
        except OSError:
            continue
        for file in listed:
            stem, dot, ending = file.partition(".")
            if stem.isidentifier() and (not dot or ending == "py" or ending.endswith(("so", "pyd"))):
                names.add(stem)
    return names
