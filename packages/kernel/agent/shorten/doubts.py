# Whether an exception in a copy whose loops were cut short would come in the whole run too. What the cut loops and fits
# produced is followed from statement to statement: a failing part that reads none of it is certain. Where it reads their
# numbers, or things whose size or kind they decide about, it has to be tried again with others. What hangs on rounds that
# were left out proves nothing.
import ast
import linecache
import os
import threading
from typing import Any

from ..protocol import reasons
from . import (
    always_none,
    coverage,
    missing_keys,
    never_run,
    scheduled,
    settled_parts,
    things,
    unnamed_changes,
    used_up,
    words,
)
from .callbacks import TRAINERS
from .codes import attributes_set, codes_in, may_store, names_in
from .failing_part import cut_behind, position_of, subscript_at
from .flow import is_untouched, level_of
from .numbered import COMPREHENSIONS, Numbered
from .things import FORM, GROWN, LOST, NOTHING, UNRUN, VALUE
from .units import DEFINITIONS, definition_of, place_of, steps_of, units_of

# Errors about what things are, not about the values that they hold.
ABOUT_KIND = (TypeError, AttributeError, NameError, ImportError)


def doubt(error, clipper, sources, index, effects):
    """Why the exception may come from the cutting; None when it would come without it too."""
    cuts = clipper.cuts.told()
    if clipper.cuts.slept and (threading.active_count() > 1 or isinstance(error, OSError)):
        return reasons.sleep_cut()
    if not cuts:
        return None
    inside = clipper.cuts.inside is error
    if inside and not any(library in TRAINERS for library, _ in clipper.cuts.libraries.values()):
        return reasons.fit_cut()
    if effects.of_kind("process"):
        return reasons.cut_wrote_files(cuts)
    texts = [clipper.shell.transform_cell(source) for source in sources[: index + 1]]
    idle = never_run.Idle(clipper.cuts, texts)
    units = units_of(error, clipper, texts, idle)
    if units is None:
        return reasons.cut_not_followed(cuts)
    if inside and (len(units) == 1 or not isinstance(error, ABOUT_KIND)):
        return _doubt_inside(error, clipper, texts, units, idle)
    if isinstance(error, StopIteration) and _failed(units[-1], used_up.is_used_up):
        return None
    names = clipper.shell.user_ns
    if isinstance(error, NameError) and unnamed_changes.binds_in_secret(texts, names):
        return reasons.cut_bound_names(cuts)
    made = Made(clipper, _kept(error, names, texts), texts, error, units, idle)
    if len(units) == 1:
        is_settled = _is_settled_none(error, units[0], clipper.cuts.parts, made)
        made.never_comes = [] if is_settled else _never_comes(error, units[0], made)
    moved_on = clipper.cuts.moved_on
    if scheduled.is_in_step(error, moved_on):
        refused = len(units) == 1 and scheduled.is_refused(
            error, units[0], moved_on, idle, lambda nodes: is_untouched(units[0], made, nodes)
        )
        return None if refused else reasons.cut_produced(cuts, "")
    if isinstance(error, OSError) and made.files and made.may_come(error):
        return reasons.cut_wrote_files(cuts)
    level, name = level_of(units, made)
    if made.open and _may_be_given(error, names):
        level, name = max((level, name), (UNRUN, type(getattr(error, "obj", None)).__name__))
    clipper.cuts.around = [site for site in made.sites if any(unit.is_within(site) for unit in units)]
    variation = clipper.cuts.variation
    if level in (UNRUN, GROWN) or variation is not None:
        clipper.cuts.unrun = made.unrun - (variation.ran if variation is not None else set())
    if level == NOTHING or (level == VALUE and made.kept):
        return None
    # Trainers go on in their own way, and keep what their callbacks give them: no copy has all of that.
    keeping = any(library != "sklearn" for library, _ in made.libraries.values())
    of_rounds = level in (FORM, UNRUN, GROWN) and (keeping or _is_of_rounds(error, cuts, units[-1]))
    of_sizes = level == GROWN or (level != VALUE and bool(made.libraries))
    if level == LOST or _is_of_values(error) or of_rounds or (of_sizes and _is_of_amounts(error)):
        return reasons.cut_produced(cuts, name)
    clipper.cuts.of_sizes = of_sizes
    return reasons.cut_values(cuts, name) if level == VALUE else reasons.cut_forms(cuts, name)


def _doubt_inside(error, clipper, texts, units, idle):
    """Of what a trainer raised by itself, after it had jumped: it has to come again in one that trains half as long, and
    with every branch of the notebook's code gone through, because more may be handed to it there."""
    of_word = type(error) is KeyError and bool(error.args) and type(error.args[0]) is str
    if len(units) > 1 or (_is_of_amounts(error) and not of_word):
        return reasons.fit_cut()
    made = Made(clipper, set(), texts, error, units, idle)
    level, name = level_of(units, made)
    if level == LOST or _is_of_rounds(error, [{"what": "loop"}], units[-1]):
        return reasons.fit_cut()
    variation = clipper.cuts.variation
    clipper.cuts.unrun = made.unrun - (variation.ran if variation is not None else set())
    clipper.cuts.of_sizes = True
    return reasons.cut_forms(clipper.cuts.told(), name)


def _is_of_values(error):
    """Trained numbers may have what no numbers drawn at random have: a matrix that can be inverted, say."""
    return isinstance(error, ArithmeticError) or any(kind.__name__.endswith("LinAlgError") for kind in type(error).__mro__)


def _is_of_amounts(error):
    """Whether it may say that there is not enough of something yet, in words that are the same for every amount: a refused
    value does where no number is told."""
    kinds = (LookupError, OSError, MemoryError, StopIteration, AssertionError, NameError, RecursionError)
    untold = isinstance(error, ValueError) and not any(map(str.isdigit, str(error)))
    return isinstance(error, kinds) or untold or _is_of_values(error)


def _is_of_rounds(error, cuts, unit):
    """Whether more rounds may take the reason away, whatever the copies tell: files, places in a list, keys that are no
    words, and a None that rounds of the notebook's own loops may replace. `unit`: the code that failed."""
    if isinstance(error, (OSError, MemoryError, StopIteration, IndexError)):
        return True
    if isinstance(error, KeyError):
        return not (error.args and type(error.args[0]) is str)
    # One that a library raises by itself says nothing of its object.
    named = isinstance(error, AttributeError) and getattr(error, "name", None) is not None
    of_none = type(None).__name__ in str(error) or (named and getattr(error, "obj", 0) is None)
    return of_none and any(cut["what"] == "loop" for cut in cuts) and not _is_certainly_none(unit)


def _never_comes(error, unit, made):
    """What decides which key a table was asked for that no round puts into it; None where one may."""
    if type(error) is not KeyError or len(error.args) != 1:
        return None
    *_, step = steps_of(error)
    failing = [statement for statement in unit.statements if unit.holds_failure(statement)]
    asked = subscript_at(failing, position_of(step)) if step.tb_frame.f_globals is made.names else None
    if asked is None:
        return None
    (key,) = error.args
    if missing_keys.is_never_stored(asked, key, unit.statements, unit.values, made.numbered(unit.statements)):
        return [_in_its_comprehensions(asked, failing)]
    libraries = {library for library, _ in made.libraries.values()}
    plain = type(key) is str and getattr(asked.slice, "value", None) == key
    return [] if plain and made.words().never_has(key, libraries) else None


def _is_settled_none(error, unit, trainers, made):
    """Whether a trainer was asked for what its settings leave out, and more was asked of the None that it gave."""
    failing = unit.failing_in([statement for statement in unit.statements if unit.holds_failure(statement)])
    asked = getattr(failing.node, "value", None) if failing is not None else None
    if type(error) is not AttributeError or error.obj is not None or not isinstance(asked, ast.Attribute):
        return False
    owner, before = trainers.get(id(unit.values.get(getattr(asked.value, "id", None))), (None, {}))
    names = settled_parts.attributes_behind(owner, asked.attr) if owner is not None else None
    if not names or not settled_parts.are_same(before, owner, names):
        return False
    said = {name for code in codes_in(unit.values) for name in names_in(code)}
    return not names & said and not any(name in made.stored for name in names)


def _in_its_comprehensions(asked, statements):
    """The key that is asked for, with all that the comprehension around it goes through."""
    for part in (part for statement in statements for part in ast.walk(statement)):
        if isinstance(part, COMPREHENSIONS) and any(inner is asked for inner in ast.walk(part)):
            return ast.copy_location(ast.ListComp(asked.slice, part.generators), part)
    return asked.slice


def _first_missing(path):
    """The file, or the folder on the way to it that is not there."""
    above = os.path.dirname(path)
    return path if not above or os.path.isdir(above) else _first_missing(above)


def _goes_round(statement, unit):
    """Whether a loop is around the failure."""
    loops = [part for part in ast.walk(statement) if isinstance(part, (ast.For, ast.AsyncFor, ast.While))]
    return any(map(unit.holds_failure, loops))


def _is_certainly_none(unit):
    return _failed(
        unit, lambda node, statements, values: always_none.certainly_none(node, statements, values, definition_of)
    )


def _failed(unit, is_certain):
    """Whether the part that failed is known, and certain to: `is_certain(node, statements, values)`."""
    failing = unit.failing_in([statement for statement in unit.statements if unit.holds_failure(statement)])
    return failing is not None and is_certain(failing.node, unit.statements, unit.values)


def _may_be_given(error, values):
    """Whether code of the notebook sets the attribute that is missing: a branch that no round went through may."""
    owner = getattr(error, "obj", None)
    return type(error) is AttributeError and things.is_of_notebook(owner) and may_store(values, owner, error.name)


def _kept(error, values, texts):
    """Objects whose part in this exception is the same after any number of rounds: (identities)."""
    owner, name = getattr(error, "obj", None), getattr(error, "name", None)
    if type(error) is not AttributeError or owner is None or hasattr(type(owner), str(name)):
        return set()
    return set() if may_store(values, owner, name) or name in attributes_set(texts) else {id(owner)}


def _is_in_function(place, line, texts):
    """Code of earlier cells is cut in functions alone."""
    if not isinstance(place, int):
        return True
    functions = (node for node in ast.walk(ast.parse(texts[place])) if isinstance(node, (*DEFINITIONS, ast.Lambda)))
    return any(node.lineno <= line <= (node.end_lineno or 0) for node in functions)


class Made:
    """What was cut, for the question what it decided."""

    def __init__(self, clipper, kept, texts, error, units, idle):
        cuts = clipper.cuts
        self.looks = clipper.file_checks
        self.looks.busy = True
        # (place, line) of the code that looked at files which the copy changed, or which are not there.
        self.file_checks = {(place_of(name, texts), line): found for (name, line), found in self.looks.places.items()}
        self.error = error
        # The error is about what something is, not about its size. What is None now, later rounds may set.
        lacking = isinstance(error, AttributeError) and getattr(error, "obj", None) is not None
        self.about_kind = lacking or isinstance(error, (NameError, ImportError))
        # The level of what grows with the rounds: no experiment gives it the size of the whole run.
        self.of_sizes = FORM if isinstance(error, ABOUT_KIND) else LOST if _is_of_amounts(error) else GROWN
        # Of what a library's object is made of: its words are there whatever its size.
        asks_word = isinstance(error, KeyError) and bool(error.args) and type(error.args[0]) is str
        self.of_parts = FORM if asks_word else self.of_sizes
        # And of what rounds add under keys and names: another round may add what is missing.
        self.of_keys = FORM if isinstance(error, TypeError) else LOST if isinstance(error, ABOUT_KIND) else self.of_sizes
        self.sites = set(cuts.made)
        # Loops of which no last round is known.
        self.ended = {site for site, notes in cuts.made.items() if any(note["of"] is None for note in notes.values())}
        self.units, self.idle, self.names, self.texts = units, idle, clipper.shell.user_ns, texts
        # Attributes that statements of the cells set.
        self.stored = attributes_set(texts)
        self.in_functions = {(place, line) for place, line in self.sites if _is_in_function(place, line, texts)}
        self.libraries = cuts.libraries
        # Of what is missing and comes in no round: what says which part was asked for.
        self.never_comes: Any = None
        self._words = None
        self.kept = kept
        self.ran = cuts.ran
        self.stable = cuts.stable
        self.irregular = cuts.irregular
        self.settled = {key for key in cuts.settled if key not in cuts.irregular}
        # (place, line) of the blocks in which rounds that were left out may have changed what those that ran did not.
        blocks = [(place, block) for place, block in self._untouched(texts) if coverage.may_change(block)]
        self.unrun = {(place, block[0].lineno) for place, block in blocks}
        self.open = bool(self.unrun)
        # Whether rounds may write files: all changes of this copy count.
        kept = [path for path in clipper.changed if path not in self.looks.temporary and not os.path.isdir(path)]
        written = [path for path in self.looks.openings if path not in self.looks.temporary]
        self.files = bool(kept or written) or self.open or bool(cuts.libraries)
        self.looks.are_same = isinstance(error, FileNotFoundError) and self._writes_the_same(written, texts)

    def _writes_the_same(self, written, texts):
        """Whether files are called the same in every round, and nothing that did not run may write others."""
        made_of = [found for path in written for found in self.looks.made_of.get(path, (None,))]
        if None in made_of or not all(self.idle.are_left(found, self.names) for found in made_of):
            return False
        return not any(coverage.may_change(block) for _, block in self._untouched(texts, everywhere=True)) and not any(
            map(coverage.may_call_another, self._parsed(texts))
        )

    def _parsed(self, texts):
        """All code of the notebook that may have run."""
        files = {place for place, _ in self.ran if not isinstance(place, int)}
        return [ast.parse(text) for text in [*texts, *("".join(linecache.getlines(name)) for name in files)]]

    def _untouched(self, texts, everywhere=False):
        """Branches that no round went through; `everywhere`: also beside the loops that were cut."""
        places = {place for place, _ in {*self.ran, *self.sites}} | set(range(len(texts)) if everywhere else ())
        for place in places:
            text = texts[place] if isinstance(place, int) else "".join(linecache.getlines(place))
            statements = ast.parse(text).body
            lines = {line for found, line in self.sites if found == place}
            lines |= {statement.lineno for statement in statements if everywhere and isinstance(place, int)}
            for line in [unit.line for unit in self.units if unit.place == place]:
                cut_behind(statements, line, coverage.times_of(place, self.ran))
            statements = self.idle.leave_out(statements, place, self.names)
            yield from ((place, block) for block in coverage.untouched(statements, place, self.ran, lines))

    def words(self):
        """Those of all code but the statement of the cell that failed, if it had not run before."""
        if self._words is not None:
            return self._words
        unit, codes = self.units[0], codes_in(self.names)
        nodes = [one for one in unit.statements if not unit.holds_failure(one) or _goes_round(one, unit)]
        others = {"".join(linecache.getlines(name)) for name in {code.co_filename for code in codes}} - set(self.texts)
        nodes += map(ast.parse, others)
        self._words = words.Words(nodes, self.names, self.numbered(nodes))
        return self._words

    def numbered(self, nodes):
        return Numbered(nodes, self.names, lambda name: self.idle.are_left([name], self.names))

    def level_of_files(self, paths):
        unseen = self.open or bool(self.libraries)
        missing = getattr(self.error, "filename", None) if isinstance(self.error, FileNotFoundError) else None
        if isinstance(missing, (str, bytes)):
            # Those that are there were no reason.
            whole = os.path.realpath(os.fsdecode(missing))
            paths = [whole] if whole in paths else paths
            if paths == [whole] and not self.may_come(self.error):
                return NOTHING
        level = max(self._level_of_file(path, unseen) for path in paths)
        return GROWN if level == FORM and self.open else level

    def _level_of_file(self, path, unseen):
        level = self.looks.level_of(path, self.error, self.files, unseen)
        # One that is not there, and that the error does not speak of, may have decided about more than whether it comes.
        told = isinstance(self.error, OSError) or os.path.basename(path) in str(self.error)
        return level if level != LOST or told else GROWN

    def may_come(self, error):
        """Whether rounds that were left out may make the file that is missing."""
        path = getattr(error, "filename", None)
        if not isinstance(error, FileNotFoundError) or not isinstance(path, (str, bytes)):
            return True
        # No file is called nothing.
        if not path or (not self.libraries and self.words().never_writes(_first_missing(os.fsdecode(path)))):
            return False
        if self.libraries:
            return True
        return self.open or self.looks.may_come(os.path.realpath(os.fsdecode(path)))

    def level_of(self, value):
        if id(value) in self.kept:
            return VALUE
        level = things.level_of(value, self.irregular, UNRUN if self.open else VALUE, self.settled, self.of_keys)
        return UNRUN if level == FORM and self.open else level

    def is_stable(self, name, sites):
        """Whether the name was seen to keep its form in every one of these loops."""
        seen = [self.stable[site].get(name) for site in sites if site in self.stable]
        return bool(seen) and all(seen)
