"""Nothing of this package may raise into a training loop: failures are counted, told once, and end the recording."""

from __future__ import annotations

import contextlib
import functools
import sys

_most_failures = 3
_state = {"failures": 0, "off": False}


def is_off():
    return _state["off"]


def failed(error):
    _state["failures"] += 1
    if _state["failures"] >= _most_failures and not _state["off"]:
        _state["off"] = True
        with contextlib.suppress(Exception):
            print(f"grus_hooks: recording stopped: {type(error).__name__}: {error}", file=sys.stderr)


def quietly(method):
    """Runs the method unless recording has stopped; an exception of its own is swallowed."""

    @functools.wraps(method)
    def guarded(*args, **kwargs):
        if _state["off"]:
            return None
        try:
            return method(*args, **kwargs)
        except Exception as error:
            failed(error)
            return None

    return guarded
