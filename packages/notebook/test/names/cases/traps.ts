// Cells that run, written to look as if they would not.

export interface Trap {
  readonly id: string;
  readonly setup?: string;
  readonly cell: string;
}

export const traps: readonly Trap[] = [
  { id: 'automagic word', cell: 'pwd' },
  { id: 'automagic with argument', cell: 'cd .' },
  { id: 'automagic list', cell: 'who' },
  { id: 'exit code of a shell line', cell: '!false\nprint(_exit_code)' },
  {
    id: 'exit code of a shell line in a function',
    cell: 'def tried():\n    !true\n    return _exit_code\ntried()',
  },
  { id: 'set-up code of timeit', cell: '%%timeit -n1 -r1 base = 5\nbase + 1' },
  { id: 'timeit of a body', cell: '%%timeit -n 1 -r 1\nlocal_one = 2\nlocal_one + 1' },
  {
    id: 'module edited under autoreload',
    setup:
      'import os\nopen("auto_mod.py", "w").write("a = 1\\n")\nimport auto_mod\nget_ipython().run_line_magic("load_ext", "autoreload")\nget_ipython().run_line_magic("autoreload", "2")\nopen("auto_mod.py", "w").write("a = 1\\nb = 2\\n")\nos.utime("auto_mod.py", (2e9, 2e9))',
    cell: 'from auto_mod import b',
  },
  {
    id: 'bound in an earlier round',
    cell: 'for i in range(3):\n    if i > 0:\n        print(prev)\n    prev = i',
  },
  {
    id: 'bound in a while loop',
    cell: 'n = 0\nwhile n < 3:\n    if n:\n        last_n\n    last_n = n\n    n += 1',
  },
  {
    id: 'bound by both branches',
    setup: 'import random',
    cell: 'if random.random() > 0.5:\n    side = 1\nelse:\n    side = 2\nprint(side)',
  },
  {
    id: 'bound by try and handler',
    cell: 'try:\n    import no_such_xyz as lib\nexcept ImportError:\n    lib = None\nprint(lib)',
  },
  {
    id: 'bound by try else',
    cell: 'try:\n    v = int("3")\nexcept ValueError:\n    raise\nelse:\n    w = v\nprint(w)',
  },
  {
    id: 'bound in with',
    setup: 'import io',
    cell: 'with io.StringIO() as out:\n    inner = 1\nprint(inner, out)',
  },
  { id: 'bound by loop target', cell: 'for a, (b, *c) in [(1, (2, 3))]:\n    pass\nprint(a, b, c)' },
  { id: 'bound by star assignment', cell: 'first, *rest = [1, 2, 3]\nprint(first, rest)' },
  { id: 'bound by chained assignment', cell: 'p = q = r = []\nprint(p, q, r)' },
  {
    id: 'bound by import as',
    cell: 'import os.path as osp, json as j\nfrom collections import OrderedDict as OD\nprint(osp, j, OD)',
  },
  { id: 'bound by dotted import', cell: 'import os.path\nprint(os.getcwd(), os.path.sep)' },
  {
    id: 'bound by nested def',
    cell: 'def outer():\n    def inner():\n        return value\n    value = 3\n    return inner()\nouter()',
  },
  {
    id: 'bound by nonlocal',
    cell: 'def outer():\n    n = 0\n    def bump():\n        nonlocal n\n        n += 1\n        return n\n    bump()\n    return n\nouter()',
  },
  {
    id: 'mutual recursion',
    cell: 'def even(n):\n    return n == 0 or odd(n - 1)\ndef odd(n):\n    return n != 0 and even(n - 1)\neven(4)',
  },
  {
    id: 'forward reference in a method',
    cell: 'class A:\n    def make(self):\n        return B()\nclass B:\n    pass\nA().make()',
  },
  {
    id: 'default argument of earlier value',
    cell: 'limit = 3\ndef f(n=limit):\n    return n\ndel limit\nf()',
  },
  { id: 'lambda default', cell: 'fs = [lambda i=i: i for i in range(3)]\nfs[0]()' },
  {
    id: 'conditional function',
    setup: 'fast = True',
    cell: 'if fast:\n    def go(): return 1\nelse:\n    def go(): return 2\ngo()',
  },
  { id: 'generator function', cell: 'def gen():\n    yield unknown_later\ng = gen()' },
  { id: 'async function', cell: 'async def f():\n    return unknown_later\nf().close()' },
  {
    id: 'class attribute through self',
    cell: 'class A:\n    x = 1\n    y = x + 1\n    z = [x for x in (1, 2)]\nprint(A.y)',
  },
  { id: 'class private', cell: 'class A:\n    __p = 1\n    def f(self): return self.__p\nA().f()' },
  {
    id: 'metaclass namespace',
    cell: 'import enum\nclass Color(enum.Enum):\n    RED = enum.auto()\n    def f(self): return Color.RED\nColor.RED.f()',
  },
  {
    id: 'dataclass',
    cell: 'from dataclasses import dataclass, field\n@dataclass\nclass P:\n    a: int\n    b: list = field(default_factory=list)\nP(1).b.append(2)',
  },
  {
    id: 'annotations are not evaluated in functions',
    cell: 'def f():\n    x: Unknown = 1\n    return x\nf()',
  },
  {
    id: 'future annotations',
    cell: 'from __future__ import annotations\ndef f(a: Unknown) -> Missing: return a\nf(1)',
  },
  { id: 'string annotations', cell: 'def f(a: "Unknown") -> "Missing": return a\nf(1)' },
  {
    id: 'match alternatives',
    cell: 'point = (1, 2)\nmatch point:\n    case (x, 0) | (0, x): r = x\n    case (a, b): r = a + b\n    case _: r = 0\nprint(r)',
  },
  { id: 'walrus in while', cell: 'items = [1, 2]\nwhile (n := len(items)) > 0:\n    items.pop()\nprint(n)' },
  {
    id: 'walrus in condition of comprehension',
    cell: 'out = [y for x in [1, 2] if (y := x * 2) > 2]\nprint(y)',
  },
  { id: 'output history', setup: '1 + 1', cell: 'print(_, Out, In, _i, _ih[-1])' },
  { id: 'exit in a branch', setup: 'stop = False', cell: 'if stop:\n    exit()\nprint("on")' },
  {
    id: 'deleted and restored',
    setup: 'keep = 1',
    cell: 'saved = keep\ndel keep\nkeep = saved\nprint(keep)',
  },
  { id: 'deleted in a loop', cell: 'for k in range(2):\n    t = k\n    del t\nt = 1\nprint(t)' },
  { id: 'builtin restored', setup: 'max = 3', cell: 'del max\nmax([1])' },
  { id: 'builtin assigned in function', cell: 'def f(list):\n    return list\nf(1)\nlist("a")' },
  { id: 'shadow only inside a comprehension', cell: 'x = [str for str in "ab"]\nstr(1)' },
  { id: 'callable by call method', cell: 'class F:\n    def __call__(self): return 1\nf = F()\nf()' },
  {
    id: 'callable module',
    setup: 'import types, sys\nclass M(types.ModuleType):\n    def __call__(self): return 1\ncm = M("cm")',
    cell: 'cm()',
  },
  {
    id: 'callable set on the fly',
    setup: 'runner = 3',
    cell: 'def use(f):\n    global runner\n    runner = f\nuse(len)\nrunner("a")',
  },
  {
    id: 'file by another name',
    setup: 'open("a.txt", "w").write("x")',
    cell: 'import os\nos.rename("a.txt", "b.txt")\nopen("b.txt").read()',
  },
  {
    id: 'file by copy',
    setup: 'open("a.txt", "w").write("x")',
    cell: 'import shutil\nshutil.copy("a.txt", "c.txt")\nopen("c.txt").read()',
  },
  {
    id: 'file by context manager',
    cell: 'with open("d.txt", "w") as f:\n    f.write("x")\nwith open("d.txt") as f:\n    f.read()',
  },
  {
    id: 'file by plot',
    setup: 'import matplotlib\nmatplotlib.use("Agg")\nimport matplotlib.pyplot as plt',
    cell: 'plt.plot([1])\nplt.savefig("fig.png")\nopen("fig.png", "rb").read()',
  },
  {
    id: 'file by library',
    setup: 'import numpy as np',
    cell: 'np.savez("arrays", a=np.zeros(2))\nnp.load("arrays.npz")["a"]',
  },
  {
    id: 'file by temporary directory',
    cell: 'import tempfile, os\nwith tempfile.TemporaryDirectory() as d:\n    p = os.path.join(d, "x.txt")\n    open(p, "w").close()\n    open(p).read()',
  },
  {
    id: 'file by thread',
    cell: 'import threading\nt = threading.Thread(target=lambda: open("th.txt", "w").close())\nt.start(); t.join()\nopen("th.txt").read()',
  },
  {
    id: 'file name from elsewhere',
    cell: 'import glob\nfor name in glob.glob("*.nothing"):\n    open(name)',
  },
  { id: 'file descriptor', cell: 'import os\nr, w = os.pipe()\nopen(w, "w").close()\nos.close(r)' },
  {
    id: 'read of a literal buffer',
    setup: 'import pandas as pd, io',
    cell: 'pd.read_csv(io.BytesIO(b"a\\n1"))',
  },
  {
    id: 'library function of the same name',
    setup: 'def read_csv(name): return name',
    cell: 'read_csv("missing.csv")',
  },
  {
    id: 'method of the same name',
    setup: 'class Store:\n    def open(self, name): return name\nstore = Store()',
    cell: 'store.open("missing.txt")',
  },
  {
    id: 'patched function',
    setup: 'import numpy as np',
    cell: 'real = np.load\nnp.load = lambda name: name\nnp.load("missing.npy")\nnp.load = real',
  },
  { id: 'import by hand', cell: 'import importlib\njson2 = importlib.import_module("json")\njson2.dumps(1)' },
  {
    id: 'module under another name',
    cell: 'import sys, json\nsys.modules["my_json_alias"] = json\nimport my_json_alias',
  },
  {
    id: 'package made by the cell',
    cell: 'import os\nos.makedirs("pkg_made", exist_ok=True)\nopen("pkg_made/__init__.py", "w").close()\nimport pkg_made',
  },
  {
    id: 'namespace package',
    setup:
      'import os\nos.makedirs("space_pkg/sub", exist_ok=True)\nopen("space_pkg/sub/mod.py", "w").write("v = 1")',
    cell: 'import space_pkg.sub.mod\nfrom space_pkg.sub import mod\nfrom space_pkg.sub.mod import v',
  },
  {
    id: 'lazy attribute of a package',
    cell: 'from sklearn import linear_model\nfrom scipy import stats, optimize',
  },
  {
    id: 'optional import in a function',
    cell: 'def plot():\n    import no_such_plotting_lib\ncallbacks = [plot]',
  },
  {
    id: 'version switch',
    cell: 'import sys\nif sys.version_info < (3,):\n    import urllib2\n    text = unicode("x")\nelse:\n    text = str("x")',
  },
  { id: 'unicode names', cell: 'größe = 1\nΔ = größe + 1\nprint(f"{größe} {Δ}")' },
  { id: 'nested f-string', cell: 'w = 5\nprint(f"{3.14159:{w}.{2}f} {{literal}} {w!r}")' },
  { id: 'multi-line string with magics', cell: 's = """\n%time x\n!ls\nundefined_here\n"""\nprint(s)' },
  { id: 'comment only', cell: '# nothing here\n# undefined' },
  { id: 'empty', cell: '' },
  { id: 'semicolons', cell: 'a = 1; b = a; print(b);' },
  {
    id: 'type parameters by hand',
    cell: 'from typing import TypeVar, Generic\nT = TypeVar("T")\nclass Box(Generic[T]):\n    def get(self) -> T: ...\nBox().get()',
  },
];
