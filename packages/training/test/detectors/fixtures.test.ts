// Logs of one failure each beside a healthy log that resembles it: texts that libraries document for failures this suite cannot
// provoke (devices, schedulers, clusters), and logs of small runs in styles of their own. A second pair of a detector has a name
// after a tilde.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { examine } from '../../src/detectors/examine.js';
import { diagnose, diagnoseRecord } from '../../src/diagnose/diagnose.js';
import { readRun } from '../../src/readers/index.js';

const folder = join(import.meta.dirname, '../fixtures/detectors');
const ids = readdirSync(folder).flatMap((family) =>
  readdirSync(join(folder, family)).map((name) => `${family}/${name}`),
);

describe.each(ids)('%s', (id) => {
  it('is found, with evidence that names file and line', async () => {
    const record = await readRun(join(folder, id, 'failing.log'));
    const diagnosis = diagnoseRecord(record);
    expect(examine(record).symptoms[0]?.detector).toBe(id.replace(/~.*$/, ''));
    expect(diagnosis.abstained).toBe(false);
    expect(diagnosis.remedies.length).toBeGreaterThan(0);
    expect(diagnosis.evidence[0]).toMatchObject({ file: 'failing.log', line: expect.any(Number) });
  });

  it('is not found in its healthy twin', async () => {
    const diagnosis = await diagnose(join(folder, id, 'healthy.log'));
    // Most of these logs show no held-out metric: they are not failing, and nothing proves that they are well.
    expect(['healthy', 'unknown']).toContain(diagnosis.outcome);
    expect(diagnosis.subcause).toBeNull();
  });
});
