"""What the hooks promise: bounded files, a bounded share of time, no exception, settings without secrets."""

import json
import math
import os
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "src"))

from grus_hooks import pace, quiet
from grus_hooks.run_log import RunLog, plain
from grus_hooks.writer import Writer


def rows_of(path):
    with open(path) as file:
        return [json.loads(line) for line in file]


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.path = os.path.join(self.folder, "grus.jsonl")

    def test_size_is_bounded_and_old_rows_are_thinned(self):
        writer = Writer(self.path, max_bytes=20_000)
        writer.open(resumed=False)
        writer.write({"grus": "start"})
        for step in range(5000):
            writer.write({"step": step, "loss": 1.0})
            self.assertLessEqual(os.path.getsize(self.path), 20_000)
        rows = rows_of(self.path)
        self.assertEqual(rows[0], {"grus": "start"})
        steps = [row["step"] for row in rows[1:]]
        self.assertEqual(steps, sorted(steps))
        self.assertEqual(steps[-100:], list(range(4900, 5000)))

    def test_a_new_run_puts_the_old_file_aside_and_a_resumed_one_goes_on(self):
        for step, resumed in ((1, False), (500, True), (1, False)):
            writer = Writer(self.path)
            writer.open(resumed)
            writer.write({"step": step})
            writer.close()
            if resumed:
                self.assertEqual([row["step"] for row in rows_of(self.path)], [1, 500])
        self.assertEqual([row["step"] for row in rows_of(self.path)], [1])
        self.assertEqual(len([name for name in os.listdir(self.folder) if name.endswith(".gz")]), 1)

    def test_a_line_cut_by_a_kill_does_not_spoil_the_next(self):
        with open(self.path, "w") as file:
            file.write('{"step": 1}\n{"step": 2, "lo')
        writer = Writer(self.path)
        writer.open(resumed=True)
        writer.write({"step": 3})
        with open(self.path) as file:
            self.assertEqual(file.read().splitlines()[-1], '{"step":3}')

    def test_the_end_is_written_once_and_not_by_children(self):
        log = RunLog(self.folder, {"lr": 0.1, "hub_token": "hidden", "tokenizer": "kept"})
        log.begin()
        log.row(1, {"loss": math.nan})
        child = os.fork()
        if child == 0:
            log.end("failed")
            os._exit(0)
        os.waitpid(child, 0)
        log.end("completed")
        log.end("failed")
        with open(log.path) as file:
            text = file.read()
        self.assertEqual([row["exit"]["reason"] for row in rows_of(log.path) if row.get("grus") == "end"], ["completed"])
        self.assertNotIn("hidden", text)
        self.assertIn("kept", text)


class Times(unittest.TestCase):
    def observe(self, step_time, cost, steps, refine_at=None):
        """Share of the time spent on observing, and the steps observed."""
        now, taken = 0.0, []
        plan = pace.Pace(now, lambda: now)
        for step in range(steps):
            if step == refine_at:
                plan.refine(now)
            if plan.wants(now, step_time):
                taken.append(step)
                plan.observed(now, cost)
            now += step_time
        return plan.spent / now, taken

    def test_the_share_stays_below_one_percent(self):
        for step_time, cost in ((2e-4, 3e-4), (0.01, 3e-4), (1.0, 0.005), (0.05, 0.02)):
            share, taken = self.observe(step_time, cost, int(200 / step_time))
            self.assertLess(share, 0.01)
            self.assertGreater(len(taken), 20)

    def test_long_steps_are_all_observed_and_calm_ones_get_rarer(self):
        _, taken = self.observe(2.0, 0.001, 500)
        self.assertEqual(len(taken), 500)
        _, taken = self.observe(0.05, 1e-4, 200_000)
        self.assertLess(len(taken), 20_000)
        self.assertLessEqual(max(b - a for a, b in zip(taken, taken[1:])), 5.0 / 0.05 + 1)

    def test_precursors_make_it_fine(self):
        _, taken = self.observe(0.05, 1e-4, 20_000, refine_at=15_000)
        self.assertEqual([step for step in taken if 15_000 <= step < 15_200], list(range(15_000, 15_200)))

    def test_precursors_are_values_that_leave_their_course(self):
        signs = pace.Precursors()
        for step in range(200):
            self.assertFalse(signs.appear({"loss": 2 + 0.1 * math.sin(step), "grad_norm": 1.0}) and step > 20)
        self.assertTrue(signs.appear({"loss": 2.0, "grad_norm": 40.0}))
        self.assertTrue(signs.appear({"loss": math.nan}))


class Loops(unittest.TestCase):
    def test_nothing_raises_into_the_loop(self):
        import torch

        import grus_hooks

        model = torch.nn.Linear(2, 2)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        folder = tempfile.mkdtemp()
        blocked = os.path.join(folder, "file")
        with open(blocked, "w"):
            pass
        with mock.patch.dict(quiet._state, {"failures": 0, "off": False}), mock.patch("sys.stderr"):
            for log in (
                grus_hooks.watch(model, optimizer, directory=os.path.join(blocked, "below")),
                grus_hooks.watch(object(), object()),
                grus_hooks.watch(),
            ):
                for batch in (None, object(), {"x": [1, {"y": torch.empty(0)}]}, (torch.ones(2), "text")):
                    log.step(torch.ones(()), batch=batch)
                    log.step("no number", batch=batch, odd=object())
                log.evaluation(loss="nothing")
                log.close()
            self.assertTrue(quiet.is_off())

    def test_settings_are_bounded(self):
        deep = {}
        deep["self"] = deep
        self.assertLess(len(json.dumps(plain({"deep": deep, "long": "x" * 10_000, "many": list(range(1000))}))), 5000)


if __name__ == "__main__":
    unittest.main()
