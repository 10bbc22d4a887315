// Where paths meet, what only one of them made stays possible: keys, attributes, names, and what an exception left behind.
import type { CheckCase } from '../../libraries/cases/case.js';

const coin = 'import random\nheads = random.random() < 2\nlive = {"a": 1}\n';

export const branches: readonly CheckCase[] = [
  {
    check: 'labels/missing-key',
    name: 'that no path sets',
    setup: coin,
    crash: 'd = {}\nif heads: print("heads")\nd["x"]',
    raises: 'KeyError',
    line: 3,
    healthy: [
      'd = {}\nif random.random() < 2: d["x"] = 1\nelse: d["x"] = 2\nd["x"]',
      'if random.random() < 2: live["x"] = 1\nlive["x"]',
      'd = {}\ntry:\n    d["q"] = random.random()\n    d["x"] = 1\nexcept ValueError: pass\nd["x"]',
      'def fill():\n    live["x"] = 1\n    raise ValueError\ntry: fill()\nexcept ValueError: pass\nlive["x"]',
      'd = {}\nletters = iter("xy")\ntry:\n    while True: d[next(letters)] = 1\nexcept StopIteration: pass\nd["x"]',
      'def make(kind):\n    made = {"kind": kind}\n    if random.random() < 2: made["x"] = 1\n    return made\nmake("a")["x"]',
    ],
  },
  {
    check: 'attributes/missing-attribute',
    name: 'that no path sets',
    setup: coin,
    crash: 'class A: pass\na = A()\nif heads: print("heads")\na.v',
    raises: 'AttributeError',
    line: 4,
    healthy: [
      'class A: pass\na = A()\nif random.random() < 2: a.v = 1\nelse: a.v = 2\na.v',
      'class A:\n    def __init__(self, c):\n        if c: self.v = 1\n        else: self.w = 2\nA(random.random() < 2).v',
      'if random.random() < 2:\n    class K:\n        def go(self): return 1\nelse:\n    class K:\n        def stop(self): return 1\nK().go()',
    ],
  },
  {
    check: 'names/undefined-name',
    name: 'that nothing binds before the exception',
    setup: coin,
    crash: 'try:\n    raise ValueError\nexcept ValueError: pass\nseen',
    raises: 'NameError',
    line: 4,
    healthy: [
      'letters = iter("xy")\ntry:\n    while True: seen = next(letters)\nexcept StopIteration: pass\nseen',
      'try:\n    if live:\n        seen = 1\n        raise ValueError\nexcept ValueError: pass\nseen',
      'try:\n    for k in "ab":\n        seen = k\n        raise RuntimeError\nexcept RuntimeError: pass\nseen',
      'import sys\ntry:\n    if live:\n        seen = 1\n        sys.exit()\nexcept SystemExit: pass\nseen',
    ],
  },
];
