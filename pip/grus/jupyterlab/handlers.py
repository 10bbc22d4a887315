"""Two addresses: what the server can do for Grus, and the ladder for a cell or a notebook. The judgement is not here: the
handler runs a program with Node, hands it the request, and passes its answer on, line by line. Keys stay in the
environment of this server."""

import json

import tornado.web
from jupyter_server.base.handlers import APIHandler
from jupyter_server.utils import url_path_join

from .ladder_process import climb, guard_files, what_is_missing


class StatusHandler(APIHandler):
    @tornado.web.authenticated
    async def get(self):
        missing = what_is_missing(self.serverapp)
        self.finish(json.dumps({"available": missing == "", "missing": missing, "guard": guard_files()}))


class LadderHandler(APIHandler):
    running = None

    @tornado.web.authenticated
    async def post(self):
        missing = what_is_missing(self.serverapp)
        if missing:
            raise tornado.web.HTTPError(503, missing)
        await climb(self.serverapp, self.request.body, lambda process: setattr(self, "running", process), self.tell)

    async def tell(self, line):
        self.write(line)
        await self.flush()

    def on_connection_close(self):
        """Nobody waits for the answer any more."""
        if self.running is not None and self.running.returncode is None:
            self.running.kill()


def add_handlers(server_app):
    base = server_app.web_app.settings["base_url"]
    server_app.web_app.add_handlers(
        ".*$",
        [
            (url_path_join(base, "grus", "status"), StatusHandler),
            (url_path_join(base, "grus", "ladder"), LadderHandler),
        ],
    )
