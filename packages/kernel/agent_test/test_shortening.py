"""Loops and fits cut short, and what an exception proves then."""

import argparse
import ast
import linecache
import sys
import unittest
from array import array

from agent.isolation.effects import Effects
from agent.shorten import (
    calls,
    flow,
    kinds,
    lengths,
    loops,
    never_better,
    never_reached,
    never_run,
    rewrite,
    scheduled,
    settled_parts,
    uses,
)
from agent.shorten.always_none import certainly_none
from agent.shorten.counted_whiles import counted, filled, last_value, may_be_ended
from agent.shorten.failing_part import cut_behind, failing_in, position_of
from agent.shorten.growth import lengthen
from agent.shorten.missing_keys import is_never_stored
from agent.shorten.numbered import Numbered
from agent.shorten.open_whiles import OpenWhiles
from agent.shorten.other_numbers import SMALL, ZERO
from agent.shorten.units import Unit
from agent.shorten.used_up import is_used_up
from agent.shorten.variation import ALL, Variation
from agent.shorten.words import Words


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


class NeverRun(unittest.TestCase):
    """Blocks that no round of the whole run comes to, and twins that some round does."""

    BEFORE = (
        "import types\n"
        "EVERY, EPOCHS, CLIP, cfg, table = 100, 50, None, types.SimpleNamespace(ema=False), {'amp': False}\n"
        "data, seen, held, schedule = (0,) * 90, [], [], object()\n"
    )

    def left_out(self, text, cut_at=None):
        """Whether some block is known never to run. `cut_at`: the line of the text at which something was cut first."""
        text = self.BEFORE + text
        cuts, names = loops.Cuts(Effects()), {"__name__": "__main__"}
        names.update({rewrite.LOOP: cuts.loop, rewrite.OPEN_LOOP: cuts.open_loop})
        names.update({rewrite.RAN: cuts.run_block, rewrite.TEST: cuts.test})
        tree = ast.fix_missing_locations(rewrite.Rewriter(0).visit(ast.parse(text)))
        exec(compile(tree, "<cell>", "exec"), names)
        cuts.names = names
        keep_text("<cell>", text)
        if cut_at is not None:
            cuts.first = ("<cell>", self.BEFORE.count("\n") + cut_at)
        statements = ast.parse(text).body
        never_run.Idle(cuts, [text]).leave_out(statements, 0, names)
        return "never" not in "".join(map(ast.unparse, statements))

    def test_numbers_that_no_round_has(self):
        for loop in (
            "for epoch in range(EPOCHS):\n    if epoch == EPOCHS: never = 1",
            (
                "for epoch in range(EPOCHS):\n    for step, row in enumerate(data, start=1):\n"
                "        if step % EVERY == 0: never = 1"
            ),
            (
                "def train(rows):\n    for step, row in enumerate(rows):\n        if step > EVERY: never = 1\n"
                "for epoch in range(EPOCHS):\n    train(data)"
            ),
        ):
            self.assertTrue(self.left_out(loop), loop)

    def test_numbers_that_some_round_has(self):
        for loop in (
            "for epoch in range(EPOCHS):\n    if epoch == EPOCHS - 1: never = 1",
            (
                "for epoch in range(EPOCHS):\n    for step, row in enumerate(data[epoch:], start=epoch * 2):\n"
                "        if step % EVERY == 0: never = 1"
            ),
            (
                "for epoch in range(EPOCHS):\n    for step, row in enumerate(held, start=1):\n"
                "        if step % EVERY == 0: never = 1\n    held.append(1)"
            ),
            "step = 0\nfor epoch in range(EPOCHS):\n    step += 1\n    if step == EPOCHS: never = 1",
            (
                "def train(rows):\n    for step, row in enumerate(rows):\n        if step > EVERY: never = 1\n"
                "for epoch in range(3):\n    train(data[:epoch])"
            ),
            "for step, row in enumerate(data):\n    if row: never = 1",
            "for epoch in range(EPOCHS):\n    epoch = epoch * 0\n    if epoch == EPOCHS: never = 1",
        ):
            self.assertFalse(self.left_out(loop), loop)

    def test_a_part_that_decides(self):
        loss = "def loss():\n    return len(seen)\nbest = 9.0\nfor epoch in range(EPOCHS):\n    seen.append(1)\n    if "
        for test, never in (
            ("epoch > EVERY and loss() < best", True),
            ("loss() < best and epoch > EVERY", True),
            ("loss() < best and CLIP", True),
            ("epoch >= EPOCHS - 1 and loss() < best", False),
            ("epoch > EVERY or loss() < 0", False),
            ("seen and not CLIP and len(seen) > 999", False),
        ):
            self.assertEqual(self.left_out(f"{loss}{test}: never = best = 1"), never, test)
        kept = "def fit(clip):\n    for epoch in range(EPOCHS):\n        if sum(seen) < 9 and clip: never = 1\n"
        self.assertTrue(self.left_out(kept + "fit(CLIP)"))
        self.assertFalse(self.left_out(kept + "fit(len(seen) > 9)"))

    def test_counts_that_come_to_no_limit(self):
        rounds = "for epoch in range(EPOCHS):\n    if len(seen) > 999:\n        waited = 0\n    else:\n        waited += 1\n"
        twice = "\n    if waited > EVERY and seen: never = 1"
        within = "\n    for n in range(EPOCHS):\n        waited += 1\n        if waited > EVERY: never = 1\nfit()"
        for code, never in (
            ("waited = 0\n" + rounds + "    if waited > EPOCHS: never = 1", True),
            ("waited, best = 0, 1\n" + rounds + "    if best and EVERY <= waited: never = 1", True),
            ("waited = 0\n" + rounds + "    if waited >= EPOCHS and seen: never = 1", False),
            ("waited = 1\n" + rounds + "    if waited > EPOCHS and seen: never = 1", False),
            ("waited = len(seen)\n" + rounds + "    if waited > EVERY: never = 1", False),
            ("if not seen: waited = 0\n" + rounds + "    if waited > EVERY: never = 1", False),
            ("waited = 0\n" + rounds + "    waited *= 1\n    if waited > EVERY: never = 1", False),
            ("waited = 0\nfor fold in range(3):\n    for n in range(EPOCHS):\n        waited += 1" + twice, False),
            ("def fit():\n    waited = 0" + within, True),
            ("waited = 0\ndef fit():\n    global waited" + within, False),
        ):
            self.assertEqual(self.left_out(code), never, code)
        for loop, found in (("for n in range(9):", {(0, 4): False}), ("while good:", {}), ("for n in rows:", {})):
            tree = ast.parse(f"waited = 0\n{loop}\n    waited += 1\n    if waited > 9: stop()")
            self.assertEqual(never_reached.answers({0: tree}, {}, {}, lambda _: True), found)

    def test_settings_that_the_loops_leave_alone(self):
        for body in (
            "if CLIP is not None: never = 1",
            "if cfg.ema: never = 1",
            "if table['amp'] and CLIP: never = 1",
            "if not schedule:\n        never = 1\n    else:\n        seen.append(1)",
        ):
            self.assertTrue(self.left_out("for epoch in range(3):\n    " + body), body)
        function = "def step(schedule=None, clip=1):\n    if schedule is not None: never = 1\n"
        for call in ("step()", "step(clip=2)", "step(CLIP)"):
            self.assertTrue(self.left_out(f"{function}for epoch in range(3):\n    {call}"), call)

    def test_settings_that_may_change(self):
        for body in (
            "if CLIP is not None: never = 1\n    if len(seen) > 5: CLIP = 1",
            "if cfg.ema: never = 1\n    if len(seen) > 5: cfg.ema = True",
            "if cfg.ema: never = 1\n    other = cfg\n    if len(seen) > 5: other.ema = True",
            "if table['amp']: never = 1\n    if len(seen) > 5: table['amp'] = True",
            "if table['amp']: never = 1\n    table.update({})",
            "if table['amp']: never = 1\n    other = table\n    if len(seen) > 5: other['amp'] = True",
            "if seen: never = 1",
            "if len(seen) > 5: never = 1",
        ):
            self.assertFalse(self.left_out("for epoch in range(3):\n    " + body), body)
        for code in (
            "def unfreeze():\n    global CLIP\n    CLIP = 1\nfor epoch in range(3):\n    if CLIP: never = 1",
            "def unfreeze(one):\n    one.ema = True\nfor epoch in range(3):\n    if cfg.ema: never = 1",
            "def step(clip):\n    if clip: never = 1\nfor epoch in range(3):\n    step(epoch > 5)",
            "def step(clip):\n    if clip: never = 1\ndef run(clip):\n    step(clip)\nrun(None)",
            "def step(clip=None):\n    if clip: never = 1\nstep()\nheld.append(step)",
            "def step():\n    if CLIP: never = 1\nfor CLIP in (None, None):\n    step()",
            "def unfreeze():\n    globals()['CLIP'] = 1\nfor epoch in range(3):\n    if CLIP: never = 1",
            "if len(seen) > 5: CLIP = 1\nfor epoch in range(3):\n    if CLIP: never = 1",
            (
                "class State:\n    n = 0\n    @property\n    def over(self):\n        return self.n > 5\n"
                "state = State()\nfor epoch in range(3):\n    if state.over: never = 1\n    state.n += 1"
            ),
            (
                "class Table(dict):\n    def __missing__(self, key):\n        return len(seen) > 5\n"
                "rows = Table()\nfor epoch in range(3):\n    if rows['over']: never = 1\n    seen.append(1)"
            ),
            (
                "class Model:\n    def forward(self, mask=None):\n        if mask: never = 1\n    __call__ = forward\n"
                "model = Model()\nfor epoch in range(3):\n    model()"
            ),
        ):
            self.assertFalse(self.left_out(code), code)

    def test_settings_that_training_decides_about(self):
        loop = "for epoch in range(3):\n    loss = 1.0\n{}for epoch in range(3):\n    if smooth: never = 1"
        for setting in (
            "smooth = loss < 0.5\n",
            "cfg.ema = loss < 0.5\nsmooth = cfg.ema\n",
            "smooth = False\nsmooth = len(seen) > 5\n",
        ):
            self.assertFalse(self.left_out(loop.format(setting), cut_at=1), setting)
        self.assertTrue(self.left_out(loop.format("smooth = False\n"), cut_at=1))
        self.assertTrue(self.left_out("smooth = CLIP\n" + loop.format(""), cut_at=2))
        numbers = "for epoch in range(3):\n    loss = 1.0\n{}for epoch in range(rounds):\n    if epoch == 9: never = 1"
        self.assertFalse(self.left_out(numbers.format("rounds = 5 if loss > 0 else 50\n"), cut_at=1))
        self.assertTrue(self.left_out(numbers.format("rounds = 5\n"), cut_at=1))

    def test_lengths_that_nobody_can_rely_on(self):
        rows = "class Rows:\n    def __len__(self): return 5\n    def __iter__(self): return iter(range(50))\n"
        loop = "for step, row in enumerate({}):\n    if step > 60: never = 1"
        self.assertFalse(self.left_out(rows + loop.format("Rows()")))
        self.assertTrue(self.left_out(loop.format("range(50)")))

    def test_what_nothing_is_good_enough_for(self):
        def left_out(text):
            tree = ast.parse(text)
            return sorted(line for _, line in never_better.answers({0: tree}, {}))

        rounds = "for epoch in rounds:\n    if {}:\n        best, state = score, epoch\n"
        self.assertEqual(left_out("best = float('inf')\n" + rounds.format("score > best")), [3])
        self.assertEqual(left_out("best, n = -np.inf, 0\n" + rounds.format("n and best > score")), [3])
        kept = "class Kept:\n    def __init__(self):\n        self.best = math.inf\n"
        kept += "    def add(self, score):\n        if score > self.best:\n            self.best = score\n"
        self.assertEqual(left_out(kept), [5])
        for text in (
            "best = float('inf')\n" + rounds.format("score < best"),
            "best = float('inf')\n" + rounds.format("score > best or epoch > 3"),
            "best = float('inf')\n" + rounds.format("score >= best"),
            "best = 0\n" + rounds.format("score > best"),
            "best = float('inf')\n" + rounds.format("score > best") + "    if epoch == 10:\n        best = 0\n",
            "best = float('inf')\nbest -= 1\n" + rounds.format("score > best"),
            "best = float('inf')\ndef train(best):\n    for n in rounds:\n        if score > best:\n            best = 1\n",
            kept + "kept = Kept()\nkept.best = 0\n",
            kept + "kept = make(best=0)\n",
        ):
            self.assertEqual(left_out(text), [], text)
        # A branch that was seen to run is none.
        text = "best = float('inf')\n" + rounds.format("score > best")
        self.assertEqual(never_better.answers({0: ast.parse(text)}, {(0, 4): 1}), {})

    def test_generators_that_were_used_up(self):
        cuts = loops.Cuts(Effects())
        names = {"over": (n for n in ()), "open": (n for n in (1,)), "later": (n for n in ())}
        list(names["over"])
        cuts.names = names
        cuts.note(("cell", 1), "loop", 3, 100)
        list(names["later"])
        text = "for n in over:\n    a = n\nfor n in open:\n    b = n\nfor n in later:\n    c = n"
        statements = never_run.Idle(cuts, [text]).leave_out(ast.parse(text).body, 0, names)
        self.assertEqual([type(part).__name__ for part in statements], ["Pass", "For", "For"])

    def test_what_runs_keeps_its_line(self):
        statements = ast.parse("if a: f()\nif b:\n    g()\nelse:\n    h()").body
        never_run.without(statements, 0, {(0, 1): True, (0, 2): False})
        self.assertEqual(
            [(ast.unparse(part), part.lineno, part.end_lineno) for part in statements],
            [("f()", 1, 1), ("pass", 2, 2), ("h()", 5, 5)],
        )


class Scheduled(unittest.TestCase):
    """A schedule that refuses a step which the whole run makes, and ones of which that is not known."""

    BEFORE = (
        "class Schedule(LRScheduler):\n"
        "    def __init__(self, total):\n"
        "        self.last_epoch, self.total = 0, total\n"
        "    def step(self):\n"
        "        self.last_epoch += 1\n"
        "        if self.last_epoch > self.total: raise ValueError('too many')\n"
        "loss, rows, grown = 1.0, (1,) * 10, [1]\n"
    )

    def setUp(self):
        module = type(sys)("torch.optim.lr_scheduler")
        vars(module)["LRScheduler"] = type("LRScheduler", (), {})
        held = sys.modules.get(module.__name__)
        sys.modules[module.__name__] = module
        self.addCleanup(lambda: sys.modules.__setitem__(module.__name__, held) if held else sys.modules.pop(module.__name__))
        self.kind = vars(module)["LRScheduler"]

    def is_refused(self, text, untouched=True):
        """None where the schedule makes all its steps in the copy."""
        cuts = loops.Cuts(Effects())
        tree = ast.parse(text)
        for node in ast.walk(tree):
            if isinstance(node, ast.For):
                spent(cuts, (0, node.lineno))
        rewritten = ast.fix_missing_locations(rewrite.Rewriter(0).visit(tree))
        names = {"__name__": "__main__", "LRScheduler": self.kind}
        names.update({rewrite.LOOP: cuts.loop, rewrite.OPEN_LOOP: cuts.open_loop})
        names.update({rewrite.RAN: cuts.run_block, rewrite.TEST: cuts.test})
        exec(self.BEFORE, names)
        try:
            exec(compile(rewritten, "<cell>", "exec"), names)
        except ValueError as error:
            assert error.__traceback__ is not None
            unit = Unit(ast.parse(text).body, 0, error.__traceback__.tb_next, names)
            assert scheduled.is_in_step(error, cuts.moved_on)
            return scheduled.is_refused(error, unit, cuts.moved_on, never_run.Idle(cuts, [text]), lambda nodes: untouched)
        return None

    def cell(self, total, body, loop="for row in rows:"):
        return f"s = Schedule({total})\nfor epoch in range(1000):\n    {loop}\n        loss *= 0.9\n        {body}"

    @unittest.skipIf(sys.version_info < (3, 11), "no positions")
    def test_a_step_too_many(self):
        self.assertIs(self.is_refused(self.cell(9_990, "s.step()")), True)
        self.assertIs(self.is_refused("s = Schedule(999)\nfor epoch in range(1000):\n    loss *= 0.9\n    s.step()"), True)

    def test_as_many_as_it_has(self):
        self.assertIsNone(self.is_refused(self.cell(10_000, "s.step()")))
        self.assertIsNone(self.is_refused("s = Schedule(1000)\nfor epoch in range(1000):\n    s.step()"))

    def test_steps_that_more_decides_about(self):
        for body in (
            "if loss > 1e-9: s.step()",
            "s.step()\n        if loss < 1e-300: break",
            "if loss < 1e-300: continue\n        s.step()",
            "try:\n            s.step()\n        finally:\n            loss *= 1",
        ):
            self.assertIs(self.is_refused(self.cell(5, body)), False, body)
        changing = self.cell(5, "s.step()", "for row in grown:") + "\n    grown.append(1)"
        self.assertIs(self.is_refused(changing), False)
        twice = self.cell(5, "s.step()") + "\nif loss > 2: s.step()"
        self.assertIs(self.is_refused(twice), False)
        loaded = self.cell(5, "s.step()") + "\nif loss > 2: s.load_state_dict({})"
        self.assertIs(self.is_refused(loaded), False)
        asking = self.cell(5, "s.step()").replace("\n", "\ndef rate(): return loss\ns.rate = rate\n", 1)
        self.assertIs(self.is_refused(asking), False)
        self.assertIs(self.is_refused(self.cell(9_990, "s.step()"), untouched=False), False)


class MissingKeys(unittest.TestCase):
    def certain(self, code, values=None):
        body = ast.parse("history = {'loss': [], 'acc': []}\n" + code + "\nhistory['val']").body
        values = {"history": {"loss": [1], "acc": [1]}, **(values or {})}
        return is_never_stored(body[-1].value, "val", body, values, Numbered(body, values, lambda _: True))

    def test_a_word_under_which_nothing_is_stored(self):
        for code in (
            "for epoch in rounds:\n    history['loss'].append(epoch)\n    history['acc'] += [1]",
            "for key in history:\n    print(key, history[key])",
            "'val' in history and history.get('val')",
            "frame = {name: len(rows) for name, rows in history.items()}",
            "def log(loss):\n    history['loss'].append(loss)",
        ):
            with self.subTest(code):
                self.assertTrue(self.certain(code))

    def test_a_word_that_may_come(self):
        for code in (
            "if good:\n    history['val'] = []",
            "for name in names:\n    history[name] = []",
            "history.update(more)",
            "history.setdefault('val', [])",
            "log(history)",
            "other = history",
            "history |= more",
            "history = {**more}",
            "history = load()",
            "exec(text)",
            "def log(name):\n    history[name] = 1",
        ):
            with self.subTest(code):
                self.assertFalse(self.certain(code))

    def test_a_function_of_an_earlier_cell_may_store_it(self):
        namespace = {"__name__": "__main__"}
        exec("def log(name):\n    history[name] = 1\ndef other(name):\n    return name", namespace)
        self.assertFalse(self.certain("", {"log": namespace["log"]}))
        self.assertTrue(self.certain("", {"other": namespace["other"]}))

    def test_a_table_that_is_not_made_here(self):
        body = ast.parse("history['val']").body
        numbered = Numbered(body, {}, lambda _: True)
        self.assertFalse(is_never_stored(body[-1].value, "val", body, {"history": {}}, numbered))


class NumberedKeys(unittest.TestCase):
    """Keys and names of files that are made of the number of a round, and those that no round makes."""

    def setUp(self):
        shown = type("tqdm", (), {"__module__": "tqdm.std"})
        self.settings = {"EPOCHS": 300, "EVERY": 50, "FOLDS": 5, "tqdm": shown}

    def numbered(self, body, values, moving=()):
        return Numbered(body, values, lambda name: name not in moving)

    def comes(self, code, key, moving=()):
        """Whether the table that the code fills may get the key."""
        body = ast.parse("kept, best = {}, 0\n" + code + "\nkept[key]").body
        values = {**self.settings, "kept": {}}
        return not is_never_stored(body[-1].value, key, body, values, self.numbered(body, values, moving))

    def test_keys_that_some_round_has(self):
        loop = "for epoch in range(EPOCHS):\n    "
        every = loop + "if epoch % EVERY == 0:\n        kept[epoch] = loss"
        folds = "for fold, rows in enumerate(split(data), start=1):\n    if good(fold):\n        kept[fold] = rows"
        for code, key, comes in (
            (loop + "kept[epoch] = loss", 299, True),
            (loop + "kept[epoch] = loss", 300, False),
            (loop + "kept[epoch + 1] = loss", 300, True),
            (every, 250, True),
            (every, 299, False),
            (loop + "if good and epoch % EVERY == 0:\n        kept[epoch] = loss", 299, True),
            (loop + "if epoch % EVERY:\n        pass\n    else:\n        kept[epoch] = loss", 299, False),
            (loop + "kept[f'net_{epoch:03d}'] = loss", "net_007", True),
            (loop + "kept[f'net_{epoch:03d}'] = loss", "net_7", False),
            (folds, 0, False),
            (folds, 9, True),
            ("for fold in tqdm(range(FOLDS)):\n    kept[fold] = 1\nprint(len(kept))", 5, False),
            ("for fold in shown(range(FOLDS)):\n    kept[fold] = 1", 5, True),
            ("def run():\n    for fold in range(FOLDS):\n        kept[fold] = 1\nrun()", 5, False),
        ):
            with self.subTest(code, key=key):
                self.assertEqual(self.comes(code, key), comes)

    def test_numbers_that_nobody_knows(self):
        loop = "for epoch in range(EPOCHS):\n    "
        for code in (
            loop + "epoch = epoch * 2\n    kept[epoch] = loss",
            loop + "kept[epoch + offset] = loss",
            "for epoch in epochs:\n    kept[epoch] = loss",
            loop + "pass\nkept[epoch] = loss",
            "def keep(epoch):\n    kept[epoch] = loss\n" + loop + "keep(epoch)",
            "step = 0\n" + loop + "step += 1\n    kept[step] = loss",
            "def run(EPOCHS):\n    for epoch in range(EPOCHS):\n        kept[epoch] = loss",
            loop + "kept[epoch] = loss\nother = kept",
            loop + "keep(kept, epoch)",
        ):
            with self.subTest(code):
                self.assertTrue(self.comes(code, 300))
        self.assertTrue(self.comes(loop + "kept[epoch] = loss", 300, moving=("EPOCHS",)))

    def test_names_of_files(self):
        code = "for epoch in range(EPOCHS):\n    if epoch % EVERY == 0:\n        save(net, folder / {})"
        for name, path, comes in (
            ("f'net_{epoch}.pt'", "/run/net_250.pt", True),
            ("f'net_{epoch}.pt'", "/run/net_300.pt", False),
            ("f'net_{epoch}.pt'", "/run/net_299.pt", False),
            ("f'net_{epoch}.pt'", "/run/net_last.pt", False),
            ("('net_%03d.pt' % epoch)", "/run/net_050.pt", True),
            ("('net_%03d.pt' % epoch)", "/run/net_50.pt", False),
            ("f'net_{epoch}_{score}.pt'", "/run/net_300_0.pt", True),
            ("'net_' + str(epoch) + '.pt'", "/run/net_300.pt", True),
        ):
            with self.subTest(name, path=path):
                body = ast.parse(code.format(name)).body
                words = Words(body, {}, self.numbered(body, self.settings))
                self.assertEqual(not words.never_writes(path), comes)


class Kept:
    score = None


class Trainer:
    def __init__(self, *callbacks):
        self.callbacks, self.best, self._loggers = list(callbacks), None, []

    @property
    def kept(self):
        found = self.all_kept
        return found[0] if len(found) > 0 else None

    @property
    def all_kept(self):
        return [one for one in self.callbacks if isinstance(one, Kept)]

    @property
    def score(self):
        return self.callbacks[0].score if self.callbacks else None

    @property
    def logger(self):
        return self._loggers[0] if len(self._loggers) > 0 else None

    @property
    def found(self):
        return sorted(self.callbacks)

    def method(self):
        return None


class SettledParts(unittest.TestCase):
    """What a trainer gives that rounds have no part in, and what they may."""

    def test_what_is_chosen_by_its_kind(self):
        trainer = Trainer()
        self.assertEqual(settled_parts.attributes_behind(trainer, "kept"), {"callbacks"})
        self.assertEqual(settled_parts.attributes_behind(trainer, "logger"), {"_loggers"})
        for name in ("score", "found", "method", "unknown"):
            self.assertIsNone(settled_parts.attributes_behind(trainer, name), name)

    def test_what_training_changed(self):
        trainer = Trainer(Kept())
        before = settled_parts.parts_of(trainer)
        self.assertTrue(settled_parts.are_same(before, trainer, {"callbacks", "best"}))
        trainer.callbacks.append(Kept())
        self.assertFalse(settled_parts.are_same(before, trainer, {"callbacks"}))
        trainer.best = 0.5
        self.assertFalse(settled_parts.are_same(before, trainer, {"best"}))


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
            found = uses.settled_in([node], names, uses.attributes_set(texts))
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
        self.assertTrue(uses.is_immutable((1, "a", (2.0,))))
        self.assertFalse(uses.is_immutable((1, [])))
        self.assertFalse(uses.is_immutable(None))


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
