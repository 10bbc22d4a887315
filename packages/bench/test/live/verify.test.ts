// Executes committed pairs in real kernels: each must be what its meta.json says. Every tenth, unless GRUS_PAIRS says `all`
// or names some, separated by commas: run all when a pair or a pinned library changes.
import { expect, it } from 'vitest';
import { loadPairs } from '../../src/live/load.js';
import { verifyPairs } from '../../src/live/verify.js';
import { sameVersions } from '../../src/live/versions.js';
import { pairsFolder, python } from './pairs-folder.js';

const wanted = process.env['GRUS_PAIRS'];
const known = await loadPairs(pairsFolder, wanted === 'all' ? undefined : wanted?.split(','));
const pairs = wanted === undefined ? known.filter((_, index) => index % 10 === 0) : known;
const compareMessage = await sameVersions(pairsFolder, python);

/** Some at a time, so that a long run shows where it is and one slow part does not hide the others. */
const size = 12;
const parts = Array.from({ length: Math.ceil(pairs.length / size) }, (_, part) => {
  const members = pairs.slice(part * size, (part + 1) * size);
  return [members[0]!.id, members.at(-1)!.id, members] as const;
});

it.each(parts)(
  'the pairs %s to %s are what their meta.json says',
  { timeout: 900_000 },
  async (_first, _last, members) => {
    const verifications = await verifyPairs({ pairs: members, python, workers: 2, compareMessage });
    const wrong = verifications.filter(({ problems }) => problems.length > 0);
    expect(wrong.map(({ id, problems }) => `${id}: ${problems.join('; ')}`)).toEqual([]);
  },
);

it('a pair that is described wrongly is reported with what differs', async () => {
  const [pair] = await loadPairs(pairsFolder, ['value-int-of-float-string']);
  const [swapped] = await verifyPairs({
    pairs: [{ ...pair!, cells: { buggy: pair!.cells.fixed, fixed: pair!.cells.buggy } }],
    python,
  });
  expect(swapped!.problems).toEqual([
    'the crashing version runs to its end',
    "the repaired version raises ValueError in code cell 3: invalid literal for int() with base 10: '12.0'",
  ]);
  const [moved] = await verifyPairs({
    pairs: [{ ...pair!, meta: { ...pair!.meta, exception: 'KeyError', line: 2 } }],
    python,
  });
  expect(moved!.problems).toEqual([
    'exception is "ValueError", meta.json says "KeyError"',
    'line is 1, meta.json says 2',
  ]);
});
