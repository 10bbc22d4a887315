// A handler keeps a crash away only when it catches the exception: what another class of handler stands around is found,
// as long as nothing ran before it that the handler might have caught.
import type { CheckCase } from '../../libraries/cases/case.js';

const frame =
  'import pandas as pd, numpy as np\ndf = pd.DataFrame({"a": [1, 2], "t": ["x", "y"]})\nconfig = {"rate": 1}\n';

export const handlers: readonly CheckCase[] = [
  {
    check: 'labels/missing-key',
    name: 'in a try whose handlers catch something else',
    setup: frame,
    crash: 'try:\n    rate = config["rates"]\nexcept (ValueError, FileNotFoundError):\n    rate = 2',
    raises: 'KeyError',
    line: 2,
    healthy: [
      'try:\n    rate = config["rates"]\nexcept KeyError:\n    rate = 2',
      'try:\n    rate = config["rates"]\nexcept LookupError:\n    rate = 2',
      'try:\n    rate = config["rates"]\nexcept (ValueError, Exception):\n    rate = 2',
      'try:\n    rate = config["rates"]\nexcept:\n    rate = 2',
      'try:\n    try:\n        rate = config["rates"]\n    except ValueError:\n        rate = 2\nexcept KeyError:\n    rate = 3',
      'ValueError = KeyError\ntry:\n    rate = config["rates"]\nexcept ValueError:\n    rate = 2\ndel ValueError',
      'try:\n    count = int("x")\n    rate = config["rates"]\nexcept ValueError:\n    rate = 2',
      'def read():\n    raise ValueError\ntry:\n    read()\n    rate = config["rates"]\nexcept ValueError:\n    rate = 2',
      'try:\n    count = int("x")\nexcept ValueError:\n    count = 0\nelse:\n    rate = config["rates"]',
      'def read():\n    try:\n        return config["rates"]\n    finally:\n        return 2\nread()',
      'while True:\n    try:\n        rate = config["rates"]\n    finally:\n        break',
      'import contextlib\ntry:\n    with contextlib.suppress(KeyError):\n        rate = config["rates"]\nexcept ValueError:\n    rate = 2',
    ],
  },
  {
    check: 'columns/missing-column',
    name: 'in a try for a file that is missing',
    setup: frame,
    crash: 'try:\n    total = df["b"].sum()\nexcept FileNotFoundError:\n    total = 0',
    raises: 'KeyError',
    line: 2,
    healthy: [
      'try:\n    pd.read_csv("no-such-file.csv")\n    total = df["b"].sum()\nexcept FileNotFoundError:\n    total = 0',
      'for _ in range(2):\n    try:\n        total = df["b"].sum()\n    except KeyError:\n        continue',
    ],
  },
  {
    check: 'labels/missing-key',
    name: 'in a try whose handler raises it again',
    setup: frame,
    crash:
      'try:\n    rate = config["rates"]\nexcept KeyError as error:\n    print("no rate")\n    raise error',
    raises: 'KeyError',
    line: 2,
    healthy:
      'def read():\n    try:\n        return config["rates"]\n    except KeyError as error:\n        raise ValueError from error\ntry:\n    read()\nexcept ValueError:\n    rate = 2',
  },
  {
    check: 'calls/refused-by-library',
    name: 'in a try whose handler catches something else',
    setup: frame,
    crash: 'try:\n    df.astype("float64")\nexcept KeyError:\n    pass',
    raises: 'ValueError',
    line: 2,
    healthy: ['try:\n    df.astype("float64")\nexcept ValueError:\n    pass'],
  },
  {
    check: 'names/unbound-local',
    name: 'after a finally that does not bind it',
    setup: frame,
    crash:
      'def last():\n    for step in [1]:\n        try: break\n        finally: seen = step\n        final = step\n    return seen + final\nlast()',
    raises: 'UnboundLocalError',
    line: 7,
    healthy: [
      'def last():\n    for step in [1]:\n        try: break\n        finally: final = step\n    return final\nlast()',
      'for step in [1]:\n    try: continue\n    finally: final = step\nfinal',
      'while True:\n    try:\n        with open("/dev/null") as nothing: break\n    finally: name = nothing.name\nname',
      'try:\n    try: raise KeyError\n    finally: final = 1\nexcept KeyError: pass\nfinal',
      'class Task:\n    def run(self):\n        try: return 1\n        finally: self.done = True\ntask = Task()\ntask.run()\ntask.done',
    ],
  },
  {
    check: 'names/unbound-local',
    name: 'in a function that outlives the one around it',
    setup: frame,
    crash:
      'def around():\n    def inner(): return size\n    inner()\n    size = 1\n    return inner\naround()',
    raises: 'NameError',
    line: 6,
    healthy: [
      'def around():\n    size = 1\n    return [lambda: size]\naround()[0]()',
      'def around():\n    size = 1\n    class Inner:\n        size = "other"\n        def get(self): return size + 1\n    return Inner\naround()().get()',
    ],
  },
];
