"""What no round of a cut training does: branches, steps, keys, and what settings alone decide."""

import ast
import linecache
import sys
import unittest

from agent.isolation.effects import Effects
from agent.shorten import loops, never_better, never_reached, never_run, rewrite, scheduled, settled_parts
from agent.shorten.missing_keys import is_never_stored
from agent.shorten.numbered import Numbered
from agent.shorten.units import Unit
from agent.shorten.words import Words


def keep_text(name, text):
    """Have the code of this name be known by its text, as that of a cell is."""
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)


def spent(cuts, site):
    cuts.spend(site, loops.MOST_FOR_FEW + 1)


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
