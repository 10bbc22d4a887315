import { isReason, type Reason, textOf } from '@grus/core';
import { describe, expect, it } from 'vitest';

describe('isReason', () => {
  it.each<[string, unknown]>([
    ['a code without data', { code: 'time-spent' }],
    ['a code with data', { code: 'thread-at-work', thread: 'spinner' }],
    ['a reason in a reason', { code: 'copy-refused', because: { code: 'cell-running' } }],
    ['a field that may be null', { code: 'copy-died', signal: null }],
  ])('takes %s', (_name, value) => {
    expect(isReason(value)).toBe(true);
  });

  it.each<[string, unknown]>([
    ['a sentence', 'the time is up'],
    ['an unknown code', { code: 'no-such-code' }],
    ['a name of every object', { code: 'toString' }],
    ['a code without its data', { code: 'thread-at-work' }],
    ['data of another type', { code: 'thread-at-work', thread: 3 }],
    ['a sentence in a reason', { code: 'copy-refused', because: 'the kernel is busy' }],
  ])('refuses %s', (_name, value) => {
    expect(isReason(value)).toBe(false);
  });
});

it('renders what is inside a reason too', () => {
  const reason: Reason = {
    code: 'nothing-certain',
    reservations: [
      { code: 'suppressed', check: 'names/undefined-name', by: 'on purpose' },
      { code: 'time-spent' },
    ],
  };
  expect(textOf(reason)).toBe(
    'nothing certain was found; names/undefined-name is suppressed (on purpose); time budget spent',
  );
});
