// Code that runs although no call of it is in sight: properties, descriptors, operators, callbacks, bound methods kept under
// a name, generators and threads of earlier cells. What it may have done is not held against the cell.
import type { CheckCase } from '../../libraries/cases/case.js';

const frame = `import functools, threading
import pandas as pd
frame = pd.DataFrame({"a": [1, 2]})
add = functools.partial(frame.insert, 0)
put = frame.insert
hooks = {"go": lambda: frame.insert(0, "x", 1)}
thread = threading.Thread(target=lambda: frame.insert(0, "x", 1))
lazy = (frame.insert(0, name, 1) for name in ["x"])
mapped = map(lambda name: frame.insert(0, name, 1), ["x"])
def late():
    frame["x"] = 1
    yield 1
drawn = late()
class Source:
    @property
    def ready(self):
        frame["x"] = 1
        return True
    def __len__(self):
        frame["x"] = 1
        return 1
source = Source()
`;

export const outOfSight: readonly CheckCase[] = [
  {
    check: 'values/false-assertion',
    name: 'about a list that an inherited method may fill',
    setup:
      'import logging\nchanges = [1]\nclass Telling(logging.Handler):\n    def __init__(self, tell):\n        super().__init__()\n        self.emit = tell\ntelling = Telling(changes.append)\n',
    crash: 'total = len(changes)\nassert len(changes) == 2',
    raises: 'AssertionError',
    line: 2,
    healthy: ['telling.handle(logging.makeLogRecord({}))\nassert len(changes) == 2'],
  },
  {
    check: 'attributes/missing-attribute',
    name: 'of an object whose class has properties',
    crash: `class Model:
    def fit(self): self.coef_ = [1]
    @property
    def size(self): return 3
model = Model()
model.size
model.coef_`,
    raises: 'AttributeError',
    line: 7,
    healthy: [
      'class A:\n    @property\n    def data(self):\n        self.cache = 1\n        return 5\na = A()\na.data\na.cache',
      'class A:\n    @property\n    def x(self): return self.kept\n    @x.setter\n    def x(self, v): self.kept = v\na = A()\na.x = 5\na.kept',
      'class A:\n    def fit(self): self._fit()\n    def _fit(self): self.coef_ = [1]\n    @property\n    def ready(self): self.fit(); return True\na = A()\na.ready\na.coef_',
      'class A:\n    def __setattr__(self, k, v): object.__setattr__(self, "its_" + k, v)\na = A()\na.x = 3\na.its_x',
      'class Field:\n    def __get__(self, o, t=None): return 1\n    def __set__(self, o, v): o.__dict__["kept"] = v\nclass A:\n    x = Field()\na = A()\na.x = 4\na.kept',
      'class A:\n    def __init__(self, **kw): vars(self).update(kw)\nA(q=1).q',
      'def fill(o): o.__dict__.update(deep=4)\nclass A:\n    def __init__(self): fill(self)\nA().deep',
      'class A:\n    def __init__(self): self.__dict__ = {"restored": 9}\nA().restored',
      'class A:\n    def __len__(self): self.counted = True; return 3\na = A()\nlen(a)\na.counted',
      'class A:\n    def __enter__(self): self.entered = 1\n    def __exit__(self, *a): pass\na = A()\nwith a: pass\na.entered',
      'class Field:\n    def __set_name__(self, owner, name): owner.registered = name\nclass A:\n    x = Field()\nA.registered.upper()',
      'class A: pass\nclass B:\n    def only(self): return 1\na = A()\na.__class__ = B\na.only()',
    ],
  },
  {
    check: 'attributes/missing-attribute',
    name: 'of a module that the cell itself writes',
    crash: 'import math\nmath.squareroot',
    raises: 'AttributeError',
    line: 2,
    healthy:
      'import sys, pathlib\npathlib.Path("made_here.py").write_text("def fn(): return 1")\nsys.path.insert(0, str(pathlib.Path.cwd()))\nimport made_here\nmade_here.fn()',
  },
  {
    check: 'types/unsupported-operands',
    name: 'of a method that another base hides',
    crash:
      'class A:\n    def f(self): return 1\nclass B:\n    def f(self): return [1]\nclass C(B, A): pass\nC().f() + 1',
    raises: 'TypeError',
    line: 6,
    healthy:
      'class A:\n    def f(self): return 1\nclass B(A): pass\nclass C:\n    def f(self): return [1]\nclass D(B, C): pass\nD().f() + 1',
  },
  {
    check: 'shapes/not-broadcastable',
    name: 'where the exception is expected',
    setup: 'import numpy as np',
    crash: 'with np.errstate(all="ignore"):\n    np.ones(3) + np.ones(4)',
    raises: 'ValueError',
    line: 2,
    healthy: 'with np.testing.assert_raises(ValueError):\n    np.ones(3) + np.ones(4)',
  },
  {
    check: 'columns/missing-column',
    name: 'that code of earlier cells adds',
    setup: frame,
    crash: 'len(hooks)\nframe["x"]',
    raises: 'KeyError',
    line: 2,
    healthy: [
      'add("x", 1)\nframe["x"]',
      'put(0, "x", 1)\nframe["x"]',
      'hooks["go"]()\nframe["x"]',
      'thread.start()\nthread.join()\nframe["x"]',
      'list(lazy)\nframe["x"]',
      'for _ in mapped: frame["x"]',
      'next(drawn)\nframe["x"]',
      'source.ready\nframe["x"]',
      'len(source)\nframe["x"]',
    ],
  },
  {
    check: 'labels/missing-key',
    name: 'that a bound method adds',
    setup: 'd = {}\nupdate = d.update',
    crash: 'd["a"]',
    raises: 'KeyError',
    line: 1,
    healthy: 'update(a=1)\nd["a"]',
  },
  {
    check: 'labels/missing-key',
    name: 'of a registry that a class method fills',
    setup:
      'class Models:\n    known = {}\n    @classmethod\n    def register(cls, name):\n        def keep(function):\n            cls.known[name] = function\n            return function\n        return keep\n',
    crash: 'Models.known["a"]',
    raises: 'KeyError',
    line: 1,
    healthy: [
      '@Models.register("a")\ndef model(): return 1\nModels.known["a"]()',
      'Models.register("a")(len)\nModels.known["a"]',
    ],
  },
  {
    check: 'labels/missing-key',
    name: 'of a dict whose class has a decorator',
    setup:
      'class Registry(dict):\n    def register(self, made):\n        self[made.__name__] = made\n        return made\nregistry = Registry()',
    crash: 'registry["model"]',
    raises: 'KeyError',
    line: 1,
    healthy: [
      '@registry.register\ndef model(): return 1\nregistry["model"]()',
      '@registry.register\nclass model: pass\nregistry["model"]()',
    ],
  },
  {
    check: 'types/not-subscriptable',
    name: 'a value that a class method replaces',
    crash: 'class Shared:\n    held = None\nShared.held["k"]',
    raises: 'TypeError',
    line: 3,
    healthy: [
      'class Shared:\n    held = None\n    @classmethod\n    def get(cls):\n        if cls.held is None: cls.held = {"k": 1}\n        return cls.held\nShared.get()\nShared.held["k"]',
      'class Lazy:\n    def __init__(self): self.held = None\n    @property\n    def ready(self):\n        self.held = {"k": 1}\n        return True\nlazy = Lazy()\nlazy.ready\nlazy.held["k"]',
    ],
  },
  {
    check: 'labels/missing-key',
    name: 'of a dict that goes by other names too',
    setup:
      'import copy, itertools, random, types\nd = {}\nd_and_more = [d]\ndef keep(name, table=d): table[name] = 1\nclass Box:\n    held = None\n    def __init__(self): self.map = {}\n    def load(self): self.map["a"] = 1\nbox = Box()',
    crash: 'len(d_and_more)\nd["a"]',
    raises: 'KeyError',
    line: 2,
    healthy: [
      'keep("a")\nd["a"]',
      'import __main__ as notebook\nnotebook.d["a"] = 1\nd["a"]',
      'import sys\nsys.modules["__main__"].d["a"] = 1\nd["a"]',
      'list(map(Box.load, [box]))\nbox.map["a"]',
      'copy.copy(box).load()\nbox.map["a"]',
      'random.choice(d_and_more)["a"] = 1\nd["a"]',
      'for each in itertools.chain(d_and_more): each["a"] = 1\nd["a"]',
      'types.SimpleNamespace(d=d).d["a"] = 1\nd["a"]',
      'from dataclasses import dataclass\n@dataclass\nclass Holder:\n    d: dict\nHolder(d).d["a"] = 1\nd["a"]',
    ],
  },
  {
    check: 'values/division-by-zero',
    name: 'by a number of the class that its objects count',
    crash: 'class Counted:\n    n = 0\n1 / Counted.n',
    raises: 'ZeroDivisionError',
    line: 3,
    healthy: [
      'class Counted:\n    n = 0\n    def __init__(self): type(self).n += 1\nCounted()\n1 / Counted.n',
      'class Counted:\n    n = 0\n    def __init__(self): self.__class__.n += 1\nCounted()\n1 / Counted.n',
    ],
  },
  {
    check: 'names/undefined-name',
    name: 'that a hook binds before every cell',
    crash: 'from_hook',
    raises: 'NameError',
    line: 1,
    healthySetup: `def hook(info):
    globals().update(from_hook=1)
    get_ipython().events.unregister("pre_run_cell", hook)
get_ipython().events.register("pre_run_cell", hook)`,
    healthy: 'from_hook',
  },
  {
    check: 'attributes/missing-attribute',
    name: 'of an object that a function of its own library may change',
    onlyIf: '__import__("importlib.util").util.find_spec("networkx") is not None',
    setup: 'import networkx as nx\ngraph = nx.Graph()',
    crash: 'len(graph)\ngraph.frozen',
    raises: 'AttributeError',
    line: 2,
    healthy: 'nx.freeze(graph)\ngraph.frozen',
  },
];
