"""Which failed checks ask for what differs in another process."""

import linecache
import unittest

from agent.twin.of_one_process import is_asked_by

ASKING = (
    "assert a is b",
    "assert 1 == 1 and a is not a",
    "assert id(a) == id(b)",
    "assert t.data_ptr() == 1, 'moved'",
    "assert not hasattr(a, '__class__')",
    "def same():\n    assert (\n        a == a\n        and a is b\n    )\nsame()",
    "if id(a) != id(b):\n    raise ValueError('copied')",
    "if a is not b:\n    x = 1\n    raise ValueError(x)",
)
ORDINARY = (
    "assert a == b",
    "assert a is None",
    "assert t.id == 5",
    "assert hasattr(t, 'size')",
    "same = a is b\nassert a == b",
    "a is b\na[5]",
    "if a != b:\n    raise ValueError('other')",
    "raise ValueError('always')",
    "t.missing",
)


class Thing:
    id = 3

    def data_ptr(self):
        return 0


class OfOneProcess(unittest.TestCase):
    def asked(self, text, is_cell=True):
        namespace = {"__name__": "__main__", "a": [1], "b": [2], "t": Thing()}
        linecache.cache["<cell>"] = len(text), None, text.splitlines(True) if is_cell else [], "<cell>"
        try:
            exec(compile(text, "<cell>", "exec"), namespace)
        except Exception as error:
            return is_asked_by(error)
        raise self.failureException("it does not fail: " + text)

    def test_checks_that_ask(self):
        for text in ASKING:
            with self.subTest(text):
                self.assertTrue(self.asked(text))

    def test_checks_that_do_not(self):
        for text in ORDINARY:
            with self.subTest(text):
                self.assertFalse(self.asked(text))

    def test_code_that_was_written_for_the_notebook(self):
        for text in ASKING:
            with self.subTest(text):
                self.assertFalse(self.asked(text, is_cell=False))
