"""Runs the ladder program that travels in the wheel, with the Node found on the server's PATH or named in GRUS_NODE."""

import asyncio
import functools
import os
import pathlib
import shutil
import subprocess

PROGRAM = pathlib.Path(__file__).parent / "ladder" / "main.mjs"
OLDEST_NODE = 20


def what_is_missing(server_app):
    """One sentence, or nothing when everything is there."""
    if not PROGRAM.exists():
        return "this installation of grus-jupyterlab has no ladder program: install it from a wheel"
    if node() is None:
        return "dry runs and models need Node %d or newer where the Jupyter server runs" % OLDEST_NODE
    if token(server_app) == "" and not _open_to_all(server_app):
        return "dry runs and models need a Jupyter server with a token"
    return ""


@functools.lru_cache(maxsize=1)
def node():
    for candidate in (os.environ.get("GRUS_NODE"), shutil.which("node"), shutil.which("nodejs")):
        if candidate and _major_version(candidate) >= OLDEST_NODE:
            return candidate
    return None


def _major_version(command):
    try:
        told = subprocess.run([command, "--version"], capture_output=True, text=True, timeout=10, check=False).stdout
        return int(told.strip().lstrip("v").split(".")[0])
    except (OSError, ValueError, subprocess.SubprocessError):
        return 0


def token(server_app):
    return getattr(server_app.identity_provider, "token", "") or ""


def _open_to_all(server_app):
    return not server_app.identity_provider.auth_enabled


async def climb(server_app, request, started):
    """The program's answer as bytes; None when it was ended because nobody waits for it."""
    environment = dict(os.environ, GRUS_SERVER_URL=server_app.connection_url, GRUS_SERVER_TOKEN=token(server_app))
    program = node()
    if program is None:
        raise RuntimeError("no Node.js %d or newer was found" % OLDEST_NODE)
    process = await asyncio.create_subprocess_exec(
        program,
        str(PROGRAM),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
    )
    started(process)
    answer, complaints = await process.communicate(request)
    if process.returncode == 0:
        return answer
    if process.returncode is not None and process.returncode < 0:
        return None
    server_app.log.warning("Grus: the ladder program failed: %s", complaints.decode(errors="replace")[-2000:])
    raise RuntimeError("the ladder program failed; see the log of the server")
