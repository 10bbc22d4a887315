"""Runs the ladder program that travels in the wheel with Node."""

import asyncio
import os
import pathlib
import subprocess

from ..node import NodeMissing, node_command
from ..version import VERSION

PROGRAM = pathlib.Path(__file__).parent / "ladder" / "main.mjs"


def what_is_missing(server_app):
    """One sentence, or nothing when everything is there."""
    if not PROGRAM.exists():
        return "this installation of Grus has no ladder program: install it from a wheel"
    try:
        node_command()
    except NodeMissing as missing:
        return "dry runs and models need Node where the Jupyter server runs: %s" % missing
    if token(server_app) == "" and not _open_to_all(server_app):
        return "dry runs and models need a Jupyter server with a token"
    return ""


def guard_files():
    """What a kernel of this machine needs to have its cells judged beside it; None where there is no Node or no fork."""
    attach = PROGRAM.parent.parent.parent / "guard" / "attach.py"
    if os.name != "posix" or not attach.exists():
        return None
    try:
        return {"attach": str(attach), "node": node_command(), "version": VERSION}
    except NodeMissing:
        return None


def token(server_app):
    return getattr(server_app.identity_provider, "token", "") or ""


def _open_to_all(server_app):
    return not server_app.identity_provider.auth_enabled


LONGEST_LINE = 1 << 26


async def climb(server_app, request, started, tell):
    """`tell(line)` is awaited for each line of the program's answer, as it comes. Without any it was ended because nobody
    waits for it."""
    environment = dict(os.environ, GRUS_SERVER_URL=server_app.connection_url, GRUS_SERVER_TOKEN=token(server_app))
    process = await asyncio.create_subprocess_exec(
        node_command(),
        str(PROGRAM),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        limit=LONGEST_LINE,
    )
    started(process)
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    complaining = asyncio.ensure_future(process.stderr.read())
    process.stdin.write(request)
    process.stdin.write_eof()
    async for line in process.stdout:
        await tell(line)
    complaints = await complaining
    if await process.wait() <= 0:
        return
    server_app.log.warning("Grus: the ladder program failed: %s", complaints.decode(errors="replace")[-2000:])
    raise RuntimeError("the ladder program failed; see the log of the server")
