# Rewrites the code of a second copy that hurries ahead of the first: its loops and fits go through functions that can cut
# them short. The cell is rewritten as it is compiled, functions of earlier cells where they stand.
import ast
import copy
import linecache
import sys
import types

from ..objects.callables import codes_within
from ..protocol import reasons
from . import counted_whiles, doubts, file_checks, fits, kinds, loops, never_run, open_whiles
from .counted_whiles import SCOPES
from .coverage import FUNCTIONS, RAN, mark_blocks, may_change
from .uses import leaves_early

LOOP, OPEN_LOOP, LIST, WHOLE = "__grus_loop__", "__grus_open_loop__", "__grus_list__", "__grus_whole__"
COUNT, COUNTED, CALL = "__grus_count__", "__grus_counted__", "__grus_call__"
FILL, NOT_ENDED = "__grus_fill__", "__grus_not_ended__"
GO_ON, OVER, TEST = "__grus_go_on__", "__grus_over__", "__grus_test__"
MAKERS = frozenset(("enumerate", "zip"))
FITS = frozenset(("fit", "fit_transform", "fit_predict", "train", "cv"))
VALIDATIONS = frozenset(("cross_val_score", "cross_validate", "learning_curve", "validation_curve"))
REWRITTEN = ("for ", "while ", "if ", *(".%s(" % name for name in FITS), *VALIDATIONS)
TOP_LEVEL_AWAIT = 0x2000


class Rewriter(ast.NodeTransformer):
    """Sites are named (`place`, line); `place` is the file of the code, or the number of the cell."""

    def __init__(self, place):
        self.place = place
        # The loops around a statement, in its own function, outermost first.
        self.around = []
        # The functions around it, outermost first.
        self.scopes = []

    def visit(self, node):
        is_loop, before = isinstance(node, (ast.For, ast.While)), (self.around, self.scopes)
        if is_loop or isinstance(node, SCOPES):
            self.around = [*self.around, copy.deepcopy(node)] if is_loop else []
        if isinstance(node, FUNCTIONS):
            self.scopes = [*self.scopes, copy.deepcopy(node)]
        made = super().visit(node)
        self.around, self.scopes = before
        return made

    def visit_For(self, node):
        function = OPEN_LOOP if leaves_early(node) else LOOP
        self.generic_visit(node)
        node.iter = self._rounds(function, node.iter)
        return node

    def generic_visit(self, node):
        super().generic_visit(node)
        mark_blocks(node, self.place)
        return node

    def visit_If(self, node):
        text = ast.unparse(node.test) if kinds.atoms_of(node.test) else None
        grown = kinds.grown_in([node.body, node.orelse])
        counted = kinds.counted_by(node.test, self.around) if text is not None and self.around else None
        settings = never_run.settings_of(node.test, self.around, self.scopes)
        changing = may_change([*node.body, *node.orelse])
        lines = tuple(block[0].lineno if block else None for block in (node.body, node.orelse))
        self.generic_visit(node)
        if text is not None or settings is not None or grown or changing:
            told = [ast.Constant(text), node.test, _constant(grown), _constant(counted), _constant(settings)]
            told.append(_constant(lines))
            node.test = self._through(TEST, node.test, told, [], node.lineno)
        return node

    def visit_ListComp(self, node):
        return self._collected(node)

    def visit_SetComp(self, node):
        return self._collected(node)

    def visit_DictComp(self, node):
        return self._collected(node)

    def _collected(self, node):
        """A list with one element for every round can be filled up; what else is collected has an unknown size."""
        self.generic_visit(node)
        for part in node.generators:
            if not part.is_async:
                part.iter = self._rounds(LIST, part.iter)
        plain = isinstance(node, ast.ListComp) and len(node.generators) == 1 and not node.generators[0].ifs
        return self._through(WHOLE, node, [ast.Constant(plain), node], [], node.generators[0].iter.lineno)

    def _rounds(self, function, made):
        maker, arguments, keywords = ast.Constant(None), [made], []
        if isinstance(made, ast.Call) and isinstance(made.func, ast.Name) and made.func.id in MAKERS:
            maker, arguments, keywords = made.func, made.args, made.keywords
        return self._through(function, made, [maker, *arguments], keywords, made.lineno)

    def visit_While(self, node):
        found, open_end = counted_whiles.counted(node), counted_whiles.may_be_ended(node)
        filled = None if leaves_early(node) else counted_whiles.filled(node)
        self.generic_visit(node)
        if found is not None:
            go_on = _assignment_to_itself(found.name)
            arguments = [go_on.value, ast.Constant(found.direction), ast.Constant(found.step)]
            arguments += [found.bound, ast.Constant(found.inclusive)]
            go_on.value = self._through(COUNT, node.test, arguments, [], node.lineno)
            for part in (go_on, go_on.targets[0]):
                ast.copy_location(part, node.test)
            node.body.insert(0, ast.fix_missing_locations(go_on))
            return [node, self._after(COUNTED, node)]
        if filled is not None:
            call = self._through(FILL, node.test, [ast.Name(filled[0], ast.Load()), filled[1]], [], node.lineno)
            node.body.insert(0, ast.fix_missing_locations(ast.copy_location(ast.Expr(call), node.test)))
        elif not open_end:
            return node
        if open_end:
            call = self._through(GO_ON if filled is None else NOT_ENDED, node.test, [], [], node.lineno)
            node.test = ast.copy_location(ast.BoolOp(ast.And(), [call, node.test]), node.test)
        return [node, self._after(OVER, node)]

    def _after(self, function, loop):
        over = ast.Expr(self._through(function, loop.test, [], [], loop.lineno))
        return ast.fix_missing_locations(ast.copy_location(over, loop.test))

    def visit_Call(self, node):
        self.generic_visit(node)
        named = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", None)
        if named not in (VALIDATIONS if isinstance(node.func, ast.Name) else FITS | VALIDATIONS):
            return node
        return self._through(CALL, node, [node.func, *node.args], node.keywords, node.lineno)

    def _through(self, function, instead_of, arguments, keywords, line):
        site = ast.Tuple([ast.Constant(self.place), ast.Constant(line)], ast.Load())
        call = ast.Call(ast.Name(function, ast.Load()), [site, *arguments], keywords)
        return ast.fix_missing_locations(ast.copy_location(call, instead_of))


class Clipper:
    """Everything that was cut in this copy, and where."""

    def __init__(self, shell, effects, variation=None):
        self.cuts = loops.Cuts(effects, variation)
        self.cuts.names = shell.user_ns
        self.file_checks = file_checks.FileChecks(shell.user_ns, self.cuts)
        self.cell = 0
        # Paths that code of these cells changed.
        self.changed = []
        self.shell = shell

    def install(self):
        builtins = sys.modules["builtins"]
        whiles = open_whiles.OpenWhiles(self.cuts)
        tools = {
            LOOP: self.cuts.loop,
            OPEN_LOOP: self.cuts.open_loop,
            LIST: self.cuts.collect,
            WHOLE: self.cuts.whole,
            COUNT: self.cuts.count,
            COUNTED: self.cuts.counted,
            FILL: whiles.fill,
            NOT_ENDED: whiles.is_not_ended,
            GO_ON: whiles.go_on,
            OVER: whiles.over,
            CALL: fits.Fits(self.cuts).call,
            RAN: self.cuts.run_block,
            TEST: self.cuts.test,
        }
        for name, tool in tools.items():
            setattr(builtins, name, tool)
        self.cuts.shorten_sleep()
        self.file_checks.watch()
        self.shell.ast_transformers.append(self)
        for function in _functions_in(self.shell.user_ns):
            _rewrite(function)

    def visit(self, tree):
        return Rewriter(self.cell).visit(tree)

    def qualify(self, told, error, sources, index, effects):
        """Add what was cut to the report of a cell, and what it means for its end."""
        self.changed += [note["what"].partition(" ")[2] for note in effects.of_kind("change")]
        told["clipped"] = self.cuts.told()
        told["skipped_ms"] = round(self.cuts.skipped_seconds() * 1000)
        told["varied"] = self.cuts.variation.count if self.cuts.variation is not None else 0
        self.cell = index + 1
        if told["status"] == "raised" and told["doubt"] is None:
            told["doubt"] = doubts.doubt(error, self, sources, index, effects)
        elif told["status"] == "finished" and told["doubt"] is None and told["clipped"]:
            told["doubt"] = reasons.finished_cut(told["clipped"])
        told["around"], told["of_sizes"] = self.cuts.around, self.cuts.of_sizes
        if self.cuts.unrun is not None:
            told["unrun"], told["ran"] = sorted(self.cuts.unrun, key=str), list(self.cuts.ran)


def _functions_in(namespace):
    classes = set()
    for value in list(namespace.values()):
        if type(value) is types.FunctionType and value.__module__ == "__main__":
            yield value
        kind = value if isinstance(value, type) else type(value)
        classes.update(base for base in kind.__mro__ if base.__module__ == "__main__")
    for kind in classes:
        for member in vars(kind).values():
            if type(member) is types.FunctionType:
                yield member


def _rewrite(function):
    """The function with the same code, loops and fits sent through here; left alone where its source is not known."""
    code = function.__code__
    text = "".join(linecache.getlines(code.co_filename))
    if not text or not any(word in text for word in REWRITTEN):
        return
    try:
        tree = Rewriter(code.co_filename).visit(ast.parse(text))
        whole = compile(tree, code.co_filename, "exec", flags=TOP_LEVEL_AWAIT, dont_inherit=True)
    except (SyntaxError, ValueError):
        return
    fresh = _same_code(whole, code)
    if fresh is not None:
        function.__code__ = fresh


def _same_code(whole, wanted):
    return next((code for code in codes_within(whole) if _heading(code) == _heading(wanted)), None)


def _heading(code):
    arguments = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return code.co_name, code.co_firstlineno, code.co_freevars, arguments


def _constant(value):
    """Of a tuple too."""
    return ast.Constant(value)


def _assignment_to_itself(name):
    (made,) = ast.parse(f"{name} = {name}").body
    assert isinstance(made, ast.Assign)
    return made
