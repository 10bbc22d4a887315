"""Runs the cells in front of the target statement by statement. What fails for want of the recorded data is left out, and
what it would have bound is made from the record where that says enough."""

import ast
import contextlib
import io
import signal
import sys

from . import agreement, files, objects, slices

# Seconds of processor time for a statement.
LONGEST = 6
FOR_IMPORTS = 60
# Files and folders that are made for one statement.
MOST_FILES = 3


class TooLong(BaseException):
    pass


def _too_long(*_):
    raise TooLong()


def replay(shell, cells, target, facts, kept, seconds=LONGEST):
    """What was made from the record, and the statements that failed, as (first line, error)."""
    whole = [statement for source in cells for statement in statements(shell, source)]
    facts = {name: fact for name, fact in facts.items() if isinstance(fact, dict) and name not in kept}
    named = texts_in(target)
    supplied, failed = supply(shell, facts, facts, named), []
    for index in slices.needed(whole, target, facts):
        error = run(shell, whole[index], seconds)
        for _ in range(MOST_FILES):
            if not (isinstance(error, FileNotFoundError) and files.fill(error.filename, facts)):
                break
            error = run(shell, whole[index], seconds)
        if error is not None:
            failed.append((whole[index].strip().split("\n")[0][:80], told(error)))
            supply(shell, names_bound(whole[index]), facts, named)
    supply(shell, facts, facts, named)
    return supplied, failed


def supply(shell, names, facts, named):
    """Make those of the names that are missing, or are not what the record says."""
    made = {}
    usual = objects.usual_length(facts)
    for name in names:
        fact = facts.get(name)
        if fact is None or name.startswith("__"):
            continue
        try:
            if name in shell.user_ns and agreement.agrees(shell.user_ns[name], fact):
                continue
            made[name] = objects.made_of(fact, len(name), named, usual)
        except objects.Unsaid:
            continue
        shell.user_ns[name] = made[name]
    return {name: type(value).__name__ for name, value in made.items()}


def statements(shell, source):
    """Each statement at the top level with its lines; magics and shell lines are left out."""
    lines = [line for line in source.split("\n") if not line.lstrip().startswith(("%", "!"))]
    text = "\n".join(lines)
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return [text]
    return ["\n".join(lines[_first(node) - 1 : node.end_lineno]) for node in tree.body]


def _first(node):
    return min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))])


def texts_in(source):
    with contextlib.suppress(SyntaxError):
        return {node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)}
    return set()


def names_bound(statement):
    with contextlib.suppress(SyntaxError):
        return sorted(
            {
                node.id
                for node in ast.walk(ast.parse(statement))
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
            }
        )
    return []


def told(error):
    return "%s: %s" % (type(error).__name__, str(error)[:120])


def run(shell, statement, seconds):
    """None, or the error that ended it."""
    if statement.lstrip().startswith(("import ", "from ")):
        seconds = FOR_IMPORTS
    before = signal.signal(signal.SIGPROF, _too_long)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    shown = shell.showtraceback
    shell.showtraceback = lambda *_, **__: None
    streams = sys.stdout, sys.stderr
    sys.stdout = sys.stderr = io.StringIO()
    try:
        result = shell.run_cell(statement, store_history=False, silent=True)
        return result.error_before_exec or result.error_in_exec
    except TooLong as error:
        return error
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
        sys.stdout, sys.stderr = streams
        shell.showtraceback = shown
