# Whether an exception in a copy whose loops were cut short would come in the whole run too. Follows what the cut loops
# and fits produced from statement to statement: a failing statement that reads none of it is certain; one that reads
# only values whose form the loops do not change can still fail for its form; everything else proves nothing.
import ast
import linecache
import re
import threading

from . import uses
from .uses import FORM, NOTHING, VALUE

# Errors about what things are, not about the values that they hold.
ABOUT_FORM = frozenset("TypeError AttributeError NameError ImportError ModuleNotFoundError NotFittedError".split())
FORM_IN_WORDS = re.compile(
    r"has \d+ features|shapes? cannot be multiplied|size of tensor|must match|expected .*(size|dim|shape|dtype|scalar type|channels|"
    r"input|hidden|batch)|same dtype|dtype|invalid for input of size|dimension out of range|sizes of tensors",
    re.IGNORECASE,
)
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Unit:
    """A piece of the notebook's code that was on the way to the exception: a cell's own level, or one function."""

    def __init__(self, statements, place, line, values, parameters=()):
        self.statements = statements
        self.parameters = parameters
        self.place = place
        self.line = line
        self.values = values


def doubt(error, clipper, sources, index, effects):
    """Why the exception may come from the cutting; None when it would come without it too."""
    cuts = clipper.cuts.told()
    if clipper.cuts.slept and (threading.active_count() > 1 or not about_form(error)):
        return "sleep was cut short before it, and something may not have been waited for"
    if not cuts:
        return None
    if clipper.cuts.inside is error:
        return "it was raised by a fit that was cut short"
    what = "loops and fits were cut short before it (%s)" % summary(cuts)
    if isinstance(error, OSError) or effects.of_kind("change", "process"):
        return what + ", and it may depend on files that they write"
    units = _units(error, clipper, sources, index)
    if units is None:
        return what + ", and it is not known what it depends on"
    level, name = _level(units, cuts)
    if level == NOTHING or (level == VALUE and about_form(error)):
        return None
    return "%s, and it depends on what they produced (%s)" % (what, name)


def summary(cuts):
    return ", ".join("line %d: %s %d of %d" % (cut["line"], cut["what"], cut["done"], cut["of"]) for cut in cuts[:4])


def about_form(error):
    if type(error).__name__ in ABOUT_FORM:
        return True
    return type(error) in (RuntimeError, ValueError) and FORM_IN_WORDS.search(str(error)) is not None


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
        place = texts.index(text) if text in texts else code.co_filename
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
        units.append(Unit(function.body, place, line, {**frame.f_globals, **frame.f_locals}, parameters))
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
    found = None
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == name:
            if node.lineno <= line <= node.end_lineno and (found is None or node.lineno >= found.lineno):
                found = node
    return found


def _level(units, cuts):
    taint, highest, entry = {}, (NOTHING, ""), NOTHING
    for unit in units:
        known = dict(taint)
        if entry != NOTHING:
            known.update({name: max(entry, known.get(name, NOTHING)) for name in unit.parameters})
        flow = Flow(unit, {(cut["place"], cut["line"]) for cut in cuts}, known)
        entry = flow.until(unit.statements)
        taint = flow.taint
        highest = max(highest, (entry, flow.name))
    return highest


class Flow:
    """Walks statements in order; `taint` says of names how far cut loops and fits decided about them."""

    def __init__(self, unit, sites, taint):
        self.unit = unit
        self.own = {site for site in sites if any(self._holds(statement, site) for statement in self._run())}
        # Cuts inside functions: any call of the notebook's own code may be the one that was cut.
        self.in_functions = bool(sites - self.own)
        self.taint = taint
        self.name = ""

    def _run(self):
        return [statement for statement in self.unit.statements if not isinstance(statement, DEFINITIONS)]

    def _holds(self, statement, site):
        place, line = site
        cell = getattr(statement, "earlier_cell", self.unit.place)
        return cell == place and statement.lineno <= line <= statement.end_lineno

    def until(self, statements):
        """The level of what the failing statement reads; NOTHING when it is not among these."""
        for statement in statements:
            if self._holds_failure(statement):
                return self._fail(statement)
            self._pass(statement)
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
            cut = VALUE if self._is_cut(statement) else NOTHING
            return max(cut, self._read(uses.heads_of(statement) if blocks else [statement]))
        conditions = self._read(uses.heads_of(statement))
        if isinstance(statement, (ast.For, ast.AsyncFor, ast.While)):
            if self._is_cut(statement) and uses.leaves_early(statement):
                self.name = "whether the loop comes this far"
                return FORM
            self._pass(statement)
        for block in blocks:
            if any(part in inner for part in block):
                return max(conditions, self.until(block))
        return FORM

    def _pass(self, statement):
        if isinstance(statement, (*DEFINITIONS, ast.Import, ast.ImportFrom)):
            return
        reads = max(self._read([statement]), VALUE if self._is_cut(statement) else NOTHING)
        for touch in uses.touches(statement, self.unit.values):
            if reads == NOTHING:
                if touch.bound and not touch.perhaps:
                    self.taint.pop(touch.name, None)
                continue
            level = FORM if touch.perhaps or reads == FORM or touch.carried else VALUE
            if level == VALUE:
                level = uses.level_of(self.unit.values.get(touch.name))
            self.taint[touch.name] = max(level, self.taint.get(touch.name, NOTHING))

    def _is_cut(self, statement):
        if any(self._holds(statement, site) for site in self.own):
            return True
        return self.in_functions and uses.calls_notebook(statement, self.unit.values)

    def _read(self, nodes):
        highest = NOTHING
        reached = uses.reach([self.unit.values.get(name) for name, level in self.taint.items() if level == FORM])
        for name in uses.names_read(nodes, self.unit.values):
            level = self.taint.get(name, NOTHING)
            if level != FORM and reached and reached & uses.reach([self.unit.values.get(name)]):
                level = FORM
            if level > highest:
                highest, self.name = level, name
        return highest
