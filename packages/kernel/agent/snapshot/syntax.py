# Whether the cell compiles in this very Python, after IPython's own transformation of magics. Compiling may warn about
# escapes; an `ignore` entry is put in front of the filters for that moment, without telling `warnings`, because its
# own context manager would make warnings appear again that the user has seen already.
import sys

from ..objects import cell_text
from ..protocol import reasons

ALLOW_TOP_LEVEL_AWAIT = 0x2000


def probe(source, shell, ms):
    if cell_text.is_too_long(source, ms):
        return {"status": "unknown", "reason": reasons.cell_too_long()}
    transformed, is_automagic = source, False
    if shell is not None:
        try:
            transformed, is_automagic = cell_text.python_of(source, shell)
        except cell_text.OwnReading:
            return {"status": "unknown", "reason": reasons.own_transformers()}
        except SyntaxError as error:
            return _failure(error)
    flags = shell.compile.flags if shell is not None and type(getattr(shell.compile, "flags", None)) is int else 0
    filters = sys.modules["warnings"].filters if "warnings" in sys.modules else None
    entry = ("ignore", None, Warning, None, 0)
    if type(filters) is list:
        filters.insert(0, entry)
    try:
        compile(transformed, "<cell>", "exec", flags | ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    except SyntaxError as error:
        return _failure(error)
    except (ValueError, RecursionError, OverflowError, MemoryError) as error:
        return {"status": "unknown", "reason": reasons.asking_failed(type(error).__name__)}
    finally:
        if type(filters) is list and filters and filters[0] is entry:
            del filters[0]
    return {"status": "ok", "automagic": is_automagic}


def _failure(error):
    return {
        "status": "error",
        "type": type(error).__name__,
        "message": str(error.msg),
        "line": error.lineno if type(error.lineno) is int else None,
        "column": error.offset if type(error.offset) is int else None,
        "text": error.text[:400] if type(error.text) is str else None,
    }
