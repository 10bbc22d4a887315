// calls/wrong-arguments: a keyword that reaches a callable twice, through a wrapper's options.
import type { CheckCase } from '../../libraries/cases/case.js';

const setup = `def make(**options):
    return dict(size=1, **options)
def merge(**options):
    return dict(**{'size': 1, **options})
`;

export const cases: readonly CheckCase[] = [
  {
    check: 'calls/wrong-arguments',
    name: 'a keyword given twice',
    setup,
    crash: 'plain = make(color=2)\nboth = make(size=2)',
    raises: 'TypeError',
    line: 2,
    healthy: [
      'plain = make(color=2)',
      'both = merge(size=2)',
      "options = {'size': 2}\noptions.pop('size')\nplain = make(**options)",
    ],
  },
  {
    check: 'calls/wrong-arguments',
    name: 'a method without self',
    setup:
      'class Clock:\n    def tick():\n        return 1\n    @staticmethod\n    def tock():\n        return 2\nclock = Clock()',
    crash: 'print(Clock.tick())\nclock.tick()',
    raises: 'TypeError',
    line: 2,
    healthy: [
      'Clock.tick(), Clock.tock(), clock.tock()',
      'clock.tick = lambda: 3\nclock.tick()',
      'Clock.tick = lambda self: 3\nclock.tick()',
    ],
  },
];
