"""What JupyterLab has a kernel run, once and silently, so that its cells are judged beside it. The kernel may live in
another environment than the server: everything is loaded from the files beside this one, as modules that nobody else
finds, and nothing is bound in the user's namespace. `NODE`, `VERSION` and `__file__` are given."""

import os
import sys
import types


def load(name):
    path = os.path.join(os.path.dirname(__file__), name + ".py")
    module = types.ModuleType("grus_" + name)
    module.__file__ = path
    with open(path, encoding="utf-8") as file:
        exec(compile(file.read(), path, "exec", dont_inherit=True), module.__dict__)
    return module


def attach(node, version):
    kernel = sys.modules["ipykernel.kernelbase"].Kernel._instance
    beside, in_place, messages, forerunner = load("beside"), load("in_place"), load("messages"), load("forerunner")
    asker = beside.Asker(lambda: beside.Beside(node, in_place.load_agent(kernel.shell), version))
    messages.MessageGate(kernel, asker, version, forerunner.Forerunners).install()
    forget_cell(kernel.shell)


def forget_cell(shell):
    """The text that did this is no cell of the user's: tracebacks do not look it up."""
    frame = sys._getframe()
    while frame is not None and frame.f_globals is not shell.user_ns:
        frame = frame.f_back
    if frame is not None:
        sys.modules["linecache"].cache.pop(frame.f_code.co_filename, None)
        getattr(shell.compile, "_filename_map", {}).pop(frame.f_code.co_filename, None)


attach(globals()["NODE"], globals()["VERSION"])
