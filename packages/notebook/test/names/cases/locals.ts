// Locals that are read before they have a value.
import type { NamesCase } from './case.js';

export const unboundLocals: readonly NamesCase[] = [
  {
    id: 'assigned later',
    setup: 'total = 1',
    crash: 'def add():\n    total = total + 1\n    return total\nadd()',
    raises: 'UnboundLocalError',
    line: 4,
    healthy: 'def add():\n    global total\n    total = total + 1\n    return total\nadd()',
  },
  {
    id: 'augmented global',
    setup: 'count = 0\ndef bump():\n    count += 1',
    crash: 'bump()',
    raises: 'UnboundLocalError',
    line: 1,
    healthySetup: 'count = 0\ndef bump():\n    global count\n    count += 1',
    healthy: 'bump()',
  },
  {
    id: 'read before write',
    crash: 'def f():\n    print(v)\n    v = 1\nf()',
    raises: 'UnboundLocalError',
    line: 4,
    healthy: 'def f():\n    v = 1\n    print(v)\nf()',
  },
  {
    id: 'deleted local',
    crash: 'def f():\n    v = 1\n    del v\n    return v\nf()',
    raises: 'UnboundLocalError',
    line: 5,
    healthy: 'def f(q):\n    v = 1\n    if q: del v\n    return v\nf(False)',
  },
  {
    id: 'untaken branch',
    crash: 'def f(flag):\n    if flag:\n        r = 1\n    return r\nf(False)',
    raises: 'UnboundLocalError',
    line: 5,
    healthy: [
      'def f(flag):\n    if flag:\n        r = 1\n    return r\nf(True)',
      'import random\ndef f(flag):\n    if flag:\n        r = 1\n    else:\n        r = 2\n    return r\nf(random.random() > 0.5)',
    ],
  },
  {
    id: 'empty loop',
    crash: 'def f(xs):\n    for x in xs: last = x\n    return last\nf([])',
    raises: 'UnboundLocalError',
    line: 4,
    healthy: 'def f(xs):\n    for x in xs: last = x\n    return last\nf([1])',
  },
  {
    id: 'except variable',
    crash:
      'def f():\n    try:\n        1 / 0\n    except ZeroDivisionError as e:\n        pass\n    return e\nf()',
    raises: 'UnboundLocalError',
    line: 7,
    healthy: 'def f():\n    try:\n        1 / 0\n    except ZeroDivisionError as e:\n        return e\nf()',
  },
  {
    id: 'import in function',
    crash: 'def f():\n    x = os.getcwd()\n    import os\n    return x\nf()',
    raises: 'UnboundLocalError',
    line: 5,
    healthy: 'def f():\n    import os\n    x = os.getcwd()\n    return x\nf()',
  },
  {
    id: 'nested function',
    crash: 'def f():\n    def g():\n        return w\n    r = g()\n    w = 1\n    return r\nf()',
    raises: 'NameError',
    line: 7,
    healthy: 'def f():\n    def g():\n        return w\n    w = 1\n    return g()\nf()',
  },
  {
    id: 'guarded local',
    crash: 'def f():\n    u += 1\n    try:\n        u = 2\n    except NameError:\n        u = 1\nf()',
    raises: 'UnboundLocalError',
    line: 7,
    healthy: [
      'def f():\n    try:\n        u += 1\n    except UnboundLocalError:\n        u = 1\n    return u\nf()',
      'def f():\n    try:\n        u += 1\n    except NameError:\n        u = 1\nf()',
    ],
  },
  {
    id: 'comprehension scope',
    crash: 'def f():\n    a = [b for b in range(3)]\n    return b\nf()',
    raises: 'NameError',
    line: 4,
    healthy: 'def f():\n    a = [b for b in range(3)]\n    return a\nf()',
  },
  {
    id: 'class scope',
    crash: 'class A:\n    k = [1, 2]\n    def f(self): return k\nA().f()',
    raises: 'NameError',
    line: 4,
    healthy: 'class A:\n    k = [1, 2]\n    m = [x for x in k]',
  },
];
