"""Loops and fits cut short, and what an exception proves then."""

import ast
import unittest

from agent.shorten import loops, rewrite
from agent.shorten.counted_whiles import counted, last_value
from agent.shorten.doubts import about_form


def spent(cuts, site):
    cuts.spend(site, loops.SHARE + 1)


class Loops(unittest.TestCase):
    def setUp(self):
        self.cuts = loops.Cuts()

    def test_a_quick_loop_is_whole(self):
        self.assertEqual(list(self.cuts.loop(("cell", 1), None, range(10))), list(range(10)))
        self.assertEqual(self.cuts.told(), [])

    def test_a_slow_loop_jumps_to_its_last_element(self):
        site = ("cell", 1)
        spent(self.cuts, site)
        self.assertEqual(list(self.cuts.loop(site, enumerate, ["a", "b", "c", "d", "e"])), [(0, "a"), (1, "b"), (4, "e")])
        self.assertEqual(self.cuts.told(), [{"what": "loop", "done": 3, "of": 5, "line": 1, "place": "cell"}])

    def test_what_has_no_length_is_left_alone(self):
        site = ("cell", 1)
        spent(self.cuts, site)
        self.assertEqual(list(self.cuts.loop(site, None, (n for n in range(5)))), list(range(5)))
        self.assertEqual(list(self.cuts.loop(site, zip, [1, 2, 3], [4, 5])), [(1, 4), (2, 5)])


class Whiles(unittest.TestCase):
    def found(self, text):
        return counted(ast.parse(text).body[0])

    def test_a_loop_that_counts(self):
        found = self.found("while n < limit:\n    train()\n    n += 2")
        self.assertEqual((found.name, found.step, found.inclusive, found.exact), ("n", 2, False, True))

    def test_a_loop_whose_bound_moves_does_not_count(self):
        self.assertIsNone(self.found("while n < limit:\n    limit = grow()\n    n += 1"))
        self.assertIsNone(self.found("while n < 10:\n    if skip():\n        continue\n    n += 1"))
        self.assertIsNone(self.found("while n < 10:\n    n -= 1"))

    def test_the_last_round(self):
        self.assertEqual(last_value(0, 2, 9, False), 8)
        self.assertEqual(last_value(0, 2, 8, True), 8)
        self.assertEqual(last_value(7, 1, 5, False), 7)
        self.assertEqual(last_value(0.5, 1, 5, False), 0.5)


class Rewriting(unittest.TestCase):
    def run_rewritten(self, text, **names):
        tree = ast.fix_missing_locations(rewrite.Rewriter("cell").visit(ast.parse(text)))
        cuts = loops.Cuts()
        exec(compile(tree, "<cell>", "exec"), names, names)
        return names, cuts

    def test_the_same_result_through_the_functions_that_cut(self):
        cuts, called = loops.Cuts(), []

        def call(site, function, *args, **keywords):
            called.append(site)
            return function(*args, **keywords)

        tools = {rewrite.LOOP: cuts.loop, rewrite.COUNT: cuts.count, rewrite.CALL: call}
        text = "total = 0\nfor i, x in enumerate([1, 2]):\n    total += x\nn = 0\nwhile n < 3:\n    n += 1\nmodel.fit(1)"

        class Model:
            def fit(self, value):
                self.value = value

        names, _ = self.run_rewritten(text, model=Model(), **tools)
        self.assertEqual((names["total"], names["n"], names["model"].value), (3, 3, 1))
        self.assertEqual(called, [("cell", 7)])


class Doubts(unittest.TestCase):
    def test_errors_about_what_things_are(self):
        self.assertTrue(about_form(TypeError("unsupported operand")))
        self.assertTrue(about_form(RuntimeError("mat1 and mat2 shapes cannot be multiplied (2x5 and 4x2)")))
        self.assertTrue(about_form(ValueError("X has 3 features, but it is expecting 4 features as input")))

    def test_errors_that_later_rounds_may_prevent(self):
        self.assertFalse(about_form(TypeError("'NoneType' object is not subscriptable")))
        self.assertFalse(about_form(ValueError("loss is nan")))
        self.assertFalse(about_form(KeyError("best")))
