// What functions share with the function around them, and names that a module gains: both change while the cell runs.
import type { CheckCase } from '../../libraries/cases/case.js';

const counter =
  'def counter():\n    n = 0\n    def up(by=1):\n        nonlocal n\n        n += by\n        return n\n    def clear():\n        nonlocal n\n        del n\n        n = 10\n    def get():\n        return n\n    return up, clear, get\n';
const made = `${counter}up, clear, get = counter()\n`;
const pushing =
  'def pushing():\n    held = []\n    def push(value):\n        held.append(value)\n    return push, held\n';

export const closures: readonly CheckCase[] = [
  {
    check: 'values/false-assertion',
    name: 'a name of the enclosing function is bound anew',
    crash: `${made}up()\nup(3)\nassert get() == 5`,
    raises: 'AssertionError',
    line: 17,
    healthy: [
      `${made}up()\nup(3)\nassert get() == 4`,
      `${made}up()\nclear()\nassert up() == 11`,
      `${made}list(map(up, [1, 2]))\nassert get() == 3`,
      `${made}sorted([3, 1], key=lambda by: up(by))\nassert get() == 4`,
      'def outer(v):\n    def drop():\n        nonlocal v\n        del v\n        v = []\n    drop()\n    v.append(1)\n    return v\nouter(None)',
      `${pushing}push, held = pushing()\nlist(map(push, [1, 2]))\nassert len(held) == 2`,
      'class Holder:\n    def __init__(self):\n        self.held = []\n        self.add = lambda value: self.held.append(value)\nholder = Holder()\nholder.add(1)\nassert len(holder.held) == 1',
      'def factory():\n    held = []\n    class Pusher:\n        def push(self):\n            held.append(1)\n    return Pusher(), held\npusher, held = factory()\npusher.push()\nassert len(held) == 1',
      'import functools\ndef totals():\n    total = 0\n    @functools.lru_cache\n    def add(value):\n        nonlocal total\n        total += value\n    return add, lambda: total\nadd, total = totals()\nadd(2)\nadd(2)\nassert total() == 2',
    ],
  },
  {
    check: 'values/false-assertion',
    name: 'a function of an earlier cell binds what it captured anew',
    setup: `${made}${pushing}push, held = pushing()`,
    crash: 'assert get() == 1',
    raises: 'AssertionError',
    line: 1,
    healthy: [
      'up()\nassert up() == 2',
      'up(4)\nassert get() == 4',
      'clear()\nassert get() == 10',
      'list(map(up, [1, 2]))\nassert get() == 3',
      'list(map(push, [1, 2]))\nassert len(held) == 2',
    ],
  },
  {
    check: 'names/deleted-name',
    name: 'a name of the enclosing function',
    crash:
      'def outer():\n    x = 1\n    def drop():\n        nonlocal x\n        del x\n    drop()\n    return x\nouter()',
    raises: 'UnboundLocalError',
    line: 8,
    healthy:
      'def outer():\n    x = 1\n    def drop():\n        nonlocal x\n        del x\n    drop()\n    x = 2\n    return x\nouter()',
  },
];

const files =
  'import importlib, os, pathlib, sys, tempfile\nos.chdir(tempfile.mkdtemp())\nsys.path.insert(0, os.getcwd())\nsys.dont_write_bytecode = True\n' +
  'for name in ("tools", "kit", "kit.spare"):\n    sys.modules.pop(name, None)\n' +
  'tools_file = pathlib.Path("tools.py")\ntools_file.write_text("def start():\\n    global rate\\n    rate = 3\\n")\n' +
  'os.mkdir("kit")\npathlib.Path("kit/__init__.py").write_text("")\npathlib.Path("kit/spare.py").write_text("wheel = 1\\n")\n' +
  'importlib.invalidate_caches()\nimport tools, kit\n';

export const modules: readonly CheckCase[] = [
  {
    check: 'attributes/missing-attribute',
    name: 'of a module that nothing in the cell can give the name',
    setup: files,
    crash: 'count = len([1])\ntools.rate',
    raises: 'AttributeError',
    line: 2,
    healthy: [
      'tools.start()\ntools.rate',
      'if not hasattr(tools, "rate"):\n    tools.start()\ntools.rate',
      'tools_file.write_text("rate = 5")\nimportlib.reload(tools)\ntools.rate',
      'from importlib import reload\ntools_file.write_text("rate = 5")\nreload(tools)\ntools.rate',
      'setattr(tools, "rate", 4)\ntools.rate',
      'try:\n    tools.rate\nexcept AttributeError:\n    tools.rate = 1\ntools.rate',
      'import tools as other\nother.rate = 4\ntools.rate',
      'sys.modules["tools"].rate = 4\ntools.rate',
      'def give():\n    tools.rate = 1\ngive()\ntools.rate',
    ],
  },
  {
    check: 'attributes/missing-attribute',
    name: 'of a package whose submodule is not loaded',
    setup: files,
    crash: 'kit.spare.wheel',
    raises: 'AttributeError',
    line: 1,
    healthy: [
      'import kit.spare\nkit.spare.wheel',
      'from kit.spare import wheel\nkit.spare.wheel',
      'from kit import spare\nkit.spare.wheel',
      'importlib.import_module("kit.spare")\nkit.spare.wheel',
    ],
  },
];
