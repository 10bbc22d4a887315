"""Files that cut rounds write and later lines look for."""

import argparse
import ast
import json
import os
import pathlib
import sys
import tempfile
import unittest

from agent.isolation.effects import Effects
from agent.shorten import coverage, file_names, loops, things
from agent.shorten.file_checks import FileChecks

from agent_test.test_shortening import keep_text


class Files(unittest.TestCase):
    def setUp(self):
        self.cuts = loops.Cuts(Effects())
        self.checks = FileChecks({}, self.cuts)
        self.checks.stat = os.stat
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(os.path.realpath(self.folder.name), "log")

    def level(self, openings, text="", error=None, early=((100.0, 200.0),)):
        with open(self.path, "w", encoding="utf-8") as held:
            held.write(text)
        os.utime(self.path, (300, 300))
        self.checks.openings = {self.path: openings}
        self.cuts.early = list(early)
        return self.checks.level_of(self.path, error, True, False)

    def test_a_folder_that_got_nothing_new(self):
        self.checks.since = os.stat(self.folder.name).st_mtime + 1
        self.assertEqual(self.checks.level_of(self.folder.name, None, True, False), things.NOTHING)
        self.assertEqual(self.checks.level_of(self.folder.name, None, True, True), things.LOST)
        self.assertEqual(self.checks.level_of(self.path + "/rc", None, True, False), things.NOTHING)
        self.checks.since -= 2
        self.assertEqual(self.checks.level_of(self.folder.name, None, True, False), things.LOST)
        self.assertEqual(self.checks.level_of(self.path + "/rc", None, True, False), things.LOST)

    def test_written_anew_after_the_rounds(self):
        self.assertEqual(self.level([(150.0, True), (299.0, True)]), things.VALUE)

    def test_written_anew_in_one_of_them(self):
        self.assertEqual(self.level([(150.0, True)]), things.FORM)

    def test_every_round_adds_to_it(self):
        self.assertEqual(self.level([(150.0, False), (299.0, False)]), things.GROWN)
        self.assertEqual(self.level([(50.0, True)]), things.GROWN)

    def test_an_error_about_its_beginning(self):
        error = json.JSONDecodeError("Extra data", "{}\n{}\n", 3)
        self.assertEqual(self.level([(150.0, False)], "{}\n{}\n", error), things.NOTHING)
        self.assertEqual(self.level([(150.0, True)], "{}\n{}\n", error), things.FORM)
        self.assertEqual(self.level([(150.0, False)], "{}", json.JSONDecodeError("Expecting", "{}", 2)), things.GROWN)

    def test_a_name_that_no_round_writes(self):
        self.checks.openings = {"/run/net-10.pt": [(150.0, True)], "/run/net-20.pt": [(250.0, True)]}
        self.cuts.spans = [[100.0, 200.0]]
        self.assertFalse(self.checks.may_come("/run/net.pt"))
        self.assertTrue(self.checks.may_come("/run/net-15.pt"))
        # Every one of them was written beside the rounds.
        self.cuts.spans = [[100.0, 149.0], [200.0, 249.0]]
        self.assertFalse(self.checks.may_come("/run/net-15.pt"))
        self.checks.openings["/run/last.pt"] = []
        self.assertTrue(self.checks.may_come("/run/best.pt"))


class FileNames(unittest.TestCase):
    """What the name of a file is made of that the code of a notebook writes."""

    def made_of(self, source, **names):
        found = []
        with tempfile.TemporaryDirectory() as folder:
            names = {"__name__": "__main__", "root": folder, "os": os, "Path": pathlib.Path, **names}

            def write(path, mode="w"):
                whole = os.path.realpath(path)
                found.append(file_names.settings_of(whole, sys._getframe(1), names))
                return names

            names["write"] = write
            keep_text("<cell>", source)
            exec(compile(source, "<cell>", "exec"), names)
        return [None if one is None else sorted(one) for one in found]

    def test_constants_and_settings(self):
        args = argparse.Namespace(name="net")
        self.assertEqual(self.made_of("write('best.pt')"), [[]])
        self.assertEqual(self.made_of("write(os.path.join(root, f'{args.name}.pt'))", args=args), [["args.name", "root"]])
        self.assertEqual(self.made_of("write(Path(root) / 'a.csv', 'w')"), [["root"]])

    def test_through_functions(self):
        source = (
            "def save(model, name, folder='runs'):\n    path = os.path.join(folder, name)\n    write(path)\n"
            "for epoch in range(1):\n    save(None, kind + '.pt')"
        )
        self.assertEqual(self.made_of(source, kind="best"), [["kind"]])

    def test_more_has_a_say(self):
        self.assertEqual(self.made_of("write('a.pt' if root else 'b.pt')"), [None])
        self.assertEqual(self.made_of("def pick(name):\n    return name\nwrite(pick('a.pt'))"), [None])
        self.assertEqual(self.made_of("write({'x': 'a.pt'}[key])", key="x"), [None])
        source = "def save(name):\n    name = name.lower()\n    write(name)\nsave('a.pt')"
        self.assertEqual(self.made_of(source), [None])
        source = "def name():\n    return 'a.pt'\ndef save():\n    path = name()\n    write(path)\nsave()"
        self.assertEqual(self.made_of(source), [None])

    def test_what_is_computed_may_choose_what_is_called(self):
        def may(text):
            return coverage.may_call_another(ast.parse(text))

        self.assertTrue(may("save() if better else None"))
        self.assertTrue(may("better and save()"))
        self.assertTrue(may("savers[kind]()"))
        self.assertFalse(may("tag = 'a' if better else 'b'\nsave(tag)"))
