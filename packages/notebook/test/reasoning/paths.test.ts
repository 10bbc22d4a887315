// A crash is claimed only where the walk is certain to pass: guards, handlers, loops, early exits and possible
// mutations silence it.
import { describe, expect, test } from 'vitest';
import { judgeCell } from '../../src/checks/judge.js';
import { frame, plain, snapshotOf } from './snapshot-of.js';

const snapshot = snapshotOf({ df: frame({ age: 'int64', fare: 'float64' }), n: plain('int', 3) });

function crashes(cell: string): (string | number)[] {
  const { findings, problems } = judgeCell({ cell, snapshot });
  expect(problems).toEqual([]);
  const [first] = findings;
  return first ? [first.exception.type, first.place.line] : [];
}

describe('a missing column', () => {
  const certain: Record<string, [string, number]> = {
    'plain access': ["x = 1\ndf['Age']", 2],
    'under a condition that is known to hold': ["if n > 2:\n    df['Age']", 2],
    'in the first iteration of a loop that is entered': ["for c in ['age', 'Age']:\n    print(df[c])", 2],
    'in a function that the cell defines and calls': ["def f(d):\n    return d['Age']\n\nf(df)", 4],
    'behind a loop': ["for i in range(n):\n    print(i)\ndf['Age']", 3],
    'behind a branch': ["if unknown_flag:\n    x = 1\nelse:\n    x = 2\ndf['Age']", 5],
    'in a comprehension over known labels': ["[df[c].mean() for c in ['age', 'Age']]", 1],
    'through a second name': ["d = df\nd['Age']", 2],
    'with a handler that raises again': [
      "try:\n    df['Age']\nexcept KeyError:\n    print('x')\n    raise",
      2,
    ],
  };
  for (const [title, [cell, line]] of Object.entries(certain))
    test(`is reported: ${title}`, () => expect(crashes(cell)).toEqual(['KeyError', line]));

  const silent: Record<string, string> = {
    'under an unknown condition': "if unknown_flag:\n    df['Age']",
    'guarded by membership': "if 'Age' in df.columns:\n    df['Age']",
    'guarded by membership in the frame': "if 'Age' in df:\n    df['Age']",
    'in a handled try': "try:\n    df['Age']\nexcept KeyError:\n    pass",
    suppressed: "from contextlib import suppress\nwith suppress(KeyError):\n    df['Age']",
    'behind a possible exit': "import sys\nif unknown_flag:\n    sys.exit()\ndf['Age']",
    'after the frame was rebound': "df = load()\ndf['Age']",
    'after an unknown function had it': "prepare(df)\ndf['Age']",
    'after an unknown method had it': "helper.fix(df)\ndf['Age']",
    'after a mutation through a second name': "d = df\nd['Age'] = 1\ndf['Age']",
    'in a function that is not called': "def f():\n    return df['Age']",
    'in a lambda': "f = lambda: df['Age']",
    'in a loop that may be empty': "for x in unknown_list:\n    df['Age']",
    'after the loop may have added it': "for c in unknown_list:\n    df[c] = 1\ndf['Age']",
    'after exec': "exec(code)\ndf['Age']",
    'behind a short circuit': "unknown_flag and df['Age']",
    'in a branch of a conditional expression': "y = df['Age'] if unknown_flag else 0",
    'ignored on the line': "df['Age']  # grus: ignore[columns/missing-column] made by the next cell",
    'in a second loop pass that breaks before':
      "for c in ['age', 'Age']:\n    if unknown_flag:\n        break\n    print(df[c])",
    'in a while loop that may not run': "while unknown_flag:\n    df['Age']",
    'with a column made in the same cell': "df['Age'] = df['age']\ndf['Age']",
    'with a column made by a called function': "def f(d):\n    d['Age'] = 1\n\nf(df)\ndf['Age']",
    'with a column made by a method of an instance':
      "class A:\n    def go(self, d):\n        d['Age'] = 1\n\nA().go(df)\ndf['Age']",
    'in the except branch of a possible failure':
      "try:\n    import maybe\nexcept ImportError:\n    df['Age']",
    'after a callback may have changed it': "def add(x):\n    df[x] = 1\nlist(map(add, ['Age']))\ndf['Age']",
  };
  for (const [title, cell] of Object.entries(silent))
    test(`is not reported: ${title}`, () => expect(crashes(cell)).toEqual([]));
});
