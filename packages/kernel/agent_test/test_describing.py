"""Plain values, samples and descriptions, none of which may run code of the objects."""

import math
import sys
import types
import unittest

from agent.describe import builtins, code, containers  # noqa: F401 (they register what they describe)
from agent.describe.registry import describes, drop_tables, keep_tables, tables
from agent.describe.walk import Walk
from agent.objects.budget import Budget
from agent.objects.literals import label, literal
from agent.objects.lookup import (
    MISSING,
    attribute_value,
    class_name,
    forget_holders,
    instance_dict,
    module_dict,
    static_names,
)
from agent.objects.resolve import resolve
from agent.objects.similar_names import alike


class Hostile:
    """Every way to be asked raises."""

    def __init__(self):
        vars(self)["kept"] = 1

    def __getattribute__(self, name):
        raise AssertionError("asked for " + name)

    def __eq__(self, other):
        raise AssertionError("compared")

    __hash__ = None

    def __repr__(self):
        raise AssertionError("shown")

    def __len__(self):
        raise AssertionError("measured")

    def __iter__(self):
        raise AssertionError("iterated")


def hostile():
    made = object.__new__(Hostile)
    object.__setattr__(made, "kept", 1)
    return made


def described(value, limits=None):
    walk = Walk(None, Budget(limits or {"ms": 10_000}), 0, [])
    ref = walk.ref(value)
    walk.run()
    return walk.objects[ref], walk.objects


class Literals(unittest.TestCase):
    def test_plain_values_are_told_as_they_are(self):
        for value in (None, True, 3, 2.5, "text", -(2**53)):
            self.assertEqual(literal(value), (value, False))

    def test_what_json_cannot_hold(self):
        self.assertEqual(literal(math.nan), ({"special": "nan"}, False))
        self.assertEqual(literal(-math.inf), ({"special": "-inf"}, False))
        self.assertEqual(literal(2**60), ({"special": str(2**60)}, False))
        self.assertEqual(literal(2**600), ({"special": "int of 601 bits"}, True))

    def test_long_text_is_cut(self):
        self.assertEqual(literal("abcdef", 3), ("abc", True))

    def test_subclasses_may_have_code_of_their_own(self):
        class Text(str):
            pass

        self.assertIs(literal(Text("a"))[0], MISSING)

    def test_labels(self):
        self.assertEqual(label(("a", 1)), ["a", 1])
        self.assertEqual(label(object()), {"special": "<object>"})


class Lookup(unittest.TestCase):
    def test_nothing_of_the_object_runs(self):
        made = hostile()
        self.assertEqual(instance_dict(made), {"kept": 1})
        self.assertEqual(attribute_value(made, "kept"), 1)
        self.assertEqual(class_name(type(made)).rpartition(".")[2], "Hostile")
        self.assertIn("kept", static_names(made, 1_000))

    def test_attributes_as_python_would_find_them(self):
        class Model:
            size = 3

        self.assertEqual(resolve(Model(), "size", {})[:2], ("present", 3))
        self.assertEqual(resolve(Model(), "sise", {})[0], "absent")

    def test_names_that_resemble(self):
        self.assertEqual(alike("colums", ["columns", "index", "__init__"])[0], "columns")


class Describing(unittest.TestCase):
    def test_an_object_that_refuses_everything(self):
        told, _ = described(hostile())
        self.assertEqual(told["kind"], "instance")
        self.assertTrue(told["representation"]["iterable"])

    def test_containers_by_their_contents(self):
        told, objects = described({"a": [1, 2], "b": (None,)})
        self.assertEqual(told["structural"]["keys"], ["a", "b"])
        self.assertEqual(told["representation"]["length"], 2)
        kinds = [objects[ref]["kind"] for ref in objects]
        self.assertIn("list", kinds)
        self.assertIn("tuple", kinds)

    def test_a_list_that_contains_itself(self):
        looped = []
        looped.append(looped)
        told, objects = described(looped)
        self.assertEqual((told["kind"], len(objects)), ("list", 1))

    def test_no_more_than_the_budget(self):
        _, objects = described([[number] * 3 for number in range(50)], {"ms": 10_000, "bytes": 500})
        self.assertIn("omitted", [told["kind"] for told in objects.values()])

    @unittest.skipUnless("numpy" in sys.modules or __import__("importlib.util").util.find_spec("numpy"), "no NumPy")
    def test_an_array(self):
        import numpy
        from agent.describe import numpy as _describes_arrays  # noqa: F401

        told, _ = described(numpy.array([[1.0, numpy.nan]]))
        self.assertEqual(told["representation"]["shape"], [1, 2])
        self.assertTrue(told["values"]["has_nan"])


class OddKey:
    """Found where a name is looked up, and not to be compared with it."""

    def __hash__(self):
        return hash("name")

    def __eq__(self, other):
        raise AssertionError("compared")


class NamesOfModules(unittest.TestCase):
    def test_read_again_as_they_are(self):
        module = types.ModuleType("module")
        module_dict(module)
        vars(module)["name"] = 1
        forget_holders()
        self.assertEqual((module_dict(module) or {}).get("name"), 1)

    def test_a_key_that_came_later_is_not_asked(self):
        odd = OddKey()
        for replaced in ((), ("one",)):
            module = types.ModuleType("module")
            vars(module).update(one=1, other=2)
            module_dict(module)
            for name in replaced:
                del vars(module)[name]
            vars(module)[odd] = 3
            # Once more at the end, as many names as before.
            vars(module)["other"] = vars(module).pop("other")
            forget_holders()
            self.assertIsNone((module_dict(module) or {}).get("name"))


class KeptTables(unittest.TestCase):
    def test_they_hold_until_a_module_comes_or_they_are_dropped(self):
        describes("late_module:Late")(lambda *_: None)
        late = types.ModuleType("late_module")
        vars(late)["Late"] = type("Late", (), {})
        try:
            keep_tables()
            self.assertIs(tables(), tables())
            sys.modules["late_module"] = late
            self.assertIn(id(vars(late)["Late"]), tables()[0])
            keep_tables()
            vars(late)["Late"] = type("Late", (), {})
            drop_tables()
            self.assertIn(id(vars(late)["Late"]), tables()[0])
        finally:
            drop_tables()
            sys.modules.pop("late_module", None)
