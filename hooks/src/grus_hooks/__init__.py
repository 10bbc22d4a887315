"""Records a training run as JSON lines that ``grus watch`` and ``grus diagnose`` read.

The callbacks are loaded on first use, so that importing this package imports no framework.
"""

from __future__ import annotations

import importlib

__version__ = "0.1.0"
__all__ = ["GrusCallback", "GrusKeras", "GrusLightning", "watch"]

_homes = {
    "watch": ".plain",
    "GrusCallback": ".hugging_face",
    "GrusLightning": ".lightning_callback",
    "GrusKeras": ".keras_callback",
}


def __getattr__(name):
    if name not in _homes:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_homes[name], __name__), name)
