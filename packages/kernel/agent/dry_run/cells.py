# Runs cells in the copy the way the kernel would, inside a running event loop, and tells how each ended: the
# exception as the kernel would report it, the line of the cell, and what the exception was chained to.
import asyncio
import sys
import time

from ..isolation.quiet import NoVerdict
from ..protocol import reasons

MESSAGE_LIMIT = 2_000
CHAIN_LIMIT = 5
# Names under which IPython compiles what `%time` runs.
TIMED = ("<timed exec>", "<timed eval>")


def fresh_loop():
    """The old loop is shared with the kernel: it is left alone, never closed, and a new one is made."""
    asyncio.events._set_running_loop(None)
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    return loop


def run_cells(shell, sources, errors, between):
    """Run the cells one after the other until one does not finish; `between(index, told)` hears of each."""

    async def all_of_them():
        for index, source in enumerate(sources):
            told = await _run(shell, source, errors)
            between(index, told)
            if told["status"] != "finished":
                return

    fresh_loop().run_until_complete(all_of_them())


async def _run(shell, source, errors):
    errors.shown.clear()
    started = time.perf_counter()
    told: dict
    try:
        result = await _execute(shell, source)
        error = result.error_before_exec if result.error_before_exec is not None else result.error_in_exec
        told = _ended(error, errors, shell, source)
    except NoVerdict as ended:
        told = _no_verdict(ended.reason)
    except (SystemExit, KeyboardInterrupt) as ended:
        told = _deliberate(ended)
    except BaseException as error:
        told = _no_verdict(reasons.cannot_be_run(_name(error)))
    told["cell_ms"] = round((time.perf_counter() - started) * 1000, 2)
    return told


async def _execute(shell, source):
    problem = None
    try:
        transformed = shell.transform_cell(source)
    except Exception:
        transformed, problem = source, sys.exc_info()
    if shell.should_run_async(source, transformed_cell=transformed, preprocessing_exc_tuple=problem):
        result = await shell.run_cell_async(
            source, store_history=True, silent=False, transformed_cell=transformed, preprocessing_exc_tuple=problem
        )
        shell.events.trigger("post_execute")
        shell.events.trigger("post_run_cell", result)
        return result
    return shell.run_cell(source, store_history=True, silent=False)


def _ended(error, errors, shell, source):
    if isinstance(error, NoVerdict):
        return _no_verdict(error.reason)
    if isinstance(error, (SystemExit, KeyboardInterrupt)):
        return _deliberate(error)
    if error is not None:
        return describe(error, shell, source)
    hidden = [shown for shown in errors.shown if isinstance(shown, NoVerdict)]
    if hidden:
        return _no_verdict(hidden[0].reason)
    if errors.shown:
        return _no_verdict(reasons.shown_and_went_on(_name(errors.shown[0])))
    return {"status": "finished"}


def _deliberate(error):
    return _no_verdict(reasons.ends_itself(_name(error)))


def _no_verdict(reason):
    return {"status": "no-verdict", "reason": reason}


def describe(error, shell, source):
    lines = cell_lines(error, source)
    return {
        "status": "raised",
        "type": _name(error),
        "message": message_of(error),
        "line": lines[-1] if lines else None,
        "call_line": lines[0] if lines else None,
        "inside": inside_of(error, shell),
        "chain": [{"type": _name(link), "message": message_of(link)} for link in chain_of(error)],
        "error": error,
    }


def _name(error):
    return type(error).__name__


def message_of(error):
    try:
        # A text of the cell's own class may say that its beginning is everything.
        return str.__getitem__(str(error), slice(MESSAGE_LIMIT))
    except Exception:
        return ""


def chain_of(error):
    """What the exception was raised from or while handling, nearest first."""
    links, seen = [], {id(error)}
    while len(links) < CHAIN_LIMIT:
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        if error is None or id(error) in seen:
            return links
        seen.add(id(error))
        links.append(error)
    return links


def cell_lines(error, source):
    """Lines of the cell's own frames, outermost first."""
    files = _files_of_this_cell(error)
    if isinstance(error, SyntaxError) and not files:
        return [error.lineno + _blank_lines(source)] if error.lineno else []
    lines = []
    for name, _, line in _frames(error):
        if name in files:
            lines.append(line + _blank_lines(source))
        elif _is_cell_magic(source) and (name in TIMED or name.startswith("<magic-timeit")):
            # What `%%time` runs counts its own lines; what `%time` runs is on the line of the magic.
            lines.append(line + _blank_lines(source) + 1)
    return lines


def inside_of(error, shell):
    """The innermost line of another cell, when the exception went through a function that it defines."""
    own = _files_of_this_cell(error)
    counts = getattr(shell.compile, "_filename_map", {})
    for name, function, line in reversed(_frames(error)):
        if name in own:
            return None
        if name in counts or "ipykernel_" in name:
            return {"function": function, "line": line, "cell": counts.get(name)}
    return None


def _frames(error):
    step, found = error.__traceback__, []
    while step is not None:
        code = step.tb_frame.f_code
        found.append((code.co_filename, code.co_name, step.tb_lineno))
        step = step.tb_next
    return [frame for frame in found if not frame[0].startswith("<grus")]


def _files_of_this_cell(error):
    """The name that IPython compiled the cell under: that of the outermost frame at module level of a cell."""
    for name, code, _ in _frames(error):
        of_module = code == "<module>" or code.startswith("<cell line")
        if of_module and ("ipykernel_" in name or name.startswith("<ipython-input")):
            return {name}
    return set()


def _blank_lines(source):
    """IPython drops empty lines at the top before it counts."""
    return next((count for count, line in enumerate(source.split("\n")) if line.strip()), 0)


def _is_cell_magic(source):
    return source.lstrip().startswith("%%")
