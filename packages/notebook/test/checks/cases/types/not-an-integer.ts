// types/not-an-integer: crashes, and healthy cells that differ by as little as possible. All of them are executed.
import type { CheckCase } from '../../libraries/cases/case.js';

export const cases: readonly CheckCase[] = [
  {
    check: 'types/not-an-integer',
    setup: 'import numpy as np\nn = 10\nvalues = [1, 2, 3, 4]\nmean = np.float64(2.0)',
    crash: 'half = len(values) / 2\nfor i in range(half):\n    print(values[i])',
    raises: 'TypeError',
    line: 2,
    healthy: [
      'half = len(values) // 2\nfor i in range(half):\n    print(values[i])',
      'half = int(len(values) / 2)\nfor i in range(half):\n    print(values[i])',
      'half = round(len(values) / 2)\nfor i in range(half):\n    print(values[i])',
      'for i in np.arange(n / 2):\n    print(i)',
      'half = n / 2\nhalf = int(half)\nlist(range(half))',
      'class Whole(float):\n    def __index__(self):\n        return 3\nlist(range(Whole(2)))',
      'list(range(n, 0, -1)), list(range(True))',
    ],
  },
  {
    check: 'types/not-an-integer',
    name: 'numbers of NumPy and texts',
    setup: 'import numpy as np\nmean = np.float64(2.0)\nlimit = "3"',
    crash: 'list(range(0, mean))',
    raises: 'TypeError',
    line: 1,
    healthy: ['list(range(0, int(mean)))', 'list(range(int(limit)))', 'list(range(np.int64(3)))'],
  },
  {
    check: 'types/not-an-integer',
    name: 'nothing, or a container',
    setup:
      "import pandas as pd\noptions = {'epochs': None, 'folds': 2}\nvalues = [3, 4]\nframe = pd.DataFrame({'a': [1, 2]})",
    crash: "for epoch in range(options['epochs']):\n    print(epoch)",
    raises: 'TypeError',
    line: 1,
    healthy: [
      "for epoch in range(options['folds']):\n    print(epoch)",
      "for epoch in range(options['epochs'] or 3):\n    print(epoch)",
      "options['epochs'] = 2\nfor epoch in range(options['epochs']):\n    print(epoch)",
      "options.update(epochs=2)\nfor epoch in range(options['epochs']):\n    print(epoch)",
      'list(range(len(values))), list(range(values[0])), list(range(*values))',
      'list(range(len(frame))), list(range(frame["a"].iloc[0])), list(range(frame.shape[0]))',
      "if options['epochs'] is not None:\n    print(list(range(options['epochs'])))",
    ],
  },
];
