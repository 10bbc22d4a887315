"""Words that no round can put into a table."""

import ast
import sys
import types
import unittest

from agent.shorten.callbacks import touched
from agent.shorten.words import Words

HISTORY = "history = {'loss': [], 'val_acc': []}\n"


def comes(word, code="", values=None, libraries=()):
    return not Words(ast.parse(HISTORY + code).body, values or {}).never_has(word, libraries)


class NotThere:
    """As a module that is loaded when it is asked."""

    def __getattr__(self, name):
        raise ImportError(name)


class Keys(unittest.TestCase):
    def test_modules_of_a_library_that_are_not_there(self):
        library = sys.modules["grustestlazy"] = types.ModuleType("grustestlazy")
        vars(library).update(later=NotThere(), told=lambda: "own_word")
        try:
            self.assertTrue(comes("own_word", libraries=("grustestlazy",)))
            self.assertFalse(comes("other", libraries=("grustestlazy",)))
        finally:
            del sys.modules["grustestlazy"]

    def test_a_word_that_nothing_says(self):
        for code in (
            "for epoch in rounds:\n    history['loss'].append(epoch)",
            "if good:\n    history['best'] = epoch",
            "print(f'{name}')",
            "torch.save(state, f'{folder}/last.pt')",
            "print(', '.join(names))",
            "text = '%d of %d' % (epoch, epochs)",
            "for batch in torch.randperm(n).split(40):\n    total = total + loss(batch)",
            "rows[epoch + 1] = epoch",
        ):
            with self.subTest(code):
                self.assertFalse(comes("valid_acc", code))

    def test_a_word_that_is_said(self):
        for code in (
            "history['valid'] = []",
            "history.update(valid=[])",
            "for name in 'train valid'.split():\n    history[name] = []",
            "class Row:\n    valid: float = 0.0",
            "def log(valid):\n    history.update(locals())",
        ):
            with self.subTest(code):
                self.assertTrue(comes("valid", code))

    def test_a_word_that_is_put_together(self):
        for code in (
            "history[f'{split}_loss'] = []",
            "history[f'{name}'] = []",
            "history[split + '_loss'] = []",
            "history['%s_loss' % split] = []",
            "history['{}_{}'.format(split, name)] = []",
            "history['_'.join(parts)] = []",
            "history[pattern.format(split)] = []",
            "history[name.lower()] = []",
            "history[first + second] = []",
            "name = first + second\nhistory[name] = []",
            "history[line.split()[0]] = []",
            "for row in rows:\n    history[next(csv.reader(row))[0]] = []",
        ):
            with self.subTest(code):
                self.assertTrue(comes("valid_loss", code))

    def test_tables_that_have_every_word(self):
        self.assertTrue(comes("valid", "scores = defaultdict(list)"))
        self.assertTrue(comes("valid", "class Scores(dict):\n    def __missing__(self, key):\n        return 0"))

    def test_words_of_the_data(self):
        self.assertTrue(comes("cat", values={"names": ["dog", "cat"]}))
        self.assertTrue(comes("cat", values={"labels": {"kinds": ("dog", "cat")}}))
        self.assertFalse(comes("cat", values={"names": ["dog"], "numbers": [1] * 1_000}))

    def test_names_of_attributes(self):
        self.assertTrue(comes("head.weight", "if late:\n    model.head = Linear(3, 4)"))

    def test_words_of_a_library(self):
        library = types.ModuleType("says_words.inner")
        exec("def log(to, value):\n    to['loss'] = to['eval'] = value", vars(library))
        sys.modules["says_words.inner"] = library
        self.addCleanup(sys.modules.pop, "says_words.inner")
        self.assertFalse(comes("loss_of_all", "", libraries=["says_words"]))
        self.assertTrue(comes("eval", "", libraries=["says_words"]))
        self.assertTrue(comes("eval_val_acc", "", libraries=["says_words"]))
        self.assertFalse(comes("eval_accuracy", "", libraries=["says_words"]))
        self.assertFalse(comes("eval"))

    def test_a_library_that_names_nothing_by_itself(self):
        library = types.ModuleType("lightning.words")
        exec("def log(to, value):\n    to['epoch'] = to['val'] = to['mean'] = value", vars(library))
        sys.modules["lightning.words"] = library
        self.addCleanup(sys.modules.pop, "lightning.words")
        step = "mean = 0\nself.log('train_loss', mean)\n"
        self.assertFalse(comes("val_mean", step, libraries=["lightning"]))
        for word in ("epoch", "train_loss_epoch", "val_val_acc"):
            self.assertTrue(comes(word, step, libraries=["lightning"]), word)
        self.assertTrue(comes("val_mean", step + "self.log_dict(dict(mean=mean))", libraries=["lightning"]))
        self.assertTrue(comes("val_Accuracy", step + "metrics = Collection([Accuracy()], 'val_')", libraries=["lightning"]))


class Files(unittest.TestCase):
    def written(self, path, code, values=None):
        return not Words(ast.parse(code).body, values or {}).never_writes(path)

    def test_a_name_that_nothing_says(self):
        for code in (
            "torch.save(state, os.path.join(folder, f'epoch{epoch + 1}.pt'))",
            "open(out / 'curve.json', 'w').write(text)",
            "model.eval()\nhistory = []",
            "text = f'{loss:.4f}'",
        ):
            with self.subTest(code):
                self.assertFalse(self.written("runs/history.json", code))

    def test_a_name_that_may_come(self):
        for code in (
            "open(out / 'history.json', 'w').write(text)",
            "open(f'{out}/{name}.json', 'w')",
            "open('runs/' + name, 'w')",
            "save(text, 'runs/history')",
            "path = path.with_suffix('.json')",
            "archive.extractall(out)",
            "eval(text)",
        ):
            with self.subTest(code):
                self.assertTrue(self.written("runs/history.json", code))
        self.assertTrue(self.written("runs/history.json", "open(path, 'w')", {"path": "runs/history.json"}))


class Held:
    """As something of a library that nobody knows."""

    def __init__(self, *parts):
        self.parts = list(parts)


class Reach(unittest.TestCase):
    def touched(self, library, owner, **values):
        return {name for name, _ in touched({"trainer": owner, **values}, library, owner, lambda value: 1)}

    def test_a_trainer_gets_at_what_it_holds(self):
        inner, apart = Held(), Held()
        outer, beside = Held(inner), Held(inner)
        trainer = Held(outer, lambda: outer)
        found = self.touched("lightning", trainer, outer=outer, inner=inner, beside=beside, apart=apart)
        self.assertEqual(found, {"trainer", "outer", "inner", "beside"})

    def test_what_a_function_keeps(self):
        kept = Held()
        self.assertIn("kept", self.touched("lightning", Held(lambda: kept), kept=kept))

    def test_others_keep_nothing_of_what_they_were_given(self):
        self.assertIn("apart", self.touched("keras", Held(), apart=Held()))
