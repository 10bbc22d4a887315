"""Grus: will this notebook cell crash, and why does this training run fail?

`grus` on the command line; `%load_ext grus` in a notebook; `grus.hooks` in a training loop.
"""

_guards = {}


def load_ipython_extension(shell):
    """`%load_ext grus`: every cell is checked before it runs."""
    from .guard.guard import Guard
    from .guard.magics import Magics

    if id(shell) in _guards:
        return
    guard = Guard(shell)
    guard.load()
    magics = Magics(guard)
    shell.register_magic_function(magics.line_or_cell, "line_cell", "grus")
    _guards[id(shell)] = guard
    if guard.asker.problem:
        magics.line("")
    else:
        for told in magics.settings():
            print(told)


def unload_ipython_extension(shell):
    """`%unload_ext grus`"""
    guard = _guards.pop(id(shell), None)
    if guard is not None:
        guard.unload()
        for kind in ("line", "cell"):
            shell.magics_manager.magics[kind].pop("grus", None)
