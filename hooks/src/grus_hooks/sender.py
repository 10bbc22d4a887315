"""Sends the records of one run to a Grus server while it goes on: ``sender.py DIRECTORY PID``, with ``GRUS_SERVER``,
``GRUS_TOKEN`` and ``GRUS_PROJECT`` in the environment. It ends with the run, also when that is killed. It is a program of
its own, no part of the training: what goes wrong here is told on stderr, and changes nothing there.
"""

from __future__ import annotations

import getpass
import hashlib
import http.client
import json
import os
import re
import signal
import socket
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

_every_seconds = 10.0
_look_seconds = 0.5
#: Sending takes at most this share of the time.
_sending_share = 0.1
_silent_seconds = 10.0
_last_pauses = (1, 2)
_records = re.compile(r"grus(-rank\d+)?\.jsonl")
#: Asked again, the server would answer the same.
_final = (400, 401, 403, 404, 413)
_passing = (OSError, ValueError, KeyError, TypeError, http.client.HTTPException)


class RefusedError(Exception):
    """The server will not take this run."""


class _NoWayElsewhere(urllib.request.HTTPRedirectHandler):
    """The token is for one server."""

    def redirect_request(self, req, fp, code, msg, headers, newurl):
        return None


class Sender:
    def __init__(self, directory, server, token, project):
        self.directory = directory
        self._base = f"{server.rstrip('/')}/api/projects/{urllib.parse.quote(project, safe='')}"
        self._token = token
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), _NoWayElsewhere)
        self._before = {}
        self._sent = None

    def send(self, running):
        names = sorted(name for name in os.listdir(self.directory) if _records.fullmatch(name))
        state = [running, *((name, os.stat(self._path(name)).st_mtime_ns) for name in names)]
        if not names or state == self._sent:
            return
        files = {name: self._described(name) for name in names}
        host = socket.gethostname()
        run = {"name": f"{host}:{self.directory}"[:512], "node": host, "person": _person(), "running": running}
        body = json.dumps({**run, "files": list(files.values())}).encode()
        missing = self._ask("POST", "/runs", body, "application/json")["missing"]
        for name, file in files.items():
            if file["digest"] in missing:
                self._put(file, self._content(name)[: file["size"]])
        if missing and self._ask("POST", "/runs", body, "application/json")["missing"]:
            raise OSError("a file did not arrive")
        self._before = files
        self._sent = state

    def _path(self, name):
        return os.path.join(self.directory, name)

    def _content(self, name):
        with open(self._path(name), "rb") as file:
            return file.read()

    def _described(self, name):
        content = self._content(name)
        return {"path": name, "digest": hashlib.sha256(content).hexdigest(), "size": len(content)}

    def _put(self, file, content):
        """Of a file that only grew, what it grew by."""
        place = f"/files/{file['digest']}"
        before = self._before.get(file["path"])
        if before and hashlib.sha256(content[: before["size"]]).hexdigest() == before["digest"]:
            try:
                return self._ask("PUT", f"{place}?after={before['digest']}", content[before["size"] :])
            except RefusedError:
                pass
        return self._ask("PUT", place, content)

    def _ask(self, method, path, body, kind="application/octet-stream"):
        request = urllib.request.Request(self._base + path, data=body, method=method)
        request.add_header("Authorization", f"Bearer {self._token}")
        request.add_header("Content-Type", kind)
        try:
            with self._opener.open(request, timeout=_silent_seconds) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code in _final or error.code < 400:
                raise RefusedError(f"it answered {error.code}, {_reason(error)}") from error
            raise


def _reason(error):
    try:
        return json.load(error)["error"]
    except _passing:
        return error.reason


def _person():
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return None


def _has_ended(directory):
    """The last record says so."""
    try:
        with open(os.path.join(directory, "grus.jsonl"), "rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - 2**16))
            return file.read().splitlines()[-1].startswith(b'{"grus":"end"')
    except (OSError, IndexError):
        return False


def _tell(text):
    print(f"grus_hooks: {text}", file=sys.stderr, flush=True)


def _follow(sender, goes_on):
    """Sends until the run has ended, then its last state."""
    is_away = False
    due = 0.0
    while goes_on():
        if time.monotonic() < due:
            time.sleep(_look_seconds)
            continue
        started = time.monotonic()
        try:
            sender.send(running=True)
            is_away = False
        except _passing as error:
            if not is_away:
                _tell(f"the run cannot be sent now ({error}); it goes on, and is sent when that is possible")
            is_away = True
        now = time.monotonic()
        due = now + max(_every_seconds, (now - started) / _sending_share)
    for pause in (*_last_pauses, None):
        try:
            sender.send(running=False)
            break
        except _passing as error:
            if pause is None:
                _tell(f"the run was not sent to its end ({error}); send it later: grus push {sender.directory}")
            else:
                time.sleep(pause)


def main(directory, training):
    server, token = os.environ.get("GRUS_SERVER"), os.environ.get("GRUS_TOKEN")
    if not server or not token:
        _tell("GRUS_SEND=1 needs GRUS_SERVER and GRUS_TOKEN; the run is not sent")
        return
    # Schedulers end everything of a job at once: the end of the training is still to be sent.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.nice(19)
    sender = Sender(directory, server, token, os.environ.get("GRUS_PROJECT") or "default")
    try:
        _follow(sender, lambda: os.getppid() == training and not _has_ended(directory))
    except RefusedError as error:
        _tell(f"the run is not sent to {server}: {error}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
