# Whether an exception in a copy whose loops were cut short would come in the whole run too. Follows what the cut loops
# and fits produced from statement to statement: a failing statement that reads none of it is certain; one that reads
# only values whose form the loops do not change can still fail for its form; everything else proves nothing.
import ast
import linecache
import re
import threading

from ..protocol import reasons
from . import callbacks, counted_whiles, unnamed_changes, uses
from .uses import FORM, NOTHING, VALUE

# Errors about what things are, not about the values that they hold.
ABOUT_FORM = frozenset("TypeError AttributeError NameError ImportError ModuleNotFoundError NotFittedError".split())
SAID_IN_WORDS = frozenset("RuntimeError ValueError LightGBMError XGBoostError".split())
FORM_IN_WORDS = re.compile(
    r"has \d+ features|shapes? cannot be multiplied|size of tensor|must match|"
    r"expected .*(size|dim|shape|dtype|scalar type|channels|input|hidden|batch)|same dtype|dtype|"
    r"invalid for input of size|dimension out of range|sizes of tensors|number of features in data|"
    r"feature.{0,7} mismatch|size mismatch for|requires grad",
    re.IGNORECASE,
)
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
    if clipper.cuts.slept and (threading.active_count() > 1 or not about_form(error)):
        return reasons.sleep_cut()
    if not cuts:
        return None
    inside = clipper.cuts.inside is error
    if inside and not (about_form(error) and any(library in TRAINERS for library, _ in clipper.cuts.libraries.values())):
        return reasons.fit_cut()
    if isinstance(error, OSError) or effects.of_kind("process"):
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
    made = Made(clipper.cuts, _kept(error, names), _file_checks(clipper, texts), type(error).__name__ in ABOUT_FORM)
    level, name = _level(units, made)
    if level == NOTHING or (level == VALUE and about_form(error)):
        return None
    return reasons.cut_produced(cuts, name)


def about_form(error):
    if "NoneType" in str(error):
        # Something that perhaps only later rounds would have made.
        return False
    if type(error).__name__ in ABOUT_FORM:
        return True
    return type(error).__name__ in SAID_IN_WORDS and FORM_IN_WORDS.search(str(error)) is not None


def _kept(error, values):
    """Objects whose part in this exception is the same after any number of rounds: (identities)."""
    kept = set()
    told = re.search(r"is expecting (\d+) features", str(error))
    for value in list(values.values()):
        if told and uses.is_search(value) and getattr(value, "n_features_in_", None) == int(told.group(1)):
            kept.add(id(value))
    owner, name = getattr(error, "obj", None), getattr(error, "name", None)
    if type(error) is AttributeError and owner is not None and not hasattr(type(owner), str(name)):
        of_notebook = any(base.__module__ == "__main__" for base in type(owner).__mro__)
        if uses.is_search(owner) or (of_notebook and not uses.may_store(values, name)):
            kept.add(id(owner))
    return kept


def _file_checks(clipper, texts):
    """(place, line) of the code that looked at files which the copy changed, or which are not there."""
    return {(_place(name, texts), line) for name, line in clipper.file_checks.places}


def _place(name, texts):
    """The number of the cell that the code is of, or else its file."""
    text = "".join(linecache.getlines(name))
    return texts.index(text) if text in texts else name


class Made:
    """What was cut, for the question what it decided."""

    def __init__(self, cuts, kept, file_checks, about_kind):
        self.file_checks = file_checks
        # The error is about what something is, not about its size.
        self.about_kind = about_kind
        self.sites = set(cuts.made)
        self.libraries = cuts.libraries
        self.kept = kept

    def level_of(self, value):
        return VALUE if id(value) in self.kept else uses.level_of(value)


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
    taint, highest, entry, called_back = {}, (NOTHING, ""), NOTHING, False
    for unit in units:
        known = dict(taint)
        for name in unit.parameters if entry != NOTHING else ():
            own = _given(unit, name, made) if called_back else NOTHING
            known[name] = max(entry, own, known.get(name, NOTHING))
        flow = Flow(unit, made, known)
        entry = flow.until(unit.statements)
        taint, called_back = flow.taint, flow.calls_back
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

    def __init__(self, unit, made, taint):
        self.unit = unit
        self.made = made
        sites = made.sites
        self.own = {site for site in sites if any(self._holds(statement, site) for statement in self._run())}
        # Cuts inside functions: any call of the notebook's own code may be the one that was cut.
        self.in_functions = bool(sites - self.own)
        self.taint = taint
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
        if isinstance(statement, ast.Raise):
            # Somebody's own check, of something that need not be in the statement.
            return FORM
        if not inner:
            return self._fail_here(statement, uses.heads_of(statement) if blocks else [statement])
        heads = uses.heads_of(statement)
        decides = isinstance(statement, (ast.If, ast.While)) or type(statement).__name__ == "Match"
        conditions = self._decided_by(heads) if decides else self._read(heads)
        if isinstance(statement, (ast.For, ast.AsyncFor, ast.While)):
            if self._is_cut(statement) and uses.leaves_early(statement):
                self.name = ROUNDS
                return FORM
            self._pass(statement)
            if conditions == NOTHING:
                self._count(statement)
        for block in blocks:
            if any(part in inner for part in block):
                return max(conditions, self.until(block))
        return FORM

    def _fail_here(self, statement, parts):
        cut = self._is_cut(statement)
        read = self._read(parts, self.made.about_kind)
        level = max(VALUE if cut else NOTHING, read, self._decided_by(uses.decisions_in(parts)))
        if cut and any(library in TRAINERS for library, _ in self._libraries(statement)):
            self._pass(statement)
            self.calls_back = True
        return level

    def _decided_by(self, nodes):
        """Numbers are enough to take another path."""
        return NOTHING if self._read(nodes) == NOTHING else FORM

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
        for touch in uses.touches(statement, self.unit.values, {line for _, line in self.own}):
            if reads == NOTHING:
                if touch.bound and not touch.perhaps:
                    self.taint.pop(touch.name, None)
                continue
            level = FORM if touch.perhaps or reads == FORM or touch.carried else VALUE
            if level == VALUE:
                level = self.made.level_of(self.unit.values.get(touch.name))
            self._taint(touch.name, level)
        if cut:
            self._taint(FILES, FORM)
            self._taint(CHANCE, VALUE)
        for library, owner in self._libraries(statement) if cut else ():
            for name, level in callbacks.touched(self.unit.values, library, owner):
                kept = id(self.unit.values.get(name)) in self.made.kept
                self._taint(name, VALUE if kept else level)

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
            return FORM
        tainted = [name for name, level in self.taint.items() if level == FORM]
        reached = uses.reach([self.unit.values.get(name) for name in tainted])
        for name in sorted(uses.names_read(nodes, self.unit.values)):
            level = self.taint.get(name, NOTHING)
            if level != FORM and reached and reached & uses.reach([self.unit.values.get(name)]):
                level = FORM
            if level == VALUE and not whole and unnamed_changes.spills(nodes, name, self.unit.values.get(name)):
                level = FORM
            if level > highest:
                highest, self.name = level, name
        return highest
