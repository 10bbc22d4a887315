// Functions, classes and modules that the cell changes before it uses them, and what changes between the reading and the run.
import type { CheckCase } from '../../libraries/cases/case.js';

const area = 'def area(w, h, *, unit):\n    return f"{w * h}{unit}"\n';
const files =
  'import importlib, os, pathlib, sys, tempfile\nos.chdir(tempfile.mkdtemp())\nsys.path.insert(0, os.getcwd())\nsys.dont_write_bytecode = True\n' +
  'for name in ("gauge", "gauge_marks"):\n    sys.modules.pop(name, None)\n' +
  'source = pathlib.Path("gauge.py")\nsource.write_text("def read(a): return a\\n")\n' +
  'marks = "import pandas as pd\\n@pd.api.extensions.register_series_accessor(\'marks\')\\nclass Marks:\\n    def __init__(self, s): self.top = s.max()\\n"\n' +
  'pathlib.Path("gauge_marks.py").write_text(marks)\n' +
  'importlib.invalidate_caches()\nimport gauge\nfrom gauge import read\n';
const newer = 'source.write_text("def read(a, b=0, *, c=0): return a + b + c  # newer\\n")\n';

export const changedFunctions: readonly CheckCase[] = [
  {
    check: 'calls/wrong-arguments',
    name: 'a function whose defaults were set',
    setup: `${area}from collections import namedtuple\nSpot = namedtuple("Spot", "x y")\nclass Box:\n    def __init__(self, w): self.w = w\n    def grow(self, by): return self.w + by\nbox = Box(1)`,
    crash: 'area.__doc__ = "two sides"\narea(2, 3)',
    raises: 'TypeError',
    line: 2,
    healthy: [
      'area.__kwdefaults__ = {"unit": "cm"}\narea(2, 3)',
      'area.__defaults__ = (3,)\narea(2, unit="m")',
      'setattr(area, "__defaults__", (3,))\narea(2, unit="m")',
      'area.__code__ = (lambda w: w).__code__\narea(2)',
      'def short(function):\n    function.__defaults__ = (1, 1)\nshort(area)\narea(unit="m")',
      'Spot.__new__.__defaults__ = (0, 0)\nSpot(1), Spot()',
      'Box.__init__.__defaults__ = (5,)\nBox().w',
      'Box.grow.__defaults__ = (5,)\nbox.grow()',
      'setattr(Box, "grow", lambda self: 7)\nbox.grow()',
      'for name in ["grow"]:\n    setattr(Box, name, lambda self: 7)\nbox.grow()',
    ],
  },
  {
    check: 'calls/wrong-arguments',
    name: 'a function whose defaults an earlier cell set',
    setup: `${area}area.__kwdefaults__ = {"unit": "cm"}`,
    crash: 'area(2)',
    raises: 'TypeError',
    line: 1,
    healthy: ['area(2, 3)', 'assert area(2, 3) == "6cm"'],
  },
  {
    check: 'values/false-assertion',
    name: 'the default that a function has by now',
    setup: 'def rate(x, by=2):\n    return x * by\nrate.__defaults__ = (5,)',
    crash: 'assert rate(3) == 6',
    raises: 'AssertionError',
    line: 1,
    healthy: 'assert rate(3) == 15',
  },
];

export const changedModules: readonly CheckCase[] = [
  {
    check: 'calls/wrong-arguments',
    name: 'a function of a module that nothing has loaded again',
    setup: files,
    crash: `${newer}gauge.read(1, 2)`,
    raises: 'TypeError',
    line: 2,
    healthy: [
      `${newer}importlib.reload(gauge)\ngauge.read(1, 2, c=3)`,
      `${newer}from importlib import reload\ngauge = reload(gauge)\ngauge.read(1, 2)`,
      `${newer}del sys.modules["gauge"]\nimport gauge\ngauge.read(1, 2)`,
      'gauge.read = lambda a, b: a + b\ngauge.read(1, 2)',
      'setattr(gauge, "read", lambda a, b: a + b)\ngauge.read(1, 2)',
      'vars(gauge)["read"] = lambda a, b: a + b\ngauge.read(1, 2)',
      'gauge.__dict__.update(read=lambda a, b: a + b)\ngauge.read(1, 2)',
      'import gauge as other\nother.read = lambda a, b: a + b\ngauge.read(1, 2)',
      'from unittest import mock\nwith mock.patch.object(gauge, "read"):\n    gauge.read(1, 2)',
      'from unittest import mock\nwith mock.patch("gauge.read"):\n    gauge.read(1, 2)',
    ],
  },
  {
    check: 'calls/wrong-arguments',
    name: 'a function that was taken off a module before it was loaded again',
    setup: files,
    crash: `${newer}importlib.reload(gauge)\nread(1, 2)`,
    raises: 'TypeError',
    line: 3,
    healthy: `${newer}importlib.reload(gauge)\nread = gauge.read\nread(1, 2)`,
  },
];

const marks =
  'class Marks:\n    def __init__(self, s): self._s = s\n    @property\n    def top(self): return self._s.max()\n';

export const changedClasses: readonly CheckCase[] = [
  {
    check: 'calls/refused-by-library',
    name: 'an attribute of a series that no code of the cell can give it',
    setup: `${files}import pandas as pd\nlevels = pd.Series([1.0, 2.0])\nwater = pd.DataFrame({"level": levels})\n`,
    crash: `@staticmethod\ndef top(s): return s\nwater.level.marks.top`,
    raises: 'AttributeError',
    line: 3,
    healthy: [
      `@pd.api.extensions.register_series_accessor("marks")\n${marks}water.level.marks.top`,
      `name = "ma" + "rks"\n@pd.api.extensions.register_series_accessor(name)\n${marks}water.level.marks.top`,
      `${marks}pd.api.extensions.register_series_accessor("marks")(Marks)\nwater.level.marks.top`,
      `${marks}pd.Series.marks = property(Marks)\nwater.level.marks.top`,
      `${marks}setattr(pd.Series, "marks", property(Marks))\nwater.level.marks.top`,
      `def give(cls):\n    pd.Series.marks = property(cls)\n    return cls\n@give\n${marks}water.level.marks.top`,
      'import gauge_marks\nwater.level.marks.top',
    ].map((cell) => `${cell}\ndel pd.Series.marks`),
  },
  {
    check: 'attributes/missing-attribute',
    name: 'of what a function gives whose result is a tuple with more than its fields',
    setup: 'from scipy import stats\nx, y = [1.0, 2.0, 3.0, 4.0], [1.1, 1.9, 3.2, 3.9]',
    onlyIf: '__import__("scipy")',
    crash: 'a, b, r, p, e = fit = stats.linregress(x, y)\nfit.slopes',
    raises: 'AttributeError',
    line: 2,
    healthy: [
      'a, b, r, p, e = fit = stats.linregress(x, y)\nfit.intercept_stderr + fit.slope, fit.count(0), fit._asdict()',
      'fit = stats.linregress(x, y)\nfit.intercept_stderr',
    ],
  },
];

const strict =
  'import warnings, numpy as np\ncaught = warnings.catch_warnings()\ncaught.__enter__()\nwarnings.simplefilter("error")\nbefore = np.geterr()\nnp.seterr(divide="raise")\nzero = np.array([0.0, 1.0])\nnone = np.array([np.nan])\n';
const mild = 'np.seterr(**before)\ncaught.__exit__(None, None, None)';

export const settings: readonly CheckCase[] = [
  {
    check: 'calls/refused-by-library',
    name: 'what a setting of an earlier cell forbids',
    setup: strict,
    crash: 'np.log(np.array([0.0, 1.0]))',
    raises: 'FloatingPointError',
    line: 1,
    healthy: [
      'np.seterr(divide="ignore")\nnp.log(np.array([0.0, 1.0]))',
      'with np.errstate(divide="ignore"):\n    print(np.log(np.array([0.0, 1.0])))',
      'def quiet():\n    np.seterr(all="ignore")\nquiet()\nnp.log(np.array([0.0, 1.0]))',
      'warnings.simplefilter("ignore")\nnp.nanmean(none)',
      'with warnings.catch_warnings():\n    warnings.simplefilter("ignore")\n    print(np.nanmean(none))',
    ].map((cell) => `${cell}\n${mild}`),
  },
  {
    check: 'calls/refused-by-library',
    name: 'a warning that a setting of an earlier cell makes an error',
    setup: strict,
    crash: 'np.nanmean(none)',
    raises: 'RuntimeWarning',
    line: 1,
    healthy: `np.nanmean(zero)\n${mild}`,
  },
];

const noting =
  'seen, other = [], []\ncalled = get_ipython().events.callbacks["pre_run_cell"]\ndef note(*_):\n    seen.append(1)\n    called.remove(note)\n';

export const calledFirst: readonly CheckCase[] = [
  {
    check: 'values/false-assertion',
    name: 'a list that a function which is called before the cell fills',
    setup: noting,
    healthySetup: `${noting}called.append(note)`,
    crash: 'assert len(seen) >= 1',
    raises: 'AssertionError',
    line: 1,
    healthy: 'assert len(seen) >= 1',
  },
  {
    check: 'values/false-assertion',
    name: 'a list that the function which is called before the cell leaves alone',
    setup: `${noting}called.append(note)`,
    crash: 'assert len(other) >= 1',
    raises: 'AssertionError',
    line: 1,
    healthy: 'assert len(other) == 0',
  },
];
