// values/certain-raise: crashes, and healthy cells that differ by as little as possible. All of them are executed.
import type { CheckCase } from '../../libraries/cases/case.js';

const setup = `
def load(kind, strict=True):
    if kind == 'csv':
        return 1
    if not strict:
        return None
    raise ValueError(f'unknown kind {kind}')
class Stop(Exception):
    pass
class Base:
    def run(self):
        raise NotImplementedError
class Own(Base):
    def run(self):
        return 3
class Later:
    def run(self):
        raise ValueError('not yet')
    def walk(self):
        raise ValueError('never')
setattr(Later, 'run', lambda self: 4)
def numbers():
    yield 1
    raise ValueError('never reached')
kind = 'parquet'
`;

export const cases: readonly CheckCase[] = [
  {
    check: 'values/certain-raise',
    setup,
    crash: 'print(kind)\nvalue = load(kind)',
    raises: 'ValueError',
    line: 2,
    healthy: [
      "value = load('csv')",
      'value = load(kind, strict=False)',
      "kind = 'csv'\nvalue = load(kind)",
      'try:\n    value = load(kind)\nexcept ValueError:\n    value = 0',
      'try:\n    value = load(kind)\nexcept Exception:\n    value = 0',
      'import contextlib\nwith contextlib.suppress(ValueError):\n    load(kind)',
      "load = lambda kind: 2\nvalue = load('parquet')",
      'value = Own().run()',
      'value = Later().run()',
      'base = Base()\nbase.run = lambda: 2\nbase.run()',
      "setattr(Base, 'run', lambda self: 2)\nBase().run()",
      'Base.run = lambda self: 2\nBase().run()',
      'try:\n    raise Stop\nexcept Stop:\n    pass',
      'first = next(numbers())\nrest = numbers()',
      "if kind == 'csv':\n    raise RuntimeError('no')",
      'def later():\n    raise RuntimeError\nvalue = [later]',
      'for n in range(3):\n    if n > 5:\n        raise RuntimeError(n)',
      'import unittest\nwith unittest.TestCase().assertRaises(ValueError):\n    load(kind)',
    ],
  },
];
