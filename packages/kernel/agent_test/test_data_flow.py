"""What the end of a cell may hang on: a clock, a number of a process, randomness of the system; and what it does not."""

import linecache
import unittest

from agent.dry_run.changing_sources import ChangingSources

TIMED = """
import functools, time
def timed(function):
    @functools.wraps(function)
    def inner(*given):
        start = time.time()
        told = function(*given)
        print("took", time.time() - start)
        return told
    return inner
"""
ROWS = """
for epoch in range(3):
    start = time.time()
    rows.append({"epoch": epoch, "seconds": time.time() - start})
"""


class Shell:
    """The parts of IPython's shell that are asked here."""

    def __init__(self):
        self.user_ns = {"__name__": "__main__", "print": lambda *given: None}
        self.cells = 0

    def transform_cell(self, source):
        return source

    def run(self, source):
        """The error that the cell ends with, or None."""
        self.cells += 1
        name = "<cell %d>" % self.cells
        linecache.cache[name] = (len(source), None, source.splitlines(True), name)
        try:
            exec(compile(source, name, "exec"), self.user_ns)
        except Exception as error:
            return error
        return None


def doubt(before, source, answered=()):
    """(name of the error or None, the source of doubt or None)."""
    shell = Shell()
    problem = shell.run(before)
    if problem is not None:
        raise problem
    error = shell.run(source)
    told = ChangingSources(shell, "namespaces", answered).doubt(error, source)
    return type(error).__name__ if error else None, told and told["source"]


class Finishes(unittest.TestCase):
    def proven(self, before, source):
        self.assertEqual(doubt(before, source), (None, None))

    def doubted(self, before, source, why="clock"):
        self.assertEqual(doubt(before, source), (None, why))

    def test_a_time_that_is_only_shown(self):
        self.proven("import time", "t = time.time()\nprint(time.time() - t)")

    def test_a_decision_on_a_time(self):
        self.doubted("import time", "assert time.time() > 0")
        self.doubted("import time", "if time.time() < 0: late = 1\nprint('x')")

    def test_a_decision_between_things_that_cannot_fail(self):
        self.proven("import time", "if time.time() > 5: odd = 1\nelse: odd = 0")
        self.proven("import time", "end = time.time() + 0.001\nwhile time.time() < end: pass")
        self.proven("import time", "if time.time() < 5: print('slow')")
        self.doubted("import time", "if time.time() > 5: odd = 1\nelse: odd = 'x'")

    def test_the_form_of_what_holds_times_is_known(self):
        self.proven("import time\nrows = []", ROWS + "for row in rows: print(row)\nassert len(rows) == 3")
        self.doubted("import time\nrows = []", ROWS + "assert rows[0]['seconds'] < 5")
        self.doubted("import time\nrows = []", ROWS + "for row in rows:\n    if row['seconds'] > 5: raise ValueError")
        self.doubted("import time", "for _ in range(int(time.time()) % 2): print('x')")

    def test_functions_of_the_notebook_are_read(self):
        self.proven(TIMED + "@timed\ndef work(x): return x + 1", "assert work(1) == 2")
        self.doubted("import time\ndef now(): return time.time()", "assert now() > 0")
        self.doubted("import time\ndef check(t):\n    assert t > 0", "check(time.time())")
        self.proven("import time\ndef shown(t):\n    return str(t)", "shown(time.time())")
        self.doubted("import time\ndef late():\n    return start < 0", "start = time.time()\nassert not late()")

    def test_what_a_function_changes(self):
        note = "import time\nheld = []\ndef note(to):\n    to.append(time.time())"
        self.doubted(note, "note(held)\nassert held[0] > 0")
        self.proven(note, "note(held)\nassert len(held) == 1")
        self.doubted("import time\ndef keep():\n    global kept\n    kept = time.time()", "keep()\nassert kept > 0")

    def test_objects_of_the_notebook(self):
        watch = "import time\nclass Watch:\n    def __init__(self): self.start = time.time()\n"
        watch += "    def late(self): return time.time() - self.start > 500\n    def name(self): return 'w'\nwatch = Watch()"
        self.doubted(watch, "assert not watch.late()")
        self.proven(watch, "assert watch.name() == 'w'")
        self.doubted(watch, "other = Watch()\nassert other.start > 0")

    def test_what_is_drawn_after_a_seed_of_the_clock(self):
        self.doubted("import random, time", "random.seed(time.time())\nassert random.random() < 1")
        self.proven("import random, time", "random.seed(4)\nassert random.random() < 1")

    def test_functions_that_are_handed_on(self):
        self.doubted("import time\ndef bad(x):\n    assert time.time() > x", "list(map(bad, [1]))")
        good = "import time\ndef good(x):\n    print(time.time())\n    return x"
        self.proven(good, "assert len(sorted([1], key=good)) == 1")

    def test_numbers_that_answer_as_in_the_kernel(self):
        self.doubted("import os", "assert os.getpid() > 0", "process")
        self.assertEqual(doubt("import os", "assert os.getpid() > 0", ("getpid",)), (None, None))


class Crashes(unittest.TestCase):
    def certain(self, before, source, name):
        self.assertEqual(doubt(before, source), (name, None))

    def doubted(self, before, source, name, why="clock"):
        self.assertEqual(doubt(before, source), (name, why))

    def test_a_mistake_beside_a_clock(self):
        self.certain("import time", "t = time.time()\nx = {'a': 1}['b']", "KeyError")
        self.certain("import time\nrows = []", ROWS + "[][1]", "IndexError")

    def test_a_mistake_with_a_time_in_it(self):
        self.doubted("import time", "t = time.time()\n{}[t]", "KeyError")
        self.doubted("import os", "open('/nowhere/%d' % os.getpid())", "FileNotFoundError", "process")

    def test_a_mistake_in_a_function_that_takes_the_time(self):
        work = "import time\ndef work(x):\n    start = time.time()\n    found = x['a']\n    print(time.time() - start)\n"
        self.certain(work, "work({'b': 1})", "KeyError")
        self.doubted(work, "work({time.time(): 1})", "KeyError")
        self.certain(TIMED + "@timed\ndef work(x): return x['a']", "work({'b': 1})", "KeyError")

    def test_a_time_is_a_number_however_long_it_was(self):
        since = "import json, time\nbegan = time.time()\nrows = [object()]"
        self.certain(since, "json.dumps({'minutes': (time.time() - began) / 60, 'rows': rows})", "TypeError")
        self.certain(since, "took = round(time.time() - began)\nprint('took ' + took)", "TypeError")
        elapsed = "from datetime import datetime\nbegan = datetime.now()"
        self.certain(elapsed, "took = datetime.now() - began\ntook.minutes", "AttributeError")

    def test_what_a_time_decides_may_be_of_another_kind(self):
        names = "import re, time\nnames = {}"
        self.doubted(names, "names.get(int(time.time())) + 1", "TypeError")
        self.doubted(names, "(None if time.time() > 0 else 1) + 1", "TypeError")
        self.doubted(names, "[None, None][int(time.time()) % 2] + 1", "TypeError")
        self.doubted(names, "if time.time() > 0: best = None\nelse: best = 1\nbest + 1", "TypeError")
        self.doubted(names, "re.match('x', str(time.time())).group()", "AttributeError")
        self.doubted(names, "if time.time() > 0: None + 1", "TypeError")
        late = "import time\ndef best():\n    if time.time() > 0:\n        return None\n    return 1"
        self.doubted(late, "best() + 1", "TypeError")
        self.doubted("import time\ndef check(t):\n    if t > 0: raise TypeError", "check(time.time())", "TypeError")
        own = "import time\nclass Own: pass\nown = Own()"
        self.doubted(own, "if time.time() < 0: own.best = 1\nown.best", "AttributeError")

    def test_a_mistake_that_may_not_be_come_to(self):
        work = "import time\ndef work(x):\n    if time.time() < 0:\n        return 1\n    return x['a']"
        self.doubted(work, "work({'b': 1})", "KeyError")
        self.doubted("import time", "while True:\n    if time.time() < 0: break\n    [][1]", "IndexError")
        self.doubted("import time", "if time.time() > 0:\n    [][1]", "IndexError")
