// From what the agent tells of a copy to what the rung says.
import { textOf } from '@grus/core';
import type { DryCell, DryRunResult } from '@grus/kernel';
import { expect, it } from 'vitest';
import { conclude } from '../../src/index.js';

type Copy = Extract<DryRunResult, { status: 'ok' }>;
const shared = {
  cell: 0,
  cell_ms: 12,
  output: '',
  output_dropped: 0,
  effects: [],
  clipped: [],
  skipped_ms: 0,
};
const raised: DryCell = {
  ...shared,
  status: 'raised',
  type: 'KeyError',
  message: "'town'",
  line: 2,
  call_line: 1,
  inside: null,
  chain: [{ type: 'ValueError', message: 'first' }],
  doubt: null,
};

function copy(cells: DryCell[], fields: Partial<Copy> = {}): Copy {
  return {
    status: 'ok',
    isolation: { strength: 'namespaces', detail: 'own mounts with an overlay, no network', not_covered: [] },
    skipped: [],
    twin: null,
    cells,
    ended: 'done',
    reason: null,
    signal: null,
    where: [],
    rehearsed: [],
    held_ms: 1,
    ready_ms: 2,
    total_ms: 20,
    ...fields,
  };
}

it('an exception is a crash with its line, its cause and how it was isolated', () => {
  const result = conclude(copy([raised]), 0, 'a = 1\n  df["town"]');
  expect(result).toMatchObject({
    outcome: 'crash',
    findings: [
      {
        exception: { type: 'KeyError', message: "'town'" },
        place: { line: 2, column: 2 },
        confidence: 1,
        evidence: [
          {
            fact: "KeyError: 'town' after 12 ms, which came from ValueError: first",
            source: 'ran in an isolated copy (namespaces: own mounts with an overlay, no network)',
          },
        ],
      },
    ],
  });
});

it('names a weaker isolation and what it leaves open', () => {
  const finished: DryCell = { ...shared, status: 'finished', doubt: null };
  const isolation = { strength: 'landlock' as const, detail: 'files read-only', not_covered: ['fifos'] };
  expect(conclude(copy([finished], { isolation }), 0, 'a')).toMatchObject({
    explanation:
      'The whole cell finished in an isolated copy of the kernel (under the weaker isolation landlock, which does not cover fifos).',
  });
});

it('a clean finish is proof in a copy and nearly so in a twin', () => {
  const finished: DryCell = { ...shared, status: 'finished', doubt: null };
  expect(conclude(copy([finished]), 0, 'a')).toMatchObject({ outcome: 'ok', confidence: 1 });
  const twin = {
    reason: { code: 'library-in-use', library: 'TensorFlow' } as const,
    objects: 3,
    sampled: [],
  };
  const nearly = conclude(copy([finished], { twin }), 0, 'a');
  expect(nearly).toMatchObject({ outcome: 'ok' });
  expect((nearly as { confidence: number }).confidence).toBeLessThan(1);
});

it('an exception of a copy with cut loops says what was cut and how much time that saved', () => {
  const clipped = [
    { what: 'loop', line: 3, place: 0, done: 4, of: 100 },
    { what: 'n_estimators', line: 9, place: 0, done: 4, of: 500 },
  ];
  const result = conclude(copy([{ ...raised, clipped, skipped_ms: 61_000 }]), 0, 'a');
  expect(result).toMatchObject({
    outcome: 'crash',
    findings: [
      {
        confidence: 0.95,
        evidence: [
          {},
          {
            fact: 'cut short: the loop in line 3 after 4 of 100 rounds, n_estimators in line 9 to 4 of 500, about 61.0 s earlier than in the whole run',
          },
        ],
      },
    ],
  });
});

const abstentions: [string, DryRunResult, RegExp][] = [
  [
    'a doubtful exception',
    copy([{ ...raised, doubt: { code: 'uses-network', what: 'connect' } }]),
    /KeyError in the copy is inconclusive/,
  ],
  [
    'a doubtful finish',
    copy([{ ...shared, status: 'finished', doubt: { code: 'file-identity' } }]),
    /but libraries/,
  ],
  [
    'no verdict',
    copy([{ ...shared, status: 'no-verdict', reason: { code: 'asks-for-input' } }]),
    /asks for input/,
  ],
  ['a time-out', copy([], { ended: 'time', total_ms: 3_000 }), /within the budget of the dry run \(3.0 s\)/],
  [
    'a time-out with a place',
    copy([], { ended: 'time', where: [{ file: '/lib/queue.py', line: 171, function: 'get' }] }),
    /it was in get, queue.py line 171/,
  ],
  [
    'a time-out behind which cut loops met something',
    copy([], { ended: 'time', rehearsed: [{ ...raised, doubt: { code: 'fit-cut' } }] }),
    /with its loops cut short it raised KeyError in line 2, but it was raised by a fit/,
  ],
  ['a death', copy([], { ended: 'died', signal: 'SIGSEGV' }), /died of SIGSEGV/],
  ['the way given', copy([], { ended: 'user' }), /gave way/],
  ['an earlier cell', copy([]), /an earlier cell/],
  [
    'a refusal',
    { status: 'refused', reason: { code: 'thread-at-work', thread: 'spinner' }, twin: false },
    /not copied: the thread spinner/,
  ],
];

it.each(abstentions)('%s is an abstention that says why', (_name, result, because) => {
  const told = conclude(result, 0, 'a');
  expect(told.outcome).toBe('unknown');
  expect(told.outcome === 'unknown' && textOf(told.reason)).toMatch(because);
});
