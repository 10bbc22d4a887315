"""Loops and fits cut short, and what an exception proves then."""

import argparse
import ast
import linecache
import sys
import unittest
from array import array

from agent.isolation.effects import Effects
from agent.shorten import calls, codes, flow, kinds, lengths, loops, rewrite, things, uses
from agent.shorten.always_none import certainly_none
from agent.shorten.counted_whiles import counted, filled, last_value, may_be_ended
from agent.shorten.failing_part import cut_behind, failing_in, position_of
from agent.shorten.growth import lengthen
from agent.shorten.open_whiles import OpenWhiles
from agent.shorten.other_numbers import SMALL, ZERO
from agent.shorten.used_up import is_used_up
from agent.shorten.variation import ALL, Variation


def keep_text(name, text):
    """Have the code of this name be known by its text, as that of a cell is."""
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)


def spent(cuts, site):
    cuts.spend(site, loops.MOST_FOR_FEW + 1)


class Loops(unittest.TestCase):
    def setUp(self):
        self.cuts = loops.Cuts(Effects())

    def test_a_quick_loop_is_whole(self):
        self.assertEqual(list(self.cuts.loop(("cell", 1), None, range(10))), list(range(10)))
        self.assertEqual(self.cuts.told(), [])

    def test_a_slow_loop_jumps_to_its_last_element(self):
        site = ("cell", 1)
        spent(self.cuts, site)
        elements = []
        for numbered in self.cuts.loop(site, enumerate, ["a", "b", "c", "d", "e"]):
            elements.append(numbered)  # noqa: PERF402
        # The list is as long as after the whole loop; the round that was left out is made up.
        self.assertEqual(elements, [(0, "a"), (1, "b"), (2, "b"), (3, "b"), (4, "e")])
        self.assertEqual(self.cuts.told(), [{"what": "loop", "done": 3, "of": 5, "line": 1, "place": "cell"}])

    def test_rows_of_the_same_form_are_stable(self):
        site, rows = ("cell", 1), []
        spent(self.cuts, site)
        for number in self.cuts.loop(site, None, range(20)):
            row = {"round": number, "scores": (0.5, [number])}
            rows.append(row)
        self.assertEqual(len(rows), 20)
        self.assertIs(self.cuts.stable[site]["rows"], True)

    def test_rows_of_another_form_are_not(self):
        site, rows = ("cell", 1), []
        spent(self.cuts, site)
        for number in self.cuts.loop(site, None, range(20)):
            row = {"round": number} if number else {"first": number}
            rows.append(row)
        self.assertIs(self.cuts.stable[site]["rows"], False)

    def test_what_has_no_length_is_left_alone(self):
        site = ("cell", 1)
        spent(self.cuts, site)
        self.assertEqual(list(self.cuts.loop(site, None, (n for n in range(5)))), list(range(5)))
        self.assertEqual(list(self.cuts.loop(site, zip, [1, 2, 3], [4, 5])), [(1, 4), (2, 5)])


class Kinds(unittest.TestCase):
    """Rounds of every kind that hangs on their number are run, also where a function is handed it."""

    def rounds(self, text):
        cuts, site = loops.Cuts(Effects()), ("cell", 1)
        spent(cuts, site)
        ran = []
        names = {
            "test": cuts.test,
            "ran": ran,
            "rounds": cuts.loop(site, None, range(1, 1001)),
            "every": 500,
            "state": [0.0],
        }
        keep_text("<string>", text)
        exec(text, names)
        return [number for number in ran if type(number) is int]

    def test_every_so_many(self):
        test = "n % every == 0"
        text = f"for n in rounds:\n    ran.append(str(n))\n    if test(0, {test!r}, {test}):\n        ran.append(n)"
        self.assertEqual(self.rounds(text), [500, 1000])

    def test_a_function_is_handed_the_number(self):
        text = (
            "def after(epoch):\n    if test(0, 'epoch in (7, 8)', epoch in (7, 8)):\n        ran.append(epoch)\n"
            "for n in rounds:\n    ran.append(str(n))\n    after(n - 1)"
        )
        self.assertEqual(self.rounds(text), [7, 8])

    def test_so_many_rounds_that_nobody_goes_through_all(self):
        n = kinds.ROUND
        tests = f"not {n} == 40_000_000, not ({n} > 80_000_000 and {n} % 1_000 == 7), not {n} in (3, 99_999_999)"
        tree = ast.parse(tests, mode="eval").body
        found = kinds.Kinds(tree.elts, 10, 100_000_000, True)
        self.assertEqual(sum(found.times.values()), 100_000_000 - 11)
        self.assertEqual(found.times[(False, True, True)], 1)
        self.assertEqual(found.times[(True, False, True)], 20_000)
        self.assertEqual(found.chosen(0.01, False), [40_000_000, 80_000_007, 80_001_007, 99_999_999])

    def test_of_a_common_kind_some(self):
        text = "for n in rounds:\n    ran.append(str(n))\n    if test(0, 'n > 300', n > 300):\n        ran.append(n)"
        self.assertEqual(self.rounds(text), [301, 302, 1000])

    def test_a_loop_that_may_be_left_runs_on_to_another_kind(self):
        for seconds, comes in ((loops.SHARE, True), (loops.RUN_ON, False)):
            cuts, site, ran = loops.Cuts(Effects()), ("cell", 1), []
            cuts.spend(site, seconds + 0.01)
            names = {"test": cuts.test, "ran": ran, "rounds": cuts.open_loop(site, None, range(10**9))}
            exec("for n in rounds:\n    if test(0, 'n == 50', n == 50):\n        ran.append(n)\n    state = n * 0.5", names)
            self.assertEqual(ran == [50], comes)

    def test_what_hangs_on_more_is_left(self):
        text = (
            "for n in rounds:\n    state[0] += n * 0.1\n    ran.append(str(n))\n"
            "    if test(0, 'n > 300 and state[0] > 2', n > 300 and state[0] > 2):\n        ran.append(n)"
        )
        self.assertEqual(self.rounds(text), [1000])

    def test_what_a_test_may_be_made_of(self):
        def atoms(text):
            return kinds.atoms_of(ast.parse(text, mode="eval").body)

        self.assertEqual(len(atoms("(epoch + 1) % self.every == 0 or len(log) == 3")), 3)
        self.assertIsNone(atoms("improved(epoch)"))
        self.assertIsNone(atoms("3 > 2"))


class GrowingByKind(unittest.TestCase):
    """What grows in rounds of a kind is as long as after the whole loop, if nothing but their number decides."""

    def run_cut(self, text, inner=True):
        """`inner`: loops in others are cut too."""
        cuts = loops.Cuts(Effects())
        names = {rewrite.LOOP: cuts.loop, rewrite.RAN: cuts.run_block, rewrite.TEST: cuts.test}
        whiles = OpenWhiles(cuts)
        names.update({rewrite.OPEN_LOOP: cuts.open_loop, rewrite.GO_ON: whiles.go_on, rewrite.OVER: whiles.over})
        tree = ast.parse(text)
        for node in ast.walk(tree) if inner else tree.body:
            if isinstance(node, ast.For):
                spent(cuts, ("cell", node.lineno))
        keep_text("<cell>", text)
        exec(compile(ast.fix_missing_locations(rewrite.Rewriter("cell").visit(tree)), "<cell>", "exec"), names)
        return names, cuts

    def test_lists_and_tables(self):
        names, cuts = self.run_cut(
            "log, curve, table, ends, loss = {}, [], {}, [], 0.0\n"
            "for step in range(1000):\n"
            "    loss += 0.1\n"
            "    log[step] = {'loss': loss}\n"
            "    if step % 10 == 0:\n"
            "        curve.append(loss)\n"
            "        table[step] = loss\n"
            "    if step == 0 or step == 999:\n"
            "        ends.append(step)\n"
        )
        sizes = [len(names[name]) for name in ("log", "curve", "table", "ends")]
        self.assertEqual(sizes, [1000, 100, 100, 2])
        self.assertEqual(sorted(names["table"]), list(range(0, 1000, 10)))
        self.assertEqual((len(cuts.settled), len(cuts.irregular)), (4, 0))

    def test_what_only_later_rounds_fill(self):
        text = (
            "late, table, better, best, loss = [], {{}}, 0, 1.0, 0.0\n"
            "for step in range(1000):\n"
            "    loss += 0.1\n"
            "    if loss > best:\n"
            "        best = loss\n"
            "        {}\n"
            "    if step > 500 and step % 10 == 0:\n"
            "        late.append(loss)\n"
            "        table[step] = loss\n"
        )
        names, cuts = self.run_cut(text.format("better += 1"))
        self.assertEqual((len(names["late"]), sorted(names["table"])), (49, list(range(510, 1000, 10))))
        self.assertEqual({id(names["late"]), id(names["table"])}, set(cuts.settled))
        # What other rounds may add to is of unknown length.
        names, cuts = self.run_cut(text.format("late.append(loss)"))
        self.assertNotIn(id(names["late"]), cuts.settled)

    def test_numbers_that_training_makes(self):
        for test in ("loss > best", "step % 10 == 0 and loss > 0", "count % 10 == 0", "many(loss)"):
            _, cuts = self.run_cut(
                "curve, best, loss, count = [], 0, 0.0, 0\n"
                "def many(loss):\n"
                "    return loss < 0.15\n"
                "for step in range(1000):\n"
                "    loss = loss + 0.1\n"
                "    count = count + (1 if loss < 50 else 2)\n"
                f"    if {test}:\n"
                "        curve.append(loss)\n"
            )
            self.assertEqual(len(cuts.settled), 0, test)

    def test_numbers_that_inner_loops_count(self):
        text = (
            "step, evaluated, slow = 0, [], []\n"
            "for epoch in range(900):\n"
            "    for row in range(60):\n"
            "        {}\n"
            "        step += 1\n"
            "    if step % 120 == 0:\n"
            "        evaluated.append(step)\n"
        )
        names, cuts = self.run_cut(text.format("pass"))
        self.assertEqual((names["step"], len(names["evaluated"])), (54_000, 450))
        self.assertEqual((len(cuts.settled), len(cuts.irregular)), (1, 0))
        # Where no inner loop is cut, also what their rounds add.
        names, cuts = self.run_cut(text.format("if step % 40 == 0: slow.append(1)"), inner=False)
        self.assertEqual((len(names["slow"]), len(names["evaluated"])), (1350, 450))
        self.assertIn(id(names["slow"]), cuts.settled)

    def test_numbers_that_more_moves(self):
        for moved in ("if loss < 9: step += 1", "step += 1 + (loss > 9)", "if loss < 9: continue\n        step += 1"):
            names, cuts = self.run_cut(
                "step, loss, slow = 0, 0.0, []\n"
                "for epoch in range(900):\n"
                "    for row in range(60):\n"
                "        loss += 1e-3\n"
                f"        {moved}\n"
                "    if step % 40 == 0:\n"
                "        slow.append(step)\n",
                inner=False,
            )
            self.assertNotIn(id(names["slow"]), cuts.settled, moved)

    def test_rounds_of_which_nobody_knows_how_many(self):
        text = (
            "rows, loss = [], 0.0\nfor n in range(900):\n    {}\n    if n % 40 == 0:\n        print(end='')\n    loss += 1"
        )
        for inner, known in (
            ("for i in range(5): rows.append(i)", True),
            ("i = 0\n    while i < 5 + (loss > 400):\n        rows.append(i)\n        i += 1", False),
            ("for i in range(9):\n        if i == 5 + (loss > 400): break\n        rows.append(i)", False),
        ):
            names, cuts = self.run_cut(text.format(inner), inner=False)
            self.assertEqual(id(names["rows"]) in cuts.settled, known, inner)

    def test_what_an_object_counts_by_itself(self):
        _, cuts = self.run_cut(
            "class Stopper:\n"
            "    def __init__(self):\n"
            "        self.bad = 0\n"
            "    def see(self):\n"
            "        self.bad += 1\n"
            "stopper, curve = Stopper(), []\n"
            "for step in range(1000):\n"
            "    stopper.see()\n"
            "    if stopper.bad % 10 == 1:\n"
            "        curve.append(step)\n"
        )
        self.assertEqual(len(cuts.settled), 0)


class Lengths(unittest.TestCase):
    """Of which only a length is asked that training has no part in."""

    def is_settled(self, text, trained=("model", "scores")):
        *statements, last = ast.parse(text).body
        names = {part.id for part in ast.walk(last) if isinstance(part, ast.Name)}

        def untouched(node):
            return not any(getattr(part, "id", None) in {*trained, *names} - {"N", "len"} for part in ast.walk(node))

        return bool(lengths.settled_in([last], statements, untouched))

    def test_cut_by_a_number_of_the_notebook(self):
        made = "all_of = sorted(run(model) for _ in range(N))\ntop = all_of[: N // 100]\n"
        self.assertTrue(self.is_settled(made + "len(top)"))
        self.assertTrue(self.is_settled("with still():\n    top = [run(model) for _ in range(N)]\nlen(top)"))
        self.assertFalse(self.is_settled(made + "top.append(1)\nlen(top)"))
        self.assertFalse(self.is_settled(made + "shuffle(top)\nlen(top)"))

    def test_of_the_whole_run(self):
        curve, other = [1, 2], []
        values = {"history": {"loss": curve}, "curve": curve, "other": other}
        tree = ast.parse("len(curve) == len(history['loss']) == len(other) + curve[0]", mode="eval").body
        known = lengths.known_in([tree], values, {id(curve): curve})
        names = sorted(part.id for part in ast.walk(tree) if id(part) in known)
        self.assertEqual(names, ["curve", "history"])

    def test_chosen_by_what_training_made(self):
        self.assertFalse(self.is_settled("top = [one for one in scores if one > 0.5]\nlen(top)"))
        self.assertFalse(self.is_settled("top = scores[:5]\nlen(top)"))
        self.assertFalse(self.is_settled("if model:\n    top = [0][:N]\nlen(top)"))


class Touched(unittest.TestCase):
    def bound(self, text):
        return [touch.name for touch in uses.touches(ast.parse(text).body[0], {}, set(), lambda _: True) if touch.bound]

    def test_what_a_comprehension_binds_has_no_name_outside(self):
        self.assertEqual(self.bound("total = sum(part for part in parts)"), ["total"])

    def test_a_with_runs_where_its_statement_does(self):
        ran = ast.parse("if late:\n    with still():\n        seen = 1").body[0]
        (touch,) = uses.touches(ran, {}, set(), lambda block: isinstance(block[0], ast.With))
        self.assertTrue(touch.ran)

    def test_what_is_called_may_change(self):
        call = ast.parse("stopper(epoch, loss)", mode="eval").body
        self.assertEqual(uses._call_roots(call), ["stopper", "epoch", "loss"])

    def test_what_a_function_gives_away_is_its_own_only_if_it_keeps_it(self):
        source = (
            "def fresh(x):\n    return [x]\n"
            "def kept(x, store=[]):\n    return store\n"
            "def make():\n    log = []\n    return lambda: log\n"
            "inner = make()"
        )
        names = {"__name__": "__main__"}
        exec(source, names)

        def touched(text):
            found = uses.touches(ast.parse(text).body[0], names, set(), lambda _: True)
            return {touch.name for touch in found if touch.structural}

        self.assertEqual(touched("fresh(1).sort()"), set())
        self.assertEqual(touched("fresh.seen.sort()"), {"fresh"})
        self.assertEqual(touched("kept(1).sort()"), {"kept"})
        self.assertEqual(touched("inner().sort()"), {"inner"})

    def test_settings_that_nothing_sets_later(self):
        names = {"__name__": "__main__", "args": argparse.Namespace(width=3, sizes=[1])}
        node = ast.parse("args.width + len(args.sizes)", mode="eval").body

        def settled(texts, source=""):
            exec(source, names)
            found = uses.settled_in([node], names, codes.attributes_set(texts))
            return sorted(
                part.attr
                for part in ast.walk(node)
                if getattr(getattr(part, "value", None), "id", 0) == "args" and id(part.value) in found
            )

        self.assertEqual(settled([]), ["width"])
        self.assertEqual(settled(["model.eval()"], "def look():\n    return model.eval()"), ["width"])
        self.assertEqual(settled(["args.width = 4"]), [])
        self.assertEqual(settled(["vars(args).update(width=4)"]), [])
        self.assertEqual(settled([], "def widen():\n    args.width *= 2"), [])

    def test_what_cannot_change_is_not_touched(self):
        self.assertTrue(things.is_immutable((1, "a", (2.0,))))
        self.assertFalse(things.is_immutable((1, [])))
        self.assertFalse(things.is_immutable(None))


class Whiles(unittest.TestCase):
    def found(self, text):
        return counted(ast.parse(text).body[0])

    def test_a_loop_that_counts(self):
        found = self.found("while n < limit:\n    train()\n    n += 2")
        self.assertEqual((found.name, found.step, found.inclusive, found.exact), ("n", 2, False, True))

    def test_a_step_that_is_seen_only_when_it_runs(self):
        found = self.found("while n < limit and waited < 9:\n    waited = train()\n    n += len(batch)")
        self.assertEqual((found.name, found.direction, found.step, found.exact), ("n", 1, None, False))

    def test_an_attribute_that_counts(self):
        found = self.found("while self.step < n:\n    self.fit()\n    self.step += 1")
        self.assertEqual((found.name, found.step, found.exact), ("self.step", None, False))
        self.assertIsNone(self.found("while run.step < n:\n    run = follow(run)\n    run.step += 1"))
        self.assertIsNone(self.found("while self.step < self.last:\n    self.last = more()\n    self.step += 1"))

    def test_a_loop_whose_bound_moves_does_not_count(self):
        self.assertIsNone(self.found("while n < limit:\n    limit = grow()\n    n += 1"))
        self.assertIsNone(self.found("while n < 10:\n    if skip():\n        continue\n    n += 1"))
        self.assertIsNone(self.found("while n < 10:\n    n -= 1"))

    def test_a_loop_that_fills_a_list(self):
        name, bound = filled(ast.parse("while len(draws) < 2 * N:\n    draws.append(step())").body[0])
        self.assertEqual((name, ast.unparse(bound)), ("draws", "2 * N"))
        self.assertIsNone(filled(ast.parse("while len(draws) > 3:\n    draws.pop()").body[0]))

    def test_a_loop_whose_end_is_not_known(self):
        for text, expected in (
            ("while change > 0.1:\n    change = step()", True),
            ("while True:\n    if step():\n        break", True),
            ("while True:\n    if step():\n        return best", False),
            ("while True:\n    yield step()", False),
            ("while change > 0.1:\n    change = step()\nelse:\n    best = model", False),
        ):
            self.assertEqual(may_be_ended(ast.parse(text).body[0]), expected, text)

    def test_the_last_round(self):
        self.assertEqual(last_value(0, 2, 9, False), 8)
        self.assertEqual(last_value(0, 2, 8, True), 8)
        self.assertEqual(last_value(7, 1, 5, False), 7)
        self.assertEqual(last_value(0.5, 1, 5, False), 0.5)


class Rewriting(unittest.TestCase):
    def run_rewritten(self, text, **names):
        tree = ast.fix_missing_locations(rewrite.Rewriter("cell").visit(ast.parse(text)))
        cuts = loops.Cuts(Effects())
        exec(compile(tree, "<cell>", "exec"), names, names)
        return names, cuts

    def test_the_same_result_through_the_functions_that_cut(self):
        cuts, called = loops.Cuts(Effects()), []

        def call(site, function, *args, **keywords):
            called.append(site)
            return function(*args, **keywords)

        tools = {rewrite.LOOP: cuts.loop, rewrite.COUNT: cuts.count, rewrite.CALL: call}
        tools |= {rewrite.COUNTED: cuts.counted, rewrite.RAN: cuts.run_block}
        text = "total = 0\nfor i, x in enumerate([1, 2]):\n    total += x\nn = 0\nwhile n < 3:\n    n += 1\nmodel.fit(1)"

        class Model:
            def fit(self, value):
                self.value = value

        names, _ = self.run_rewritten(text, model=Model(), **tools)
        self.assertEqual((names["total"], names["n"], names["model"].value), (3, 3, 1))
        self.assertEqual(called, [("cell", 7)])


class Growing(unittest.TestCase):
    def test_whole_numbers_go_on_and_others_are_repeated(self):
        log = [{"epoch": 0, "loss": 0.5}, {"epoch": 1, "loss": 0.4}]
        self.assertTrue(lengthen(log, 1, 2))
        self.assertEqual(log[2:], [{"epoch": 2, "loss": 0.4}, {"epoch": 3, "loss": 0.4}])
        losses = [0.5, 0.4]
        self.assertTrue(lengthen(losses, 1, 2))
        self.assertEqual(losses, [0.5, 0.4, 0.4, 0.4])

    def test_what_would_be_too_much_is_left(self):
        self.assertFalse(lengthen([0.5], 1, 10**9))


class Varying(unittest.TestCase):
    def test_other_numbers_of_the_same_kind(self):
        for number in ALL:
            made = [Variation(number).other(value) for value in (3, 0.25, True)]
            self.assertEqual([type(value) for value in made], [int, float, bool])

    def test_what_training_left_alone_keeps_its_numbers(self):
        columns = [array("d", [1.0]), [7, 8], array("d", [2.0])]
        losses, rows = [], [{"loss": 0.5}]
        variation, frame = Variation(ZERO), sys._getframe()
        before = variation.before(frame)
        losses.append(0.25)
        rows.append({"loss": 0.25})
        variation.after(before, frame)
        self.assertEqual(columns[1], [7, 8])
        self.assertEqual((losses, rows), ([0.0], [{"loss": 0.5}, {"loss": 0.0}]))

    def test_a_loop_that_ends_early_is_as_long_as_its_name_says(self):
        cuts, site, epochs = loops.Cuts(Effects(), Variation(ZERO, rounds=True)), ("cell", 1), 50
        spent(cuts, site)
        for _ in cuts.loop(site, None, range(epochs)):
            pass
        self.assertEqual(epochs, 2)

    def test_what_a_function_is_given(self):
        call = calls.call_of([ast.parse("print(model.look(x, scale=2))")], "look")
        given = calls.bound(call, ["self", "data", "scale", "rest"])
        texts = {name: ast.unparse(node) for name, node in given.items()}
        self.assertEqual(texts, {"self": "model", "data": "x", "scale": "2"})
        self.assertIsNone(calls.bound(call, ["self", "data"]))

    def test_rounds_go_through_branches_that_none_went_through(self):
        text = (
            "low, high, seen = [], [], []\n"
            "for step in range(1000):\n"
            "    seen.append(step)\n"
            "    if len(seen) < 0:\n"
            "        low.append(step)\n"
            "    if len(seen) > 0:\n"
            "        high.append(step)\n"
            "    else:\n"
            "        low = None\n"
        )
        for forced, kept in (([("cell", 5)], 1), ([], 0)):
            cuts = loops.Cuts(Effects(), Variation(SMALL, True, False, forced))
            spent(cuts, ("cell", 2))
            names = {rewrite.LOOP: cuts.loop, rewrite.RAN: cuts.run_block, rewrite.TEST: cuts.test}
            keep_text("<cell>", text)
            tree = ast.fix_missing_locations(rewrite.Rewriter("cell").visit(ast.parse(text)))
            exec(compile(tree, "<cell>", "exec"), names)
            self.assertEqual(len(names["low"]), kept)


class Failing(unittest.TestCase):
    def failing(self, text, **names):
        try:
            exec(compile(text, "<cell>", "exec"), names)
        except Exception as error:
            step = error.__traceback__
            while step.tb_next is not None and step.tb_frame.f_code.co_filename != "<cell>":
                step = step.tb_next
            return failing_in(ast.parse(text).body, position_of(step))
        return None

    @unittest.skipIf(sys.version_info < (3, 11), "older Pythons do not say which part failed")
    def test_only_the_part_that_failed(self):
        for text, part in (
            ("table = table.append(row, index=best)", "table.append"),
            ("plot(history['mae'], label=best)", "history['mae']"),
            ("print('best ' + best + ' of ' + str(rest))", "'best ' + best"),
        ):
            found = self.failing(text, table=(), row=1, best=0.5, history={}, rest=1, plot=print)
            self.assertEqual(ast.unparse(found.node), part)

    def test_what_stands_behind_the_failing_line(self):
        lines = ["for n in rounds:", " if n % 100 == 0:", "  val = judge()", "  if val < best:", "   best = val", " step()"]
        for times, left in ((1, "pass"), (2, "best = val")):
            body = ast.parse("\n".join(lines)).body
            cut_behind(body, 4, lambda block, times=times: times if block[0].lineno == 3 else 50)
            self.assertEqual(ast.unparse(body[0].body[0].body[1].body[0]), left)
            self.assertEqual(len(body[0].body), 2)

    def test_a_division_by_zero_hangs_on_the_divisor(self):
        for text, part in (("total / count", "count"), ("total % (n // 10)", "n // 10"), ("div(total, n)", "div(total, n)")):
            self.assertEqual(ast.unparse(flow.divisors([ast.parse(text, mode="eval").body])[0]), part)

    def test_a_stream_that_a_loop_took_to_its_end(self):
        def stream():
            yield 1

        batches, asked = stream(), ast.parse("next(batches)", mode="eval").body
        whole = ast.parse("batches = stream()\nfor x in enumerate(batches):\n    train(x)").body
        left = ast.parse("batches = stream()\nfor x in batches:\n    if good(x):\n        break").body
        self.assertFalse(is_used_up(asked, whole, {"batches": batches}))
        list(batches)
        self.assertTrue(is_used_up(asked, whole, {"batches": batches}))
        self.assertFalse(is_used_up(asked, left, {"batches": batches}))

    def test_a_none_that_stays(self):
        def judge():
            print("judged")

        source = ast.parse("def judge():\n    print('judged')").body[0]
        for text, expected in (
            ("values.sort().tolist", True),
            ("val < best", True),
            ("kept < best", False),
            ("best.get('x').y", False),
        ):
            cell = ast.parse("val = judge()\nkept = None\n" + text).body
            names = {"val": None, "kept": None, "best": 1.0, "values": [], "judge": judge}
            found = certainly_none(cell[2].value, cell, names, lambda function: source)
            self.assertEqual(found, expected, text)
