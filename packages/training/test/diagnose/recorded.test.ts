// What real small runs wrote before they failed or finished, made by the scripts in `runs/`: the answer must be the label.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diagnose } from '../../src/diagnose/diagnose.js';

const folder = join(import.meta.dirname, '../fixtures/runs');
const labels: Record<string, { category: string; subcause: string | null }> = JSON.parse(
  readFileSync(join(folder, 'labels.json'), 'utf8'),
);

describe('recorded runs', () => {
  it.each(Object.entries(labels))('%s', async (run, label) => {
    const diagnosis = await diagnose(join(folder, run));
    if (label.category === 'healthy') {
      // Without a held-out metric nothing proves that a run is well.
      expect(['healthy', 'unknown']).toContain(diagnosis.category);
      expect(diagnosis.subcause).toBeNull();
      expect(['healthy', 'unknown']).toContain(diagnosis.outcome);
      return;
    }
    expect({ category: diagnosis.category, subcause: diagnosis.subcause }).toEqual(label);
    expect(diagnosis.abstained).toBe(label.category === 'unknown');
    expect(['failed', 'degraded']).toContain(diagnosis.outcome);
  });
});
