// Names that belong to cells of the notebook which have not run, or which failed.
import type { NamesCase } from './case.js';

export const otherCells: readonly NamesCase[] = [
  {
    id: 'defining cell not run',
    cells: [
      { source: 'import math', status: 'ok' },
      { source: 'train_frame = [1, 2]', status: 'not-run' },
    ],
    crash: 'print(train_frame)',
    raises: 'NameError',
    line: 1,
    healthySetup: 'train_frame = [1]',
    healthy: 'print(train_frame)',
    remedy: 'cell 2',
  },
  {
    id: 'defining cell failed',
    cells: [{ source: 'y = 1\nmodel = fit(y)', status: 'failed' }],
    crash: 'model.predict()',
    raises: 'NameError',
    line: 1,
    healthy: 'class M:\n    def predict(self): pass\nmodel = M()\nmodel.predict()',
    remedy: 'cell 1',
  },
  {
    id: 'importing cell not run',
    cells: [{ source: 'import seaborn as sns', status: 'not-run' }],
    crash: 'sns.set_theme()',
    raises: 'NameError',
    line: 1,
    healthy: 'try:\n    sns.set_theme()\nexcept NameError:\n    pass',
    remedy: 'cell 1',
  },
  {
    id: 'function of a cell not run',
    cells: [{ source: 'def prepare(x):\n    return x', status: 'not-run' }],
    crash: 'z = prepare(1)',
    raises: 'NameError',
    line: 1,
    healthySetup: 'def prepare(x):\n    return x',
    healthy: 'z = prepare(1)',
    remedy: 'cell 1',
  },
];
