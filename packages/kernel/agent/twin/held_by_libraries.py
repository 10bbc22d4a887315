# Where libraries keep what a notebook can change in them, found once by the spare process, which has the same libraries
# and has not used them:
# - settings: variables of a module or a class in which a function of the library stores one of its arguments. What is
#   stored otherwise (a counter, a cache, a note that something was done) is no setting, and stays behind;
# - switches: functions written in C that tell a setting, with those that set it;
# - registries: tables of a module or a class, with the number of their entries;
# - names: those that a module has;
# - foreign: methods of its classes that were written in another package.
import contextlib
import ctypes
import dis
import fcntl
import marshal
import os
import re
import signal
import sys
import time
import types
import warnings

from ..objects.lookup import class_dict, class_module, instance_dict, is_a, is_class, module_dict
from . import gpu_tensors
from .compiled_code import OF_THE_COMPILER

LONGEST_SECONDS = 20
PAUSE = 0.005
NOT_INITIALIZED = 3
TABLES = (dict, list, set)
PLAIN = frozenset((type(None), bool, int, float, complex, str, bytes))
ASKING = re.compile(r"(_?)(get|is|are)_(.+?)(_enabled|_active)?")
STORE_GLOBAL, STORE_ATTR, CACHE = (dis.opmap.get(name, -1) for name in ("STORE_GLOBAL", "STORE_ATTR", "CACHE"))
PUSHES = re.compile("LOAD_(FAST|GLOBAL|NAME|DEREF)")


def tell(descriptor, libraries):
    """Write what is found, and seal it: whoever waits for it knows then that it is whole, and nobody can change it. It is
    looked for in a process of its own, since a function that tells a setting may do more than that."""
    finder = os.fork()
    if finder == 0:
        with contextlib.suppress(BaseException):
            signal.alarm(LONGEST_SECONDS)
            with os.fdopen(descriptor, "wb") as file:
                file.write(marshal.dumps(_found(libraries)))
        os._exit(0)
    os.waitpid(finder, 0)
    seal(descriptor)


def seal(descriptor):
    fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK)


def heard(descriptor, deadline):
    """What the spare process has told; nothing when it has not until then."""
    while not fcntl.fcntl(descriptor, fcntl.F_GET_SEALS):
        if time.monotonic() > deadline:
            return {}
        time.sleep(PAUSE)
    with contextlib.suppress(EOFError, ValueError, TypeError):
        return marshal.loads(os.pread(descriptor, os.fstat(descriptor).st_size, 0))
    return {}


def driver_is_called():
    """Whether somebody has asked the driver of the GPU. What is forked after that can never use the GPU."""
    try:
        driver = ctypes.CDLL(gpu_tensors.DRIVER, mode=os.RTLD_NOLOAD)
        return driver.cuCtxGetCurrent(ctypes.byref(ctypes.c_void_p())) != NOT_INITIALIZED
    except (OSError, AttributeError):
        return False


def _found(libraries):
    modules = {name: module_dict(sys.modules.get(name)) or {} for name in libraries}
    classes = {}
    for name, held in modules.items():
        for known, value in list(held.items()):
            if is_class(value) and class_module(value) == name:
                classes[name, known] = value
    settings = _Settings(modules, classes)
    return {
        "settings": sorted(settings.found, key=repr),
        "switches": _switches(modules),
        "registries": _registries(modules, classes),
        "foreign": _foreign(modules, classes),
        "names": {name: _names(module_dict(module) or {}) for name, module in sys.modules.items() if type(name) is str},
    }


def _foreign(modules, classes):
    found = {name: set() for name in modules}
    for (name, known), cls in classes.items():
        found[name].update((known, method) for method in foreign_methods(cls, name))
    return found


def foreign_methods(cls, module):
    root = module.partition(".")[0]
    for name, held in list(class_dict(cls).items()):
        home = held.__globals__.get("__name__") if type(held) is types.FunctionType else None
        if type(home) is str and home.partition(".")[0] != root:
            yield name


def _names(held):
    """As one piece: it is seldom read."""
    return marshal.dumps(frozenset(filter(_is_text, held)))


def _is_text(name):
    return type(name) is str


class _Settings:
    """`found`: (module, class or None, name)."""

    def __init__(self, modules, classes):
        self.found, self.modules = set(), modules
        self.names = {id(cls): place for place, cls in classes.items()}
        for name, held in modules.items():
            for value in list(held.values()):
                if type(value) is types.FunctionType and value.__globals__ is held:
                    self._look_into(value.__code__, name, None)
        for (name, known), cls in classes.items():
            for value in list(class_dict(cls).values()):
                function = getattr(value, "__func__", value) if isinstance(value, (classmethod, staticmethod)) else value
                if type(function) is types.FunctionType and function.__globals__ is modules[name]:
                    self._look_into(function.__code__, name, known if isinstance(value, classmethod) else None)

    def _look_into(self, code, module, own_class):
        operations = code.co_code[::2]
        if STORE_GLOBAL in operations or self._stores_for_another(code, operations, own_class):
            self._look_closely(code, module, own_class)
        for constant in code.co_consts:
            if type(constant) is types.CodeType:
                self._look_into(constant, module, None)

    def _stores_for_another(self, code, operations, own_class):
        """Whether it stores an attribute of something else than its first argument."""
        at = operations.find(STORE_ATTR)
        while at > 0:
            before = at - 1
            while before > 0 and operations[before] == CACHE:
                before -= 1
            of_first = dis.opname[operations[before]].startswith("LOAD_FAST") and code.co_code[2 * before + 1] == 0
            if own_class is not None or not of_first:
                return True
            at = operations.find(STORE_ATTR, at + 1)
        return False

    def _look_closely(self, code, module, own_class):
        arguments = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        pushed = []
        for step in dis.get_instructions(code):
            name = step.opname
            if name == "STORE_GLOBAL":
                if pushed and pushed[-1] in arguments:
                    self._add(module, None, step.argval)
            elif name == "STORE_ATTR" and len(pushed) > 1 and pushed[-2] in arguments:
                owner = own_class if own_class is not None and pushed[-1] == arguments[0] else None
                value = self.modules[module].get(pushed[-1]) if type(pushed[-1]) is str else None
                if owner is not None:
                    self._add(module, owner, step.argval)
                elif pushed[-1] not in arguments and is_class(value) and id(value) in self.names:
                    home, known = self.names[id(value)]
                    self._add(home, known, step.argval)
            if PUSHES.match(name):
                pushed += step.argval if type(step.argval) is tuple else [step.argval]
            elif name not in ("CACHE", "EXTENDED_ARG", "NOP", "RESUME"):
                pushed = []

    def _add(self, module, owner, name):
        held = self.modules[module] if owner is None else class_dict(self.modules[module][owner])
        if name in held and not name.startswith("__"):
            self.found.add((module, owner, name))


def is_plain(value):
    """Whether it can be carried and compared as it is."""
    kind = type(value)
    if kind in PLAIN:
        return True
    if kind is tuple:
        return all(map(is_plain, value))
    held = instance_dict(value) if "__dataclass_fields__" in class_dict(kind) else None
    return held is not None and all(map(is_plain, held.values()))


def _switches(modules):
    """(module, name of the function that tells, name of the one that sets it or None)."""
    found, seen = [], set()
    torch = sys.modules.get("torch")
    settled = PLAIN | ({torch.dtype} if torch is not None else set())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, held in modules.items():
            for known, ask in list(held.items()):
                asking = ASKING.fullmatch(known) if type(ask) is types.BuiltinFunctionType else None
                if asking is None or id(ask) in seen:
                    continue
                seen.add(id(ask))
                stems = (asking[3] + (asking[4] or ""), asking[3])
                names = [mark + "set_" + stem for stem in stems for mark in ("", "_")]
                change = next((one for one in names if callable(held.get(one))), None)
                if (change is None and asking[4] is None) or driver_is_called():
                    continue
                with contextlib.suppress(Exception):
                    answer = ask()
                    if type(answer) is not bool and (change is None or type(answer) not in settled):
                        continue
                    if change is not None:
                        held[change](answer)
                    if not driver_is_called():
                        found.append((name, known, change))
    return found


def _registries(modules, classes):
    """(module, class or None, [(name, entries)])."""
    found, seen = [], set()
    places = [(name, None, held) for name, held in modules.items()]
    places += [(name, known, class_dict(cls)) for (name, known), cls in classes.items()]
    for name, owner, held in places:
        if name.startswith(OF_THE_COMPILER):
            continue
        tables = []
        for known, value in list(held.items()):
            if not known.startswith("__") and any(is_a(value, kind) for kind in TABLES) and id(value) not in seen:
                seen.add(id(value))
                tables.append((known, len(value)))
        if tables:
            found.append((name, owner, tables))
    return found
