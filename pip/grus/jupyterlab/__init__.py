"""The server's part of Grus for JupyterLab: it reaches the rungs that need more than the browser has."""

from ..version import VERSION
from .handlers import add_handlers


def _jupyter_server_extension_points():  # pyright: ignore[reportUnusedFunction] (called by Jupyter)
    return [{"module": __name__}]


def _load_jupyter_server_extension(server_app):  # pyright: ignore[reportUnusedFunction] (called by Jupyter)
    add_handlers(server_app)
    server_app.log.info("Grus %s answers under grus/", VERSION)
