// The table of causes is whole: every sub-cause has a detector, remedies and look-alikes that exist, and the page for those who label
// runs is made from it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withLabels } from '../../src/causes/labels.js';
import { causeOf, subcauses } from '../../src/causes/table.js';
import { detectors } from '../../src/detectors/registry.js';

const page = join(import.meta.dirname, '../../../../scenarios/LABELS.md');

describe('the table of causes', () => {
  it.each(subcauses)('%s has a detector, a remedy and something it is told apart from', (subcause) => {
    const { remedies, apart } = causeOf(subcause);
    expect(detectors.map((detector) => detector.subcause)).toContain(subcause);
    expect(remedies.filter(({ kind }) => kind === 'do')).not.toHaveLength(0);
    expect(Object.keys(apart)).not.toHaveLength(0);
    for (const other of Object.keys(apart)) {
      expect(subcauses).toContain(other);
      expect(other).not.toBe(subcause);
    }
  });

  it('keeps the causes of a group in one category', () => {
    const categoryOf = new Map<string, string>();
    for (const subcause of subcauses) {
      const { group, category } = causeOf(subcause);
      expect(categoryOf.get(group) ?? category, group).toBe(category);
      categoryOf.set(group, category);
    }
  });

  it('is what scenarios/LABELS.md says: run npm run generate', () => {
    const text = readFileSync(page, 'utf8');
    expect(text).toBe(withLabels(text));
  });
});
