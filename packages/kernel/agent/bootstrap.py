# Runs once per kernel, in a namespace of its own: turns the bundled sources into private modules that are not in
# sys.modules, with an `import` that only hands out what the process has loaded already, so that a check cannot import
# anything by accident. The client puts `SOURCES` (module name to text) and `VERSION` in front of this file.
import builtins
import sys
import types

SOURCES = globals().get("SOURCES", {})
VERSION = globals().get("VERSION", "0")
# What a snapshot needs; the rooms for copies are loaded when the kernel has nothing to do.
FIRST = tuple("grus_agent.%s." % room for room in ("protocol", "snapshot", "objects", "describe"))


def load_private(sources):
    modules, compiled = {}, {}

    def private_import(name, importer=None, _locals=None, fromlist=(), level=0):
        if level and importer is not None:
            package = importer["__package__"].split(".")
            prefix = ".".join(package[: len(package) - level + 1])
            wanted = prefix + "." + name if name else prefix
            if wanted in sources:
                return module(wanted)
            return types.SimpleNamespace(**{part: module(wanted + "." + part) for part in fromlist})
        if sys.modules.get(name) is None:
            raise ImportError(name + " is not loaded in this process")
        return sys.modules[name if fromlist else name.partition(".")[0]]

    def module(name):
        if name not in modules:
            made = modules[name] = types.ModuleType(name)
            made.__package__ = name.rpartition(".")[0]
            made.__dict__["__builtins__"] = dict(vars(builtins), __import__=private_import)
            exec(compiled.pop(name, None) or code_of(name), made.__dict__)
        return modules[name]

    def code_of(name):
        return compile(sources[name], "<grus " + name + ">", "exec", dont_inherit=True)

    def load_rest():
        """All that is not loaded yet, in small pieces."""
        later = [name for name in sources if name.startswith("grus_agent.") and name not in modules]
        for name in later:
            if name not in modules:
                compiled[name] = code_of(name)
            yield
        for name in later:
            module(name)
            yield

    for name in sources:
        if name.startswith(FIRST):
            module(name)
    return module, load_rest


load, load_rest = load_private(SOURCES)
# The guard asks the agent by itself; every other client sends messages.
if not globals().get("IN_PLACE"):
    load("grus_agent.protocol.snapshot_requests").install(VERSION)
    load("grus_agent.protocol.copy_requests").install(VERSION, load, load_rest, SOURCES)
