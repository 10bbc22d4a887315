// Executes the committed pairs in real kernels: each must be what its meta.json says. GRUS_PAIRS names some of them,
// separated by commas.
import { expect, it } from 'vitest';
import { loadPairs } from '../../src/live/load.js';
import { verifyPairs } from '../../src/live/verify.js';
import { sameVersions } from '../../src/live/versions.js';
import { pairsFolder, python } from './pairs-folder.js';

const only = process.env['GRUS_PAIRS']?.split(',');

it('every pair crashes and passes as its meta.json says', { timeout: 1_800_000 }, async () => {
  const verifications = await verifyPairs({
    pairs: await loadPairs(pairsFolder, only),
    python,
    workers: 2,
    compareMessage: await sameVersions(pairsFolder, python),
  });
  const wrong = verifications.filter(({ problems }) => problems.length > 0);
  expect(wrong.map(({ id, problems }) => `${id}: ${problems.join('; ')}`)).toEqual([]);
});

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
