# Follows what cut loops and fits made from statement to statement, up to the part that failed.
import ast

from . import always_none, callbacks, calls, counted_whiles, coverage, lengths, things, unnamed_changes, uses
from .callbacks import TRAINERS
from .things import FORM, GROWN, LOST, NOTHING, UNRUN, VALUE
from .units import DEFINITIONS, definition_of

DIVIDING = (ast.Div, ast.FloorDiv, ast.Mod)
GIVEN_BATCHES = ("forward", "compute_loss")
# No names of Python's: all that is written on disk, and what is drawn or measured.
FILES, CHANCE, ROUNDS = "<files>", "<chance>", "<rounds>"


def level_of(units, made):
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


def is_untouched(unit, made, nodes):
    """Whether nothing that was cut before the outermost loop around the failure has a say in these."""
    flow = Flow(unit, made, {})
    return flow.pass_until_loop(unit.statements) and flow.is_untouched(nodes)


def _given(unit, name, made):
    """The level of what a library gives to a function of the notebook."""
    value = unit.values.get(name)
    step = unit.name in GIVEN_BATCHES or unit.name.endswith("_step")
    if step and isinstance(value, (list, tuple, dict)):
        parts = value.values() if isinstance(value, dict) else value
        return max([made.level_of(part) for part in parts], default=FORM)
    return made.level_of(value)


def _part_by_part(statement):
    """(name, what it gets) of several names that get parts of their own which read none of them: `at, done = 1, False`."""
    target = statement.targets[0] if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else None
    value = getattr(statement, "value", None)
    if not (isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts)):
        return []
    names = {part.id for part in target.elts if isinstance(part, ast.Name)}
    read = {part.id for part in ast.walk(value) if isinstance(part, ast.Name)}
    starred = any(isinstance(part, ast.Starred) for part in value.elts)
    return list(zip(target.elts, value.elts)) if len(names) == len(target.elts) and not (names & read or starred) else []


def divisors(parts):
    """Of a division, what it divides by: no other part has a say in whether that is zero."""
    (part, *others) = parts
    if isinstance(part, (ast.BinOp, ast.AugAssign)) and isinstance(part.op, DIVIDING) and not others:
        return [part.right if isinstance(part, ast.BinOp) else part.value]
    return parts


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
            if self.unit.holds_failure(statement):
                return max(reached, self._fail(statement))
            self._pass(statement)
            if uses.may_leave(statement):
                reached = max(reached, self._decided_by(uses.decisions_in([statement])))
        return NOTHING

    def _fail(self, statement):
        blocks = uses.blocks_of(statement)
        inner = [part for block in blocks for part in block if self.unit.holds_failure(part)]
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
            # In its first round nothing in it has run before.
            if self.made.ran.get((self.unit.place, statement.body[0].lineno)) != 1 or inner[0] not in statement.body:
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
        failing = self.unit.failing_in(parts)
        decisions = uses.decisions_in(parts)
        if failing is not None:
            parts, decisions = [failing.node], failing.decisions() + uses.decisions_in([failing.node])
        if isinstance(self.made.error, ZeroDivisionError) and called is None:
            parts = divisors(parts)
        call = None if called is None else calls.call_of(parts, called.name)
        bound = None if called is None or call is None else calls.bound(call, called.parameters)
        if called is not None and bound is not None:
            # It fails further in, for what is read there. Here it counts what is handed on.
            self.given = {name: self._handed(node) for name, node in bound.items()}
            for name in set(called.parameters) - set(bound):
                simple = isinstance(called.values.get(name), (*things.NUMBERS, type(None)))
                self.given[name] = FORM if self.taint and not simple else NOTHING
            return self._decided_by(decisions)
        if self.made.never_comes is not None:
            return self._decided_by([*decisions, *self.made.never_comes])
        read = self._read(parts, self.made.about_kind)
        level = max(VALUE if cut else NOTHING, read, self._decided_by(decisions))
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
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Lambda):
            for target in statement.targets:
                self.taint.pop(getattr(target, "id", None), None)
            return
        parts = _part_by_part(statement)
        for target, value in parts:
            part = ast.Assign([target], value)
            vars(part).update(vars(statement), targets=[target], value=value)
            self._pass(part)
        if parts:
            return
        cut = self._is_cut(statement)
        reads = max(self._read([statement]), VALUE if cut else NOTHING)
        sites = {site for site in self.own if self._holds(statement, site)}
        had_rounds = {line for _, line in self.own} | self.around
        touches = uses.touches(statement, self.unit.values, had_rounds, self._ran(statement))
        rounds = self._rounds(statement, sites)
        # What every round makes anew is after the last round what it would be after the whole loop.
        anew = {touch.name for touch in touches if touch.bound and not (touch.perhaps or touch.carried)}
        for touch in touches:
            if reads == NOTHING:
                if touch.bound and not touch.perhaps:
                    self.taint.pop(touch.name, None)
                continue
            held = self.unit.values.get(touch.name, self)
            if not touch.bound and things.is_immutable(held):
                continue
            if not touch.bound and self._stays(touch, held):
                self._taint(touch.name, VALUE)
                continue
            beside = rounds is not None and touch.line is not None and not any(touch.line in part for part in rounds)
            level = self._touched(touch, sites, anew) if cut and not beside else LOST if touch.perhaps else VALUE
            level = max(level, reads)
            level = max(level, FORM if held is self else self._level_of(touch.name, held))
            if isinstance(statement, ast.Assign) and touch.bound and not touch.perhaps:
                self.taint.pop(touch.name, None)
            of_rounds = cut and not beside and level in (FORM, UNRUN) and not self._is_fixed(touch, held, sites)
            self._taint(touch.name, max(level, self.made.of_sizes) if of_rounds else level)
        if cut:
            self._taint(FILES, VALUE)
            self._taint(CHANCE, VALUE)
        for library, owner in self._libraries(statement) if cut else ():
            for name, level in callbacks.touched(self.unit.values, library, owner, self.made.level_of):
                kept = id(self.unit.values.get(name)) in self.made.kept
                self._taint(name, VALUE if kept else level)

    def _stays(self, touch, held):
        """Whether it is the same kind of thing afterwards, as far as the exception goes."""
        return id(held) in self.made.kept or (not touch.replaced and things.keeps_form(held))

    def _is_fixed(self, touch, held, sites):
        """Whether rounds that ran have only used it, and left its form and size alone."""
        used = not (touch.bound or touch.structural or touch.keyed or touch.replaced)
        return used and things.is_trained(held) and self.made.is_stable(touch.name, sites)

    def _level_of(self, name, held):
        unit = self.unit
        if held is None and always_none.is_bound_to_none(name, unit.statements, unit.values, definition_of):
            return VALUE
        return self.made.level_of(held)

    def _rounds(self, statement, sites):
        """Lines of the loops in a statement that were cut; None where they are not known. What stands beside them, in a loop
        that was not, is done as often as in the whole run."""
        loops = [part for part in ast.walk(statement) if isinstance(part, (ast.For, ast.While))]
        found = {
            loop: site
            for loop in loops
            for site in sites
            if (loop.iter if isinstance(loop, ast.For) else loop).lineno == site[1]
        }
        whole = [loop for loop in loops if loop not in found]
        if any(isinstance(loop, ast.While) or uses.may_skip(loop) for loop in whole):
            # What training computes may decide how often these go round.
            return None
        if sites & self.made.ended or set(found.values()) != sites:
            return None
        cut = list(found)
        if self.in_functions:
            if self.made.ended - self.own:
                return None
            for part in (part for part in ast.walk(statement) if isinstance(part, ast.stmt)):
                own = uses.heads_of(part) if uses.blocks_of(part) else [part]
                cut += [part for node in own if uses.calls_notebook(node, self.unit.values)]
        return [range(part.lineno, (part.end_lineno or part.lineno) + 1) for part in cut]

    def _touched(self, touch, sites, anew):
        """What a statement that was cut decides about a name."""
        if not touch.ran:
            return UNRUN
        if sites & self.made.ended or (self.in_functions and self.made.ended - self.own):
            # Nobody knows how it would have ended.
            held = self.unit.values.get(touch.name)
            stable = type(held) in (float, bool) or (things.keeps_form(held) and self.made.is_stable(touch.name, sites))
            return VALUE if stable else UNRUN if self._is_fixed(touch, held, sites) else GROWN
        if id(self.unit.values.get(touch.name)) in self.made.settled and not touch.bound:
            return VALUE
        if touch.keyed:
            return self.made.of_keys
        if touch.perhaps and (touch.structural or touch.carried):
            # Copies may have gone through that branch as often as each other, and not as often as the whole run.
            return LOST if touch.carried and self.made.of_sizes != FORM else FORM
        if touch.name in anew and not (touch.perhaps or touch.carried or touch.structural):
            return VALUE
        if self.made.is_stable(touch.name, sites):
            return VALUE
        seen = any(touch.name in self.made.stable.get(site, ()) for site in sites)
        return FORM if seen or touch.perhaps or touch.carried or touch.structural else VALUE

    def _ran(self, statement):
        place = getattr(statement, "earlier_cell", self.unit.place)

        def ran(block):
            site = (place, block[0].lineno)
            if site not in self.made.ran and coverage.may_change(block):
                self.made.unrun.add(site)
            return site in self.made.ran

        return ran

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

    def _files_read(self, node):
        """The level of the files that this looks at."""
        cell = getattr(node, "earlier_cell", self.unit.place)
        return max(
            [
                self.made.level_of_files(paths)
                for (place, line), paths in self.made.file_checks.items()
                if place == cell and node.lineno <= line <= node.end_lineno
            ],
            default=NOTHING,
        )

    def pass_until_loop(self, statements):
        """Whether a loop is around the failure: now it is known what comes before it."""
        for statement in statements:
            if self.unit.holds_failure(statement):
                return isinstance(statement, ast.For) or (
                    isinstance(statement, ast.With) and self.pass_until_loop(statement.body)
                )
            self._pass(statement)
        return False

    def is_untouched(self, nodes):
        return self._read(nodes, lengths_alone=False) == NOTHING

    def _is_untouched(self, node):
        return self.is_untouched([node])

    def _read(self, nodes, whole=False, lengths_alone=True):
        """`whole`: it does not matter what is taken out of objects; `lengths_alone`: nor what is in those of which only a
        settled length is asked."""
        highest = NOTHING
        if CHANCE in self.taint and unnamed_changes.by_chance(nodes, self.unit.values):
            highest, self.name = VALUE, CHANCE
        files = max([self._files_read(node) for node in nodes], default=NOTHING) if FILES in self.taint else NOTHING
        if files > highest:
            highest, self.name = files, FILES
        reached = {
            level: things.reach([self.unit.values.get(name) for name, found in self.taint.items() if found == level])
            for level in (LOST, GROWN, UNRUN, FORM)
        }
        settled = uses.settled_in(nodes, self.unit.values, self.made.stored) | uses.own_of_comprehensions(nodes)
        if lengths_alone:
            settled |= lengths.settled_in(nodes, self.unit.statements, self._is_untouched)
            settled |= lengths.known_in(nodes, self.unit.values, self.made.settled)
        for name in sorted(uses.names_read(nodes, self.unit.values, settled)):
            level = self.taint.get(name, NOTHING)
            if any(reached.values()):
                held = things.reach([self.unit.values.get(name)])
                level = max([level, *(found for found, things in reached.items() if things & held)])
            if level == VALUE and not whole and unnamed_changes.spills(nodes, name, self.unit.values):
                level = self.made.of_parts
            if level > highest:
                highest, self.name = level, name
        return highest
