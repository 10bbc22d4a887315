"""Limits of what a request may look at."""

import unittest

from agent.objects.budget import ARRAY_SAMPLE, OBJECT_SAMPLE, Budget, stride_positions


class Budgets(unittest.TestCase):
    def test_nothing_is_spent_at_first(self):
        self.assertIsNone(Budget({"ms": 10_000}).spent())

    def test_bytes_run_out(self):
        budget = Budget({"ms": 10_000, "bytes": 10})
        budget.charge(10)
        self.assertEqual(budget.spent(), {"code": "bytes-spent"})

    def test_time_runs_out(self):
        self.assertEqual(Budget({"ms": 0}).spent(), {"code": "time-spent"})

    def test_limits_of_another_kind_are_not_taken(self):
        self.assertIsNone(Budget({"ms": "much", "bytes": None}).spent())
        self.assertIsNone(Budget(None).spent())

    def test_long_arrays_are_sampled_and_short_ones_looked_at_whole(self):
        budget = Budget(None)
        self.assertEqual(budget.take_elements(1_000), 1_000)
        self.assertEqual(budget.take_elements(10_000_000), ARRAY_SAMPLE)

    def test_objects_are_limited_for_each_and_for_all(self):
        budget = Budget(None)
        self.assertEqual(budget.take_objects(10**6), OBJECT_SAMPLE)
        budget.sampled_left = 3
        self.assertEqual(budget.take_objects(10), 3)
        self.assertEqual(budget.take_objects(10), 0)

    def test_notes_come_once(self):
        budget = Budget(None)
        budget.note("columns cut")
        budget.note("columns cut")
        self.assertEqual(budget.notes, ["columns cut"])


class Positions(unittest.TestCase):
    def test_first_and_last_are_among_them(self):
        self.assertEqual(stride_positions(101, 3), [0, 50, 100])

    def test_all_where_they_fit(self):
        self.assertEqual(list(stride_positions(3, 5)), [0, 1, 2])

    def test_few(self):
        self.assertEqual(list(stride_positions(5, 1)), [0])
        self.assertEqual(list(stride_positions(5, 0)), [])
