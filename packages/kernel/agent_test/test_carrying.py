"""Which names a cell needs, and how objects get to another process."""

import ast
import contextlib
import enum
import importlib.util
import io
import os
import pickle
import sys
import tempfile
import types
import unittest
import weakref

from agent.twin import carry, equality, gpu_tensors, library_tables
from agent.twin.needed_names import loaded_by
from agent.twin.read_first import read_first

try:
    import cloudpickle.cloudpickle as by_value
except ImportError:
    by_value = None


def code_of(text):
    return compile(text, "<cell>", "exec")


class NeededNames(unittest.TestCase):
    def test_names_that_are_loaded_and_no_attributes(self):
        namespace = {"a": 1, "b": 2, "c": 3}
        self.assertEqual(loaded_by([code_of("a.b\nc = 1")], namespace), {"a": 1})

    def test_names_that_are_removed(self):
        self.assertEqual(loaded_by([code_of("del a")], {"a": 1}), {"a": 1})

    def test_names_through_functions_and_classes_of_the_notebook(self):
        namespace = {"__name__": "__main__", "limit": 3, "unused": 4}
        exec("def inner():\n    return limit\nclass Model:\n    def run(self):\n        return inner()", namespace)
        namespace["model"] = namespace["Model"]()
        self.assertEqual(set(loaded_by([code_of("model.run()")], namespace)), {"model", "inner", "limit"})

    def test_names_that_the_cell_binds_before_it_reads_them(self):
        for cell, read in (
            ("x = f()\nx.mean()", {"f"}),
            ("x = x + 1", {"x"}),
            ("x += 1", {"x"}),
            ("x['a'] = 1", {"x"}),
            ("x = 1\ndel x\nx", {"x"}),
            ("import x.y\nfrom z import w as v\nx, v", set()),
            ("for x, y in z:\n    x, y\nelse:\n    w", {"z", "w"}),
            ("for x in z:\n    pass\nx", {"x", "z"}),
            ("if a:\n    x = 1\nelse:\n    x = 2\nx", {"a"}),
            ("if a:\n    x = 1\nx", {"a", "x"}),
            ("while a:\n    x = 1\nx", {"a", "x"}),
            ("with a as x:\n    y = x\ny", {"a", "y"}),
            ("try:\n    x = 1\nexcept e as y:\n    y\nx", {"e", "x"}),
            ("x = 1\ntry:\n    pass\nexcept e as x:\n    pass\nx", {"e", "x"}),
            ("def f():\n    return x\nx = 1\nf()", {"x"}),
            ("x = 1\ndef f():\n    return x\nf()", set()),
            ("x: int\nx", {"int", "x"}),
        ):
            with self.subTest(cell):
                self.assertEqual(read_first(ast.parse(cell)), read)

    def test_a_name_bound_anew_is_needed_for_a_function_that_reads_it(self):
        namespace = {"__name__": "__main__", "x": 3, "y": 4}
        exec("def shown():\n    return x", namespace)
        cell = ast.parse("shown()\nx = y = 1\nx + y")
        code = compile(cell, "<cell>", "exec")
        self.assertEqual(set(loaded_by([code], namespace, {code: read_first(cell)})), {"shown", "x"})

    def test_all_names_where_code_looks_around(self):
        namespace = {"a": 1, "b": 2, "_hidden": 3, "In": []}
        self.assertEqual(loaded_by([code_of("globals()")], namespace), {"a": 1, "b": 2})
        self.assertEqual(loaded_by([code_of("vars()")], namespace), {"a": 1, "b": 2})

    def test_a_function_that_looks_at_one_object_does_not_look_around(self):
        namespace = {"__name__": "__main__", "a": 1}
        exec("def shown(thing):\n    return vars(thing)", namespace)
        self.assertEqual(set(loaded_by([code_of("shown")], namespace)), {"shown"})


class Carried(unittest.TestCase):
    def setUp(self):
        with open(by_value.__file__) as file:
            carry.prepare(file.read())
        self.namespace = {"__name__": "__main__"}

    def carried(self, text, *names, limit=1 << 20):
        """The objects as another process gets them; here the notebook of that process is a fresh module."""
        exec(text, self.namespace)
        objects = {name: self.namespace[name] for name in names}
        payload, sampled = carry.carry(objects, limit, gpu_tensors.Fetched(), self.namespace)
        sys.modules[carry.BY_VALUE]._DYNAMIC_CLASS_TRACKER_BY_ID.clear()
        main, fresh = sys.modules["__main__"], types.ModuleType("__main__")
        sys.modules["__main__"] = fresh
        try:
            pieces = io.BytesIO(b"".join(payload))
            pickle.load(pieces)
            sys.modules[carry.LIBRARY].take_memory(pieces)
            fresh.__dict__.update(pickle.load(pieces)[0])
            sys.modules[carry.LIBRARY].let_go_of_memory()
        finally:
            sys.modules["__main__"] = main
        self.assertEqual(sampled, [])
        return fresh

    def refused(self, **objects):
        with self.assertRaises(carry.CannotCarry) as caught:
            carry.carry(objects, 1 << 20, gpu_tensors.Fetched(), self.namespace)
        return caught.exception.reason


@unittest.skipIf(by_value is None, "cloudpickle is not installed")
class Carrying(Carried):
    def test_functions_share_the_names_of_the_other_notebook(self):
        fresh = self.carried("total = 1\ndef add(n):\n    global total\n    total += n\n    return total", "add")
        self.assertEqual(fresh.add(2), 3)
        self.assertEqual(fresh.total, 3)
        fresh.total = 10
        self.assertEqual(fresh.add(1), 11)

    def test_functions_made_by_a_library_share_its_own_names(self):
        fresh = self.carried("import contextlib\n@contextlib.contextmanager\ndef opened(n):\n    yield n + 1", "opened")
        self.assertIs(fresh.opened.__globals__, contextlib.__dict__)
        with fresh.opened(1) as n:
            self.assertEqual(n, 2)

    def test_closures_defaults_and_recursion(self):
        fresh = self.carried(
            "def maker(n, *, by=2):\n    def inner(k):\n        return n * by + k if k < 1 else inner(k - 1)\n"
            "    return inner\nmade = maker(3)",
            "made",
        )
        self.assertEqual(fresh.made(2), 6)

    def test_classes_arrive_whole(self):
        fresh = self.carried(
            "import enum\nclass Base:\n    def __init__(self):\n        self.kept = []\n"
            "class Model(Base):\n    __slots__ = ()\n    'words'\n    def __init__(self):\n        super().__init__()\n"
            "    @property\n    def size(self):\n        return len(self.kept)\n"
            "class Colour(enum.Enum):\n    RED = 1\nmodel, red = Model(), Colour.RED",
            "model",
            "red",
            "Colour",
        )
        self.assertEqual(fresh.model.size, 0)
        self.assertIs(fresh.red, fresh.Colour.RED)
        self.assertIsInstance(fresh.red, enum.Enum)

    def test_objects_that_share_a_part_still_share_it(self):
        fresh = self.carried("part = []\nfirst, second = [part], {'x': part}", "first", "second")
        self.assertIs(fresh.first[0], fresh.second["x"])

    def test_weak_references_refer_to_what_was_carried_with_them(self):
        fresh = self.carried(
            "import weakref\nclass Owner:\n    pass\nowner = Owner()\nowner.part = Owner()\n"
            "owner.part.owner = weakref.ref(owner)\ngone = weakref.ref(Owner())",
            "owner",
            "gone",
        )
        self.assertIs(fresh.owner.part.owner(), fresh.owner)
        self.assertIsNone(fresh.gone())
        self.assertEqual(self.refused(called=weakref.ref(carry.carry, print))["name"], "called")

    def test_a_module_of_a_kind_of_its_own_goes_by_its_name(self):
        settings = type("Settings", (types.ModuleType,), {})("grus_settings")
        sys.modules["grus_settings"] = settings
        try:
            self.namespace["settings"] = settings
            self.assertIs(self.carried("", "settings").settings, settings)
        finally:
            del sys.modules["grus_settings"]

    def test_what_is_made_of_a_class_can_be_pickled_by_its_name(self):
        fresh = self.carried("class Model:\n    pass\nmodels = [Model()]", "models")
        self.assertIs(fresh.Model, type(fresh.models[0]))

    def test_what_cannot_be_carried_is_named(self):
        self.assertEqual(self.refused(fine=1, lines=(line for line in []))["name"], "lines")

    def test_what_refuses_to_be_pickled_goes_by_its_attributes(self):
        fresh = self.carried(
            "class Closed:\n    def __init__(self, wrapped):\n        self.wrapped = wrapped\n"
            "    def __call__(self, n):\n        return self.wrapped(n)\n"
            "    def __getstate__(self):\n        raise ValueError('closed')\n"
            "class Open(Closed):\n    __module__ = 'library'\n    def __getstate__(self):\n        return {'wrapped': abs}\n"
            "class Number(int):\n    def __reduce__(self):\n        raise ValueError('closed')\n"
            "twice = lambda n: 2 * n\nclosed, again, opened = Closed(twice), [], Open(twice)\nagain.append(closed)\n"
            "holds, number = Closed(line for line in [1]), Number(3)\nnext(holds.wrapped)",
            "closed",
            "again",
            "opened",
        )
        self.assertEqual((fresh.closed(2), fresh.opened(-2)), (4, 2))
        self.assertIs(fresh.again[0], fresh.closed)
        # Not what holds something else that cannot be carried, nor what is more than its attributes.
        for name in ("holds", "number"):
            self.assertEqual(self.refused(**{name: self.namespace[name]})["name"], name)

    def test_what_is_let_go_of_when_pickled_is_there_all_the_same(self):
        fresh = self.carried(
            "class Trainer:\n    fitted = True\n"
            "class Model:\n    __module__ = 'library'\n    def __init__(self):\n"
            "        self.trainer, self.lines, self.none = Trainer(), iter([1]), None\n"
            "    def __getstate__(self):\n        return {**vars(self), 'trainer': None, 'lines': None}\n"
            "model = Model()\nmodel.trainer.model = model",
            "model",
        )
        self.assertTrue(fresh.model.trainer.fitted)
        self.assertIs(fresh.model.trainer.model, fresh.model)
        # What native code holds is for the class to make anew.
        self.assertIsNone(fresh.model.lines)
        self.assertIsNone(fresh.model.none)

    def test_what_a_state_leaves_out_comes_after_it(self):
        optimizer = self.carried(
            "import io\nclass Optimizer:\n    __module__ = 'library'\n    def __init__(self):\n"
            "        self.rate, self.parameters, self.owner = 0.1, [1, 2], [self]\n"
            "        self.hooks, self.fresh, self.file = {'before': len}, [3], io.StringIO()\n"
            "    def __getstate__(self):\n        return {'rate': self.rate}\n"
            "    def __setstate__(self, state):\n        vars(self).update(state, hooks={}, fresh=[4])\n"
            "optimizer = Optimizer()",
            "optimizer",
        ).optimizer
        self.assertEqual((optimizer.rate, optimizer.parameters, optimizer.hooks), (0.1, [1, 2], {"before": len}))
        self.assertIs(optimizer.owner[0], optimizer)
        # What the class makes anew, with something in it, stays; what is no plain object is for the class to make.
        self.assertEqual(optimizer.fresh, [4])
        self.assertFalse(hasattr(optimizer, "file"))

    def test_what_a_class_of_the_notebook_says_to_pickle_is_not_asked(self):
        fresh = self.carried(
            "class Replay:\n    def __init__(self):\n        self.count, self.rows = 11, [1, 2]\n"
            "    def __getstate__(self):\n        return {'count': self.count}\n"
            "    def __setstate__(self, state):\n        self.count = 0\n"
            "class Handle:\n    def __init__(self, name, held):\n        self.name, self.held = name, held\n"
            "    def __reduce__(self):\n        return Handle, (self.name, None)\n"
            "replay, handle = Replay(), Handle('a', [3])",
            "replay",
            "handle",
        )
        self.assertEqual((fresh.replay.count, fresh.replay.rows, fresh.handle.held), (11, [1, 2], [3]))

    def test_what_would_become_another_kind_is_refused(self):
        with tempfile.NamedTemporaryFile("w+") as file:
            self.assertEqual(self.refused(text=file.file)["name"], "text")
        self.assertEqual(self.refused(view=memoryview(b"abc"))["name"], "view")

    def test_functions_whose_results_are_kept(self):
        source = (
            "import functools\ncalls = []\n"
            "@functools.lru_cache(maxsize=2)\ndef few(n, by=1):\n    calls.append(n)\n    return {'n': n // by}\n"
            "@functools.lru_cache(maxsize=None)\ndef all_of(*n):\n    calls.append(n)\n    return n\n"
            "few(1), few(2, by=2), few(3), few(2, by=2)\nall_of(), all_of(1, 2), all_of('a')"
        )
        fresh = self.carried(source, "few", "all_of")
        for name in ("few", "all_of"):
            self.assertEqual(getattr(fresh, name).cache_info(), self.namespace[name].cache_info())
        fresh.few(3), fresh.few(2, by=2), fresh.all_of(1, 2), fresh.all_of("a")
        self.assertEqual(len(fresh.calls), 6)
        fresh.few(1), fresh.few(2, by=2), fresh.few(3)
        self.assertEqual(fresh.calls[6:], [1, 3])
        with self.assertRaises(ZeroDivisionError):
            fresh.few(1, by=0)

    def test_too_much(self):
        with self.assertRaises(carry.CannotCarry) as caught:
            carry.carry({"text": "x" * 100_000}, 1_000, gpu_tensors.Fetched(), self.namespace)
        self.assertEqual(caught.exception.reason["code"], "too-large-to-carry")
        objects, namespace = {"text": "x" * 100_000}, self.namespace
        payload, sampled = carry.carry(objects, 1_000, gpu_tensors.Fetched(), namespace, most=200_000)
        self.assertEqual((sum(map(len, payload)) > 100_000, sampled), (True, []))

    def test_objects_of_slots_get_no_other_attributes(self):
        fresh = self.carried(
            "class Base:\n    __slots__ = ('a',)\n"
            "class Pair(Base):\n    __slots__ = ('b', '__weakref__')\n"
            "    def __init__(self):\n        self.a, self.b = 1, 2\n"
            "class Open(Base):\n    pass\n"
            "class Named:\n    __slots__ = 'only'\n    limit = 3\n"
            "class Hidden:\n    __slots__ = ('__kept',)\n    def __init__(self):\n        self.__kept = 5\n"
            "    def kept(self):\n        return self.__kept\n"
            "pair, opened, named, hidden = Pair(), Open(), Named(), Hidden()\nnamed.only, opened.c = 4, 6",
            *("pair", "opened", "named", "hidden"),
        )
        self.assertEqual((fresh.pair.a, fresh.pair.b, fresh.named.only, fresh.named.limit), (1, 2, 4, 3))
        self.assertEqual((fresh.hidden.kept(), fresh.opened.c, type(fresh.pair).__slots__), (5, 6, ("b", "__weakref__")))
        self.assertEqual([hasattr(held, "__dict__") for held in (fresh.pair, fresh.named, fresh.hidden)], [False] * 3)
        self.assertIs(weakref.ref(fresh.pair)(), fresh.pair)
        with self.assertRaises(AttributeError):
            fresh.pair.c = 3


def has_libraries(*names):
    return all(importlib.util.find_spec(name) for name in names)


@unittest.skipUnless(by_value and has_libraries("numpy"), "NumPy is not installed")
class SharedMemory(Carried):
    def same(self, text, *names, limit=1 << 20):
        """As `carried`, with what was carried equal to what is here."""
        fresh = self.carried("import numpy as np\n" + text, *names, limit=limit)
        for name in names:
            self.assertEqual(list(fresh.__dict__[name]), list(self.namespace[name]))
        return fresh

    def test_views_of_arrays(self):
        fresh = self.same("a = np.arange(6)\nb, c = a[::-2], a[1:3]\nc.flags.writeable = False", "b", "c", "a")
        fresh.a[1] = 9
        self.assertEqual((fresh.b[2], fresh.c[0]), (9, 9))
        self.assertIs(fresh.b.base, fresh.a)
        self.assertFalse(fresh.c.flags.writeable)

    def test_views_without_what_they_are_views_of(self):
        fresh = self.same("a = np.arange(100)\nb, c = a[:4], a[2:6]", "b", "c")
        fresh.b[3] = 9
        self.assertEqual((fresh.c[1], fresh.b.base is None), (9, False))

    def test_an_array_of_its_own_can_be_resized(self):
        fresh = self.same("a, b = np.arange(3), np.arange(3)", "a", "b")
        fresh.a.resize(5)
        fresh.b[0] = 7
        self.assertEqual(list(fresh.a), [0, 1, 2, 0, 0])

    def test_forms_of_arrays(self):
        text = (
            "a = np.asfortranarray(np.arange(6).reshape(2, 3)).copy(order='F')\nb = np.empty_like(np.zeros((2, 3, 4)).T)\n"
            "b[...] = np.arange(24).reshape(4, 3, 2)\nc, d = np.array('2020-01-01', 'M8[D]'), np.array(['x', 'yy'])\n"
            "e, f = np.broadcast_to(np.arange(3), (4, 3)), np.zeros((2, 0))\ng = np.array([(1, 2.0)], dtype='i4,f8')"
        )
        names = "abcdefg"
        fresh = self.carried("import numpy as np\n" + text, *names)
        for name in names:
            told = [
                (held.tolist(), held.strides, held.dtype, held.flags.owndata, held.flags.writeable)
                for held in (fresh.__dict__[name], self.namespace[name])
            ]
            self.assertEqual(*told)

    def test_bytes_that_python_keeps(self):
        fresh = self.same(
            "import array\nb, s = bytearray(8), array.array('h', [1, 2])\n"
            "c, d = np.frombuffer(b, np.int16), np.frombuffer(s, 'i2')",
            *"cbds",
        )
        fresh.b[2], fresh.s[0] = 1, 5
        self.assertEqual((fresh.c[1], fresh.d[0]), (1, 5))

    def test_files_as_arrays(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "numbers")
            text = "import numpy as np\nnp.arange(4.0).tofile(%r)\na = np.memmap(%r, float, 'r')\nb = a[1:]" % (path, path)
            fresh = self.carried(text, "a", "b")
            self.assertEqual((fresh.a.mode, fresh.b.tolist(), fresh.a.flags.writeable), ("r", [1, 2, 3], False))
            exec("c = np.memmap(%r, float, 'r+')" % path, self.namespace)
            self.assertEqual(self.refused(c=self.namespace["c"])["name"], "c")

    def test_a_small_part_of_much_memory(self):
        self.same("a = np.zeros((3000, 3000))[5, :3]\nb = np.zeros((3000, 3000))[:, 0]", "a", "b")

    @unittest.skipUnless(has_libraries("pandas"), "pandas is not installed")
    def test_frames_stay_apart(self):
        fresh = self.carried("import pandas as pd\na = pd.DataFrame({'x': [1, 2]})\nb = a[:]", "a", "b")
        fresh.b.loc[0, "x"] = 9
        self.assertEqual(int(fresh.a.loc[0, "x"]), 1)

    @unittest.skipUnless(has_libraries("torch"), "torch is not installed")
    def test_tensors(self):
        fresh = self.carried(
            "import numpy as np, torch\na = np.arange(6)\nt, u = torch.from_numpy(a), torch.from_numpy(a[2:])\n"
            "m = torch.zeros(4)\nn, v = m.numpy(), m[1:]\nb = bytearray(4)\nf = torch.frombuffer(b, dtype=torch.uint8)\n"
            "z = torch.tensor([1 + 2j])\ny, r = z.conj(), torch.view_as_real(z)\ng = torch.zeros(2)\n"
            "p = torch.nn.Parameter(torch.ones(3))\nd = p.detach()\ng.note = 'mine'",
            *"tuavmnbfyzrdpg",
        )
        fresh.a[2], fresh.m[1], fresh.b[3] = 9, 4, 7
        seen = (int(fresh.t[2]), int(fresh.u[0]), float(fresh.n[1]), float(fresh.v[0]), int(fresh.f[3]))
        self.assertEqual(seen, (9, 9, 4, 4, 7))
        self.assertEqual((fresh.t.data_ptr(), fresh.u.storage_offset()), (fresh.a.ctypes.data, 0))
        self.assertEqual((fresh.y.tolist(), fresh.y.is_conj(), fresh.r.tolist()), ([1 - 2j], True, [[1, 2]]))
        self.assertTrue(fresh.v._base is fresh.m and fresh.y._base is fresh.z and fresh.r._base is fresh.z)
        fresh.g.resize_(9)
        fresh.d.zero_()
        self.assertEqual((fresh.p.tolist(), fresh.p.requires_grad, fresh.g.note), ([0, 0, 0], True, "mine"))

    @unittest.skipUnless(has_libraries("torch"), "torch is not installed")
    def test_gradients_that_were_kept_on_the_way(self):
        fresh = self.carried(
            "import torch\nx = torch.ones(2, requires_grad=True)\ny = x * 2\ny.retain_grad()\n(y * 3).sum().backward()",
            *"xy",
        )
        self.assertEqual((fresh.x.grad.tolist(), fresh.y.grad.tolist(), fresh.y.is_leaf), ([6, 6], [3, 3], False))


class LibraryTables(unittest.TestCase):
    def test_entries_that_a_library_made_in_use_are_added_and_none_is_replaced(self):
        shelf = types.ModuleType("shelf")
        exec("KNOWN = {'first': 1}\nclass Book:\n    def __init__(self):\n        KNOWN['book'] = 2", shelf.__dict__)
        sys.modules["shelf"] = shelf
        try:
            told = library_tables.taken({"book": shelf.Book()})
            shelf.KNOWN = {"first": 3}
            library_tables.restore(told)
        finally:
            del sys.modules["shelf"]
        self.assertEqual(shelf.KNOWN, {"first": 3, "book": 2})


class Plain:
    def __init__(self, **held):
        self.__dict__.update(held)


class Equality(unittest.TestCase):
    def test_the_same_objects_have_the_same_digests(self):
        made = [{"a": Plain(limit=3, items=[1, {"x": 2.5}]), "b": (1, "two"), "c": None} for _ in range(2)]
        self.assertEqual(equality.digests(made[0]), equality.digests(made[1]))
        self.assertEqual(set(equality.digests(made[0])), {"a", "b", "c"})

    def test_a_part_that_differs_or_is_missing_shows(self):
        before = equality.digests({"a": Plain(limit=3), "b": Plain(cache={}), "c": [[1], [2]]})
        after = equality.digests({"a": Plain(limit=4), "b": Plain(), "c": [[1], [3]]})
        self.assertEqual(equality.unequal(before, after), ["a", "b", "c"])

    def test_sets_are_not_compared(self):
        self.assertEqual(equality.digests({"words": {"a", "b"}}), {})

    def test_a_module_that_was_edited_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "grus_edited_module.py")
            sys.path.insert(0, folder)
            try:
                for text, found in (("def f():\n    return 1\n", []), ("def f():\n    return 2\n", ["grus_edited_module"])):
                    with open(path, "w") as file:
                        file.write(text)
                    module = sys.modules.get("grus_edited_module") or __import__("grus_edited_module")
                    self.assertEqual(equality.edited_modules({"f": module.f}), found)
                    self.assertEqual(equality.edited_modules({"helpers": module, "json": sys.modules["io"]}), found)
            finally:
                sys.path.remove(folder)
                sys.modules.pop("grus_edited_module", None)
