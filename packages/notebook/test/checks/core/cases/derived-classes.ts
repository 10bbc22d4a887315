// Objects whose classes were derived from lists, arrays and frames index, combine and derive as they like; what is known of
// the classes that they come from is not held against them.
import type { CheckCase } from '../../libraries/cases/case.js';

const derived = `import numpy as np, pandas as pd
class Rows(list):
    def __getitem__(self, key): return ("row", key)
    def __iter__(self): return iter("ab")
class Lookup(dict):
    def __getitem__(self, key): return key
    def __iter__(self): return iter("ab")
class Tags(set):
    def __getitem__(self, key): return key
class Signal(np.ndarray):
    def energy(self): return 5
class Places(pd.DataFrame):
    @property
    def _constructor(self): return Places
    def near(self): return 1
rows, lookup, tags = Rows([5]), Lookup(a=1), Tags([1])
signal = np.arange(6.0).view(Signal)
places = Places({"a": [1, 2], "b": [3, 4]})
matrix = np.matrix([[1, 2], [3, 4]])
masked = np.ma.masked_array([1.0, 2, 3], mask=[0, 1, 0])
plain, frame, table = [5], places.pipe(pd.DataFrame), np.ones((2, 2))
wide = pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("A", "x"), ("B", "y")]))
class Unit:
    __array_ufunc__ = None
    def __radd__(self, other): return "units"
`;

export const derivedClasses: readonly CheckCase[] = [
  {
    check: 'labels/position-out-of-bounds',
    name: 'of a list whose class is the list itself',
    setup: derived,
    crash: 'plain[3]',
    raises: 'IndexError',
    line: 1,
    healthy: [
      'rows[100]',
      'first, second = rows',
      'list(rows)[1]',
      'list(lookup)[1]',
      'lookup["none"]',
      'tags["x"]',
      'matrix[:, 0].shape[1]',
      'matrix[0][0, 1]\nmatrix.ravel()[0, 3]',
    ],
  },
  {
    check: 'attributes/missing-attribute',
    name: 'of what was derived from an array or a frame',
    setup: derived,
    crash: '(table + 1).near()',
    raises: 'AttributeError',
    line: 1,
    healthy: [
      '(signal + 1).energy(), np.sqrt(signal).energy(), signal.reshape(2, 3).T.energy(), (-signal).energy()',
      'places[places.a > 1].near(), places.assign(c=1).near(), pd.concat([places, places]).near()',
      '(matrix * matrix).A1[3], matrix.sum(axis=0).A1, [row.A1 for row in matrix]',
      '(masked + 1).filled(0), np.sqrt(masked).mask, masked.reshape(3, 1).filled(0)',
      '(table + Unit()).upper()',
      'wide.A.x',
      'np.array(3.0).tolist() + 1',
    ],
  },
  {
    check: 'columns/missing-column',
    name: 'of a frame whose class is the frame itself',
    setup: derived,
    crash: 'frame["none"]',
    raises: 'KeyError',
    line: 1,
    healthySetup: `${derived}class Open(pd.DataFrame):\n    def __getitem__(self, key): return key\nopened = Open({"a": [1]})\n`,
    healthy: 'opened["none"].upper()',
  },
];
