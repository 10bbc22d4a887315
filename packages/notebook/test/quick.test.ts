// A notebook that is only read: what is certain from its text, and all that keeps it from being certain.
import { describe, expect, it } from 'vitest';
import { judgeQuickly, modulesOf } from '../src/index.js';

const cellsOf = (sources: readonly string[], metadata = {}) =>
  sources.map((source, position) => ({ number: position + 1, id: null, source, metadata, position }));

const judge = (sources: readonly string[], missing: readonly string[] = [], metadata = {}) =>
  judgeQuickly(cellsOf(sources, metadata), { missing: new Set(missing) });

const crashes: Readonly<Record<string, [cells: string[], told: [number, number, string], lacks?: string[]]>> =
  {
    'a name that nothing binds': [
      ['x = 1', '\nprint(x)\nprint(y)'],
      [2, 3, "name 'y' is not defined"],
    ],
    'a name that a later cell binds': [
      ['x + 1', 'x = 1'],
      [1, 1, "name 'x' is not defined"],
    ],
    'a name that a function needs where it is called': [
      ['def f():\n    return a', 'f()'],
      [2, 1, "name 'a' is not defined"],
    ],
    'a name behind a magic and a timed cell': [
      ['%matplotlib inline\nz = 1', '%%time\nw = z', 'w + v'],
      [3, 1, "name 'v' is not defined"],
    ],
    'a module that is not there': [
      ['import os', 'import absent.part as p'],
      [2, 1, "No module named 'absent'"],
      ['absent'],
    ],
    'a cell that does not compile': [
      ['x = 1', 'x = 1\n  y = 2\nz = 3'],
      [2, 2, 'unexpected indent'],
    ],
    'what comes behind a suppressed crash': [
      ['spark.read()  # grus: ignore', 'other'],
      [2, 1, "name 'other' is not defined"],
    ],
  };

const silent: Readonly<Record<string, [cells: string[], lacks?: string[]]>> = {
  'names that IPython brings along': [['print(_, In, Out, __name__)', 'display(1)', 'get_ipython()']],
  'a name of a star import': [['from numpy import *', 'zeros(3)']],
  'a name that a magic may bind': [['%run setup.py', 'a']],
  'a name behind a cell magic that binds names': [['%%sql rows <<\nselect 1', 'rows']],
  'a guarded name': [['try:\n    a\nexcept NameError:\n    pass']],
  'a module that a cell installs': [['!pip install absent', 'import absent'], ['absent']],
  'a module that a cell writes': [['%%writefile absent.py\nx = 1', 'import absent'], ['absent']],
  'an optional module': [['try:\n    import absent\nexcept ImportError:\n    absent = None'], ['absent']],
  'a suppressed line': [['spark.read()  # grus: ignore']],
};

describe('a notebook without a kernel', () => {
  for (const [name, [cells, [number, line, message], lacks]] of Object.entries(crashes))
    it(`tells of ${name}`, () => {
      const found = judge(cells, lacks);
      expect(found?.cell.number).toBe(number);
      expect(found?.finding.place.line).toBe(line);
      expect(found?.finding.exception.message).toContain(message);
    });

  for (const [name, [cells, lacks]] of Object.entries(silent))
    it(`is silent about ${name}`, () => {
      expect(judge(cells, lacks)).toBeNull();
    });

  it('heeds what the metadata of a cell suppresses', () => {
    expect(judge(['y'], [], { grus: { ignore: ['names'] } })).toBeNull();
  });

  it('knows the modules that are imported somewhere', () => {
    const cells = cellsOf([
      'import a.b, c',
      'def f():\n    from d.e import g',
      'from . import h',
      'import a',
    ]);
    expect(modulesOf(cells)).toEqual(['a', 'c', 'd']);
  });
});
