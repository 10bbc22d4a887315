// Edits applied to a copy, and what makes an edit a fix rather than a way around the work.
import { describe, expect, it } from 'vitest';
import { applyEdit } from '../../src/repair/apply.js';
import { keepsTheWork } from '../../src/repair/keeps.js';

const edit = (line: number, column: number, endLine: number, endColumn: number, replacement: string) => ({
  place: { line, column, endLine, endColumn },
  replacement,
  title: '',
});

describe('applyEdit', () => {
  it('replaces a range, inserts, and spans lines', () => {
    expect(applyEdit('x = totl + 1', edit(1, 4, 1, 8, 'total'))).toBe('x = total + 1');
    expect(applyEdit('np.zeros(3)', edit(1, 0, 1, 0, 'import numpy as np\n'))).toBe(
      'import numpy as np\nnp.zeros(3)',
    );
    expect(applyEdit('a = (1 +\r\n  b)\nc', edit(1, 4, 2, 4, '2'))).toBe('a = 2\nc');
  });
  it('is null when the range is not there, nothing changes, or nothing is left', () => {
    expect(applyEdit('x', edit(2, 0, 2, 1, 'y'))).toBeNull();
    expect(applyEdit('x', edit(1, 0, 1, 9, 'y'))).toBeNull();
    expect(applyEdit('x', edit(1, 0, 1, 1, 'x'))).toBeNull();
    expect(applyEdit('x', edit(1, 0, 1, 1, ' '))).toBeNull();
  });
});

describe('keepsTheWork', () => {
  const cell = 'mean = df["Age"].mean()\nprint(mean)';
  it.each([
    ['another label', 'mean = df["age"].mean()\nprint(mean)', true],
    ['more work in front', 'df = df.rename(columns=str.title)\nmean = df["Age"].mean()\nprint(mean)', true],
    ['an empty cell', 'pass', false],
    ['a lost name', 'df["age"].mean()\nprint(0)', false],
    ['a made-up value', 'mean = 0', false],
    [
      'a hidden exception',
      'try:\n    mean = df["Age"].mean()\nexcept KeyError:\n    mean = 0\nprint(mean)',
      false,
    ],
  ])('%s', (_what, after, keeps) => expect(keepsTheWork(cell, after)).toBe(keeps));
});
