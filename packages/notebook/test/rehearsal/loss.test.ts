// Which cells can still be judged after one that does not run.
import { describe, expect, it } from 'vitest';
import { Loss, sourceBefore } from '../../src/rehearsal/loss.js';

interface Case {
  readonly title: string;
  readonly ran?: readonly string[];
  readonly lost: string;
  readonly fromLine?: number;
  readonly later: string;
  /** The names that the later cell lacks; null when it can be judged. */
  readonly lacks: readonly string[] | null;
}

const cases: readonly Case[] = [
  { title: 'reads what was to be bound', lost: 'a = f()', later: 'print(a)', lacks: ['a'] },
  { title: 'needs nothing of it', lost: 'a = f()', later: 'b = 1', lacks: null },
  { title: 'binds it anew first', lost: 'a = f()', later: 'a = 1\nprint(a)', lacks: null },
  {
    title: 'binds it anew on one path only',
    lost: 'a = f()',
    later: 'if c:\n    a = 1\nprint(a)',
    lacks: ['a'],
  },
  {
    title: 'reads what a method may have changed',
    lost: 'model.fit(x)',
    later: 'model.score()',
    lacks: ['model'],
  },
  { title: 'reads what a call was handed', lost: 'train(model, lr=rate)', later: 'rate', lacks: ['rate'] },
  { title: 'reads what was only looked at', lost: 'print(len(rows))', later: 'rows[0]', lacks: null },
  { title: 'reads what had an item set', lost: 'd["k"][0] = g', later: 'd', lacks: ['d'] },
  {
    title: 'uses the module that was called',
    ran: ['import numpy as np'],
    lost: 'x = np.zeros(3).shap',
    later: 'np.ones(2)',
    lacks: null,
  },
  {
    title: 'calls a function that reads it',
    ran: ['def show():\n    return total'],
    lost: 'total = f()',
    later: 'show()',
    lacks: ['total'],
  },
  {
    title: 'reads what a called function may have changed',
    ran: ['opt = make()', 'def step():\n    print(opt.step())'],
    lost: 'step()\n1 / 0',
    later: 'opt.state',
    lacks: ['opt'],
  },
  {
    title: 'reads what stood before the crash',
    lost: 'a = 1\nb = a.c\n',
    fromLine: 2,
    later: 'a',
    lacks: null,
  },
  {
    title: 'calls the function that was called',
    ran: ['def show(rows):\n    print(len(rows))'],
    lost: 'show(table)',
    later: 'show(other)\nprint(1)',
    lacks: null,
  },
  { title: 'comes after anything', lost: 'exec(text)', later: '1 + 1', lacks: [] },
  { title: 'comes after an unknown magic', lost: '%something\nx = 1', later: '1 + 1', lacks: [] },
];

describe('after a cell that does not run', () => {
  it.each(cases)('a cell that $title', ({ ran = [], lost, fromLine, later, lacks }) => {
    const loss = new Loss();
    for (const source of ran) loss.ran(source);
    loss.lost(lost, 3, fromLine);
    const reason = loss.needs(later);
    expect(reason).toEqual(lacks && { code: 'needs-lost-names', cell: 3, names: lacks });
  });

  it('what a later cell binds is there again', () => {
    const loss = new Loss();
    loss.lost('a, b = f()', 3);
    loss.ran('a = 1');
    expect(loss.needs('print(a)')).toBeNull();
    expect(loss.needs('print(b)')).toMatchObject({ names: ['b'] });
  });

  it('explains a missing file, and no other crash', () => {
    const loss = new Loss();
    expect(loss.explains('FileNotFoundError')).toBeNull();
    loss.lost('save(model)', 2);
    expect(loss.explains('FileNotFoundError')).toEqual({ code: 'needs-lost-files', cell: 2 });
    expect(loss.explains('KeyError')).toBeNull();
  });
});

describe('what stands before a line', () => {
  it('is the whole statements before it', () => {
    const source = 'a = 1\nfor b in c:\n    d(b)\nprint(e)';
    expect(sourceBefore(source, 4)).toBe('a = 1\nfor b in c:\n    d(b)');
    expect(sourceBefore(source, 3)).toBe('a = 1');
    expect(sourceBefore(source, 1)).toBeNull();
  });
});
