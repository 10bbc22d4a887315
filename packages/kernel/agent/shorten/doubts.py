# Whether an exception in a copy whose loops were cut short would come in the whole run too. Follows what the cut loops
# and fits produced from statement to statement: a failing statement that reads none of it is certain. Where it reads their
# numbers, or things whose size or kind they decide about, it has to be tried again with others. What hangs on rounds that
# were left out proves nothing.
import ast
import linecache
import os
import threading

from ..protocol import reasons
from . import callbacks, calls, counted_whiles, coverage, unnamed_changes, uses
from .uses import FORM, LOST, NOTHING, VALUE

# Errors about what things are, not about the values that they hold.
ABOUT_KIND = (TypeError, AttributeError, NameError, ImportError)
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
# These go on in their own way when their rounds are cut, and call functions of the notebook with what they really made.
TRAINERS = ("lightning", "transformers")
GIVEN_BATCHES = ("forward", "compute_loss")
# No names of Python's: all that is written on disk, and what is drawn or measured.
FILES, CHANCE, ROUNDS = "<files>", "<chance>", "<rounds>"


class Unit:
    """A piece of the notebook's code that was on the way to the exception: a cell's own level, or one function."""

    def __init__(self, statements, place, line, values, parameters=(), name=None):
        self.statements = statements
        self.parameters = parameters
        self.name = name
        self.place = place
        self.line = line
        self.values = values


def doubt(error, clipper, sources, index, effects):
    """Why the exception may come from the cutting; None when it would come without it too."""
    cuts = clipper.cuts.told()
    if clipper.cuts.slept and (threading.active_count() > 1 or isinstance(error, OSError)):
        return reasons.sleep_cut()
    if not cuts:
        return None
    inside = clipper.cuts.inside is error
    if inside and not (
        isinstance(error, ABOUT_KIND) and any(library in TRAINERS for library, _ in clipper.cuts.libraries.values())
    ):
        return reasons.fit_cut()
    if effects.of_kind("process"):
        return reasons.cut_wrote_files(cuts)
    units = _units(error, clipper, sources, index)
    if units is None:
        return reasons.cut_not_followed(cuts)
    if inside and len(units) == 1:
        return reasons.fit_cut()
    names = clipper.shell.user_ns
    texts = [clipper.shell.transform_cell(source) for source in sources[: index + 1]]
    if isinstance(error, NameError) and unnamed_changes.binds_in_secret(texts, names):
        return reasons.cut_bound_names(cuts)
    made = Made(clipper, _kept(error, names), texts, error)
    if isinstance(error, OSError) and made.files:
        return reasons.cut_wrote_files(cuts)
    level, name = _level(units, made)
    if level == NOTHING or (level == VALUE and made.kept):
        return None
    # Trainers go on in their own way, and keep what their callbacks give them: no copy has all of that.
    if level == LOST or _is_of_values(error) or (level == FORM and (made.libraries or _is_of_rounds(error, cuts))):
        return reasons.cut_produced(cuts, name)
    return reasons.cut_values(cuts, name) if level == VALUE else reasons.cut_forms(cuts, name)


def _is_of_values(error):
    """Trained numbers may have what no numbers drawn at random have: a matrix that can be inverted, say."""
    return isinstance(error, ArithmeticError) or any(kind.__name__.endswith("LinAlgError") for kind in type(error).__mro__)


def _is_of_rounds(error, cuts):
    """Whether more rounds may take the reason away, whatever the copies tell: files, places in a list, keys that are no
    words, and a None that rounds of the notebook's own loops may replace."""
    if isinstance(error, (OSError, MemoryError, StopIteration, IndexError)):
        return True
    if isinstance(error, KeyError):
        return not (error.args and type(error.args[0]) is str)
    of_none = type(None).__name__ in str(error) or (isinstance(error, AttributeError) and getattr(error, "obj", 0) is None)
    return of_none and any(cut["what"] == "loop" for cut in cuts)


def _kept(error, values):
    """Objects whose part in this exception is the same after any number of rounds: (identities)."""
    owner, name = getattr(error, "obj", None), getattr(error, "name", None)
    if type(error) is not AttributeError or owner is None or hasattr(type(owner), str(name)):
        return set()
    return set() if uses.may_store(values, owner, name) else {id(owner)}


def _file_checks(clipper, texts):
    """(place, line) of the code that looked at files which the copy changed, or which are not there."""
    return {(_place(name, texts), line) for name, line in clipper.file_checks.places}


def _is_in_function(place, line, texts):
    """Code of earlier cells is cut in functions alone."""
    if not isinstance(place, int):
        return True
    functions = (node for node in ast.walk(ast.parse(texts[place])) if isinstance(node, (*DEFINITIONS, ast.Lambda)))
    return any(node.lineno <= line <= (node.end_lineno or 0) for node in functions)


def _place(name, texts):
    """The number of the cell that the code is of, or else its file."""
    text = "".join(linecache.getlines(name))
    return texts.index(text) if text in texts else name


class Made:
    """What was cut, for the question what it decided."""

    def __init__(self, clipper, kept, texts, error):
        cuts = clipper.cuts
        self.file_checks = _file_checks(clipper, texts)
        # The error is about what something is, not about its size. What is None now, later rounds may set.
        lacking = isinstance(error, AttributeError) and getattr(error, "obj", None) is not None
        self.about_kind = lacking or isinstance(error, (NameError, ImportError))
        # The level of what grows with the rounds: no experiment gives it the size of the whole run.
        self.of_sizes = FORM if isinstance(error, ABOUT_KIND) else LOST
        # And of what rounds add under keys and names: another round may add what is missing.
        self.of_keys = FORM if isinstance(error, TypeError) else LOST
        self.sites = set(cuts.made)
        self.in_functions = {(place, line) for place, line in self.sites if _is_in_function(place, line, texts)}
        self.libraries = cuts.libraries
        self.kept = kept
        self.ran = cuts.ran
        self.stable = cuts.stable
        self.irregular = cuts.irregular
        # Whether rounds that were left out may have changed what those that ran did not.
        self.open = any(map(coverage.may_change, self._untouched(texts)))
        # A loop that the exception ended has told nothing of its own changes: all of this copy count.
        changed = [note["what"].partition(" ")[2] for note in cuts.effects.notes if note["kind"] == "change"]
        kept = [path for path in changed if path not in clipper.file_checks.temporary and not os.path.isdir(path)]
        self.files = bool(kept) or self.open or bool(cuts.libraries)

    def _untouched(self, texts):
        """Branches that no round went through."""
        places = {place for place, _ in self.ran | self.sites}
        for place in places:
            text = texts[place] if isinstance(place, int) else "".join(linecache.getlines(place))
            lines = {line for found, line in self.sites if found == place}
            yield from coverage.untouched(ast.parse(text).body, place, self.ran, lines)

    def level_of(self, value):
        if id(value) in self.kept:
            return VALUE
        level = uses.level_of(value, self.irregular, LOST if self.open else VALUE)
        return LOST if level == FORM and self.open else level

    def is_stable(self, name, sites):
        """Whether the name was seen to keep its form in every one of these loops."""
        seen = [self.stable[site].get(name) for site in sites if site in self.stable]
        return bool(seen) and all(seen)


def _units(error, clipper, sources, index):
    """Outermost first: the cells of this copy up to the failing line, then the functions that it went through."""
    shell = clipper.shell
    texts = [shell.transform_cell(source) for source in sources[: index + 1]]
    units, step, cell_file = [], error.__traceback__, None
    while step is not None:
        frame, line, step = step.tb_frame, step.tb_lineno, step.tb_next
        code = frame.f_code
        text = "".join(linecache.getlines(code.co_filename))
        if frame.f_globals is not shell.user_ns:
            continue
        if not text:
            # Code that a magic compiled.
            return None
        place = _place(code.co_filename, texts)
        if cell_file is None:
            if code.co_name != "<module>" and not code.co_name.startswith("<cell line"):
                return None
            cell_file = code.co_filename
            units.append(Unit(_earlier(texts[:index]) + ast.parse(text).body, index, line, shell.user_ns))
            continue
        if code.co_name.startswith("<"):
            # A comprehension or a lambda: the statement around it is in the frame before.
            continue
        function = _function_at(ast.parse(text), code.co_name, line)
        if function is None:
            return None
        parameters = [argument.arg for argument in ast.walk(function.args) if isinstance(argument, ast.arg)]
        values = {**frame.f_globals, **frame.f_locals}
        units.append(Unit(function.body, place, line, values, parameters, function.name))
    return units or None


def _earlier(texts):
    """Statements of the cells that this copy ran before, each knowing its cell."""
    statements = []
    for number, text in enumerate(texts):
        for statement in ast.parse(text).body:
            statement.earlier_cell = number
            statements.append(statement)
    return statements


def _function_at(tree, name, line):
    """The innermost function of that name around the line."""
    functions = (node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)))
    around = [node for node in functions if node.name == name and node.lineno <= line <= (node.end_lineno or 0)]
    return max(around, key=lambda node: node.lineno, default=None)


def _level(units, made):
    taint, highest, entry, called_back, given = {}, (NOTHING, ""), NOTHING, False, None
    for number, unit in enumerate(units):
        known = {name: level for name, level in taint.items() if given is None or name not in unit.parameters}
        if given is not None:
            known.update(given)
        else:
            for name in unit.parameters if entry != NOTHING else ():
                own = _given(unit, name, made) if called_back else NOTHING
                known[name] = max(entry, own, known.get(name, NOTHING))
        flow = Flow(unit, made, known, units[number + 1] if number + 1 < len(units) else None)
        entry = flow.until(unit.statements)
        taint, called_back, given = flow.taint, flow.calls_back, flow.given
        highest = max(highest, (entry, flow.name))
    return highest


def _given(unit, name, made):
    """The level of what a library gives to a function of the notebook."""
    value = unit.values.get(name)
    step = unit.name in GIVEN_BATCHES or unit.name.endswith("_step")
    if step and isinstance(value, (list, tuple, dict)):
        parts = value.values() if isinstance(value, dict) else value
        return max([made.level_of(part) for part in parts], default=FORM)
    return made.level_of(value)


class Flow:
    """Walks statements in order; `taint` says of names how far cut loops and fits decided about them."""

    def __init__(self, unit, made, taint, called=None):
        self.unit = unit
        # The next function on the way to the exception, and the levels of what it is given, where that can be read off.
        self.called, self.given = called, None
        self.made = made
        sites = made.sites
        self.own = {site for site in sites if any(self._holds(statement, site) for statement in self._run())}
        # Cuts inside functions: any call of the notebook's own code may be the one that was cut.
        self.in_functions = bool(made.in_functions - self.own)
        self.taint = taint
        # Lines of the loops around the failing statement: they had rounds.
        self.around = set()
        self.name = ""
        self.calls_back = False

    def _run(self):
        return [statement for statement in self.unit.statements if not isinstance(statement, DEFINITIONS)]

    def _holds(self, statement, site):
        place, line = site
        cell = getattr(statement, "earlier_cell", self.unit.place)
        return cell == place and statement.lineno <= line <= statement.end_lineno

    def until(self, statements):
        """The level of what the failing statement reads; NOTHING when it is not among these."""
        reached = NOTHING
        for statement in statements:
            if self._holds_failure(statement):
                return max(reached, self._fail(statement))
            self._pass(statement)
            if uses.may_leave(statement):
                reached = max(reached, self._decided_by(uses.decisions_in([statement])))
        return NOTHING

    def _holds_failure(self, node):
        if hasattr(node, "earlier_cell") or isinstance(node, DEFINITIONS):
            return False
        return node.lineno <= self.unit.line <= node.end_lineno

    def _fail(self, statement):
        blocks = uses.blocks_of(statement)
        inner = [part for block in blocks for part in block if self._holds_failure(part)]
        if isinstance(statement, (ast.Raise, ast.Assert)):
            # Somebody's own check, of something that need not be in the statement.
            return LOST
        if not inner:
            return self._fail_here(statement, uses.heads_of(statement) if blocks else [statement])
        heads = uses.heads_of(statement)
        decides = isinstance(statement, (ast.If, ast.While)) or type(statement).__name__ == "Match"
        conditions = self._decided_by(heads) if decides else self._read(heads)
        if isinstance(statement, (ast.For, ast.AsyncFor, ast.While)):
            if self._is_cut(statement) and uses.leaves_early(statement):
                self.name = ROUNDS
                return LOST
            self.around.add(statement.lineno)
            self._pass(statement)
            if conditions == NOTHING:
                self._count(statement)
        for block in blocks:
            if any(part in inner for part in block):
                return max(conditions, self.until(block))
        return LOST

    def _fail_here(self, statement, parts):
        cut = self._is_cut(statement)
        called = self.called
        call = None if called is None else calls.call_of(parts, called.name)
        bound = None if called is None or call is None else calls.bound(call, called.parameters)
        if called is not None and bound is not None:
            # It fails further in, for what is read there. Here it counts what is handed on.
            self.given = {name: self._handed(node) for name, node in bound.items()}
            for name in set(called.parameters) - set(bound):
                simple = isinstance(called.values.get(name), (*uses.NUMBERS, type(None)))
                self.given[name] = FORM if self.taint and not simple else NOTHING
            return self._decided_by(uses.decisions_in(parts))
        read = self._read(parts, self.made.about_kind)
        level = max(VALUE if cut else NOTHING, read, self._decided_by(uses.decisions_in(parts)))
        if cut and any(library in TRAINERS for library, _ in self._libraries(statement)):
            self._pass(statement)
            self.calls_back = True
        return level

    def _handed(self, node):
        makes = any(self._holds(node, site) for site in self.own)
        makes = makes or (self.in_functions and uses.calls_notebook(node, self.unit.values))
        return max(self._read([node]), FORM if makes else NOTHING)

    def _decided_by(self, nodes):
        """Numbers are enough to take another path."""
        return NOTHING if self._read(nodes) == NOTHING else LOST

    def _count(self, loop):
        """In a loop that ends with its last element, what counts the rounds has the values that it really takes."""
        found = counted_whiles.counted(loop) if isinstance(loop, ast.While) else None
        names = {found.name} if found is not None and found.exact else set()
        for name in names if isinstance(loop, ast.While) else uses.counters_of(loop, self.unit.values):
            self.taint.pop(name, None)

    def _pass(self, statement):
        if isinstance(statement, (*DEFINITIONS, ast.Import, ast.ImportFrom)):
            return
        cut = self._is_cut(statement)
        reads = max(self._read([statement]), VALUE if cut else NOTHING)
        sites = {site for site in self.own if self._holds(statement, site)}
        had_rounds = {line for _, line in self.own} | self.around
        touches = uses.touches(statement, self.unit.values, had_rounds, self._ran(statement))
        # What every round makes anew is after the last round what it would be after the whole loop.
        anew = {touch.name for touch in touches if touch.bound and not (touch.perhaps or touch.carried)}
        for touch in touches:
            if reads == NOTHING:
                if touch.bound and not touch.perhaps:
                    self.taint.pop(touch.name, None)
                continue
            if not touch.bound and type(self.unit.values.get(touch.name)) in uses.NUMBERS:
                continue
            level = self._touched(touch, sites, anew) if cut else LOST if touch.perhaps else VALUE
            level = max(level, reads)
            held = self.unit.values.get(touch.name, self)
            level = max(level, FORM if held is self else self.made.level_of(held))
            if isinstance(statement, ast.Assign) and touch.bound and not touch.perhaps:
                self.taint.pop(touch.name, None)
            self._taint(touch.name, self.made.of_sizes if cut and level == FORM else level)
        if cut:
            if self.made.files:
                self._taint(FILES, LOST)
            self._taint(CHANCE, VALUE)
        for library, owner in self._libraries(statement) if cut else ():
            for name, level in callbacks.touched(self.unit.values, library, owner, self.made.level_of):
                kept = id(self.unit.values.get(name)) in self.made.kept
                self._taint(name, VALUE if kept else level)

    def _touched(self, touch, sites, anew):
        """What a statement that was cut decides about a name."""
        if not touch.ran:
            return LOST
        if touch.keyed:
            return self.made.of_keys
        if touch.perhaps and (touch.structural or touch.carried):
            return FORM
        if touch.name in anew and not (touch.perhaps or touch.carried or touch.structural):
            return VALUE
        if self.made.is_stable(touch.name, sites):
            return VALUE
        seen = any(touch.name in self.made.stable.get(site, ()) for site in sites)
        return FORM if seen or touch.perhaps or touch.carried or touch.structural else VALUE

    def _ran(self, statement):
        place = getattr(statement, "earlier_cell", self.unit.place)
        return lambda block: (place, block[0].lineno) in self.made.ran

    def _taint(self, name, level):
        self.taint[name] = max(level, self.taint.get(name, NOTHING))

    def _libraries(self, statement):
        """Libraries whose calls were cut in this statement, and the objects of these calls."""
        for site, found in self.made.libraries.items():
            if site not in self.own or self._holds(statement, site):
                yield found

    def _is_cut(self, statement):
        if any(self._holds(statement, site) for site in self.own):
            return True
        return self.in_functions and uses.calls_notebook(statement, self.unit.values)

    def _file_checks(self, node):
        cell = getattr(node, "earlier_cell", self.unit.place)
        return any(place == cell and node.lineno <= line <= node.end_lineno for place, line in self.made.file_checks)

    def _read(self, nodes, whole=False):
        """`whole`: it does not matter what is taken out of objects."""
        highest = NOTHING
        if CHANCE in self.taint and unnamed_changes.by_chance(nodes, self.unit.values):
            highest, self.name = VALUE, CHANCE
        if FILES in self.taint and any(self._file_checks(node) for node in nodes):
            self.name = FILES
            return LOST
        reached = {
            level: uses.reach([self.unit.values.get(name) for name, found in self.taint.items() if found == level])
            for level in (LOST, FORM)
        }
        for name in sorted(uses.names_read(nodes, self.unit.values)):
            level = self.taint.get(name, NOTHING)
            if any(reached.values()):
                held = uses.reach([self.unit.values.get(name)])
                level = max([level, *(found for found, things in reached.items() if things & held)])
            if level == VALUE and not whole and unnamed_changes.spills(nodes, name, self.unit.values):
                level = self.made.of_sizes
            if level > highest:
                highest, self.name = level, name
        return highest
