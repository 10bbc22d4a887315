// The cost of dry runs is measured under each isolation that the machine offers, and told with what it does not offer.
import { strengths } from '@grus/kernel';
import { expect, it } from 'vitest';
import { renderDryCost, runDryCost } from '../../src/index.js';
import { python } from '../live/pairs-folder.js';

it('measures every isolation or says why it cannot', { timeout: 120_000 }, async () => {
  const small = {
    name: 'a small frame',
    megabytes: 1,
    setup: 'import pandas as pd\ndf = pd.DataFrame({"feature_0": [1.0, 2.0]})',
  };
  const report = await runDryCost({ python, sizes: [small], repeats: 2, endurance: 2 });
  expect([...report.rows, ...report.impossible].map(({ isolation }) => isolation).sort()).toEqual(
    [...strengths].sort(),
  );
  for (const row of report.rows) {
    expect(row).toMatchObject({ kernel: 'a small frame', runs: 2 });
    expect(row.setUpMs.median).toBeGreaterThan(0);
    expect(row.addedMs.median).toBeGreaterThan(row.setUpMs.median);
    // A copy that is closely fenced in may not read its own memory.
    if (row.addedMb !== null) expect(row.addedMb).toBeGreaterThan(0);
  }
  expect(report.endurance).toMatchObject({ runs: 2 });
  const [first] = report.rows;
  if (first) expect(renderDryCost(report)).toContain(first.isolation);
});
