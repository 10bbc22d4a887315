"""Starts a sender beside the training where ``GRUS_SEND=1`` asks for it, so that a server shows the run while it goes on."""

from __future__ import annotations

import atexit
import contextlib
import os
import subprocess
import sys

from . import ending

_senders: dict = {}
_last_word_seconds = 10


def follow(log):
    """Sends what is written beside ``log``, by a process of its own. The first rank sends for all whose files lie there."""
    if os.environ.get("GRUS_SEND") != "1" or os.name != "posix" or log.rank:
        return
    directory = os.path.abspath(log.directory)
    if directory in _senders and _senders[directory].poll() is None:
        return
    if not _senders:
        atexit.register(_wait, os.getpid())
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "sender.py")
    _senders[directory] = subprocess.Popen(
        [sys.executable, "-I", script, directory, str(os.getpid())],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        # Ctrl-C is for the training, whose end is still to be sent.
        start_new_session=True,
    )


def _wait(owner):
    """A container ends with the training: the last state gets a moment."""
    if os.getpid() != owner:
        return
    ending.end_all()
    for sender in _senders.values():
        with contextlib.suppress(subprocess.TimeoutExpired):
            sender.wait(_last_word_seconds)
