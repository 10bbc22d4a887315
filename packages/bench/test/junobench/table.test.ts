// The published table and the judge's agreement, on the real data where they are at hand: the folder named by
// GRUS_JUNOBENCH, or the shared folder beside the repository.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { snapshotSchema } from '@grus/kernel/snapshot';
import { beforeAll, describe, expect, it } from 'vitest';
import { Junobench } from '../../src/junobench/data/load.js';
import { type JunobenchReport, runJunobench } from '../../src/junobench/run.js';
import { snapshotOf } from '../../src/junobench/snapshot.js';

const data =
  process.env['GRUS_JUNOBENCH'] ?? fileURLToPath(new URL('../../../../../shared/junobench', import.meta.url));

const table = {
  'recorded:gpt_5:code': [0.761, 0.787, 0.716, 0.75],
  'recorded:gpt_5': [0.799, 0.803, 0.791, 0.797],
  'recorded:Qwen_2_5_32B_Instruct': [0.769, 0.846, 0.657, 0.739],
  'recorded:gemini_2_5_flash': [0.716, 0.653, 0.925, 0.765],
} as const;

describe.skipIf(!existsSync(join(data, 'labels.json')))('the development split', () => {
  let report: JunobenchReport;
  beforeAll(async () => {
    report = await runJunobench({
      data,
      methods: [
        ...Object.keys(table),
        'recorded:gemini_2_5_flash:code',
        'recorded:Qwen_2_5_32B_Instruct:code',
      ],
    });
  });

  it.each(Object.entries(table))(
    '%s has the published figures',
    (method, [accuracy, precision, recall, f1]) => {
      const measured = report.methods[method]!;
      expect(measured.n).toBe(134);
      expect(measured.accuracy).toBeCloseTo(accuracy, 3);
      expect(measured.precision).toBeCloseTo(precision, 3);
      expect(measured.recall).toBeCloseTo(recall, 3);
      expect(measured.f1).toBeCloseTo(f1, 3);
    },
  );

  it('agrees with the published verdicts on diagnosis', () => {
    const overall = report.judge!.overall;
    expect(overall.n).toBe(804);
    expect(overall.kappa).toBeGreaterThan(0.9);
    expect(overall.kappa_detected_crashes).toBeGreaterThan(0.8);
  });

  it('describes every instance by a valid snapshot', () => {
    const bench = Junobench.load(data);
    for (const instance of bench.instances) {
      const snapshot = snapshotSchema.parse(snapshotOf(bench.text(instance)));
      for (const ref of Object.values(snapshot.names)) expect(snapshot.objects).toHaveProperty(ref);
    }
  });

  it('carries every prediction and every comparison', () => {
    expect(report.predictions).toHaveLength(6 * 134);
    const { mcnemar, by, intervals } = report.methods['recorded:gpt_5']!;
    expect(Object.keys(mcnemar)).toEqual(['recorded:Qwen_2_5_32B_Instruct', 'recorded:gemini_2_5_flash']);
    expect(Object.keys(by.library_group)).toContain('torch');
    expect(intervals.accuracy![0]).toBeLessThan(0.799);
  });
});
