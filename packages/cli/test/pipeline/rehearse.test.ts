// A whole notebook rehearsed: crashes in front of and behind an hour of training, all of them, and none in its healthy twin.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { grus, notebook, scratch } from '../grus.js';

const training =
  'weight = 0.0\nfor epoch in range(2_000):\n    time.sleep(2)\n    weight = weight + 0.5 * (1 - weight)';

function cellsWith(lookup: string, method: string, last: string): readonly string[] {
  return [
    `import time, math\nsettings = {"rate": 1}\nrate = settings["${lookup}"]`,
    'print(rate)',
    training,
    `names = ["a"]\nnames.${method}("b")\nboth = names + names`,
    'print(both)',
    `math.${last}(2)`,
    'print(math.pi)',
  ];
}

describe('grus check --rehearse', () => {
  it('finds every crash, and says which cells it could not judge', async () => {
    const folder = scratch();
    notebook(folder, cellsWith('rates', 'push', 'sqroot'), {}, 'bad.ipynb');
    notebook(folder, cellsWith('rate', 'append', 'sqrt'), {}, 'good.ipynb');
    const report = join(folder, 'r.json');
    const args = ['check', '.', '--rehearse', '--jobs', '1', '--format', `json=${report}`];
    const { code, stdout } = await grus(args, { cwd: folder });
    expect(code).toBe(1);
    const [bad, good] = JSON.parse(readFileSync(report, 'utf8')).notebooks;
    const told = bad.cells.map(({ cell, outcome, line, exception }: Record<string, unknown>) => [
      cell,
      outcome,
      line,
      (exception as { type: string } | null)?.type,
    ]);
    expect(told).toEqual([
      [1, 'crash', 3, 'KeyError'],
      [3, 'unknown', null, undefined],
      [4, 'crash', 2, 'AttributeError'],
      [6, 'crash', 1, 'AttributeError'],
      [7, 'unknown', null, undefined],
    ]);
    expect(bad.not_judged).toMatchObject([
      { cell: 2, reason: { code: 'needs-lost-names', cell: 1, names: ['rate'] } },
      { cell: 5, reason: { code: 'needs-lost-names', cell: 4, names: ['both'] } },
    ]);
    // Behind a cut loop nothing is proven.
    const outcomes = good.cells.map(({ outcome }: { outcome: string }) => outcome);
    expect(outcomes).toEqual(['ok', 'ok', ...Array(5).fill('unknown')]);
    expect(good.not_judged).toEqual([]);
    expect(stdout).toContain('cell 5 was not judged: it needs both, which cell 4 does not get to');
  });
});
