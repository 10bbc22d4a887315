// The form of every committed pair: what the benchmark and its readers rely on, without executing anything.
import { describe, expect, it } from 'vitest';
import { loadPairs } from '../../src/live/load.js';
import { pairsFolder } from './pairs-folder.js';

const pairs = await loadPairs(pairsFolder);

describe('the live pairs', () => {
  it('are at least 130 and cover every family of crashes', () => {
    expect(pairs.length).toBeGreaterThanOrEqual(130);
    const families = new Set(pairs.map((pair) => pair.meta.family));
    for (const family of families) expect(family).toMatch(/^[a-z-]+$/);
    expect([...families].sort()).toMatchInlineSnapshot(`
      [
        "attribute-error",
        "broadcast",
        "collate",
        "data-value",
        "date-parsing",
        "device-mix",
        "dtype-mix",
        "environment",
        "failed-previous-cell",
        "feature-names",
        "function-not-found",
        "index-error",
        "inplace-none",
        "invalid-argument",
        "io-error",
        "join-overlap",
        "key-error",
        "length-mismatch",
        "mixed-metric-targets",
        "module-not-found",
        "not-fitted",
        "optional-dependency",
        "other-error",
        "out-of-memory",
        "ragged-array",
        "removed-api",
        "request-error",
        "runtime-error",
        "size-against-n",
        "stratify",
        "syntax-error",
        "tensor-shape",
        "type-error",
        "unhashable-key",
        "unseen-label",
        "value-error",
        "variable-not-found",
      ]
    `);
  });

  it('leave the target cell unchanged in about a third', () => {
    const same = pairs.filter((pair) => pair.meta.same_target).length / pairs.length;
    expect(same).toBeGreaterThan(0.28);
    expect(same).toBeLessThan(0.42);
  });

  it('hold late crashes', () => {
    expect(pairs.filter((pair) => pair.meta.late).length).toBeGreaterThanOrEqual(20);
  });

  it.each(pairs.map((pair) => [pair.id, pair] as const))('%s is well-formed', (id, pair) => {
    const { meta, cells } = pair;
    expect(meta['id']).toBe(id);
    expect(meta.title).toBeTruthy();
    expect(meta.libraries.length).toBeGreaterThan(0);
    expect(cells.buggy.length).toBe(cells.fixed.length);
    expect(cells.buggy.length).toBeGreaterThanOrEqual(4);
    expect(cells.buggy.length).toBeLessThanOrEqual(12);
    expect(new Set(cells.buggy.map((cell) => cell.id)).size).toBe(cells.buggy.length);
    const changed = cells.buggy.filter((cell, index) => cell.source !== cells.fixed[index]!.source);
    expect(changed.length).toBeGreaterThan(0);
    expect(changed.every((cell) => cell.number - 1 <= meta.target_cell)).toBe(true);
    const target = cells.buggy[meta.target_cell]!;
    expect(meta.same_target).toBe(target.source === cells.fixed[meta.target_cell]!.source);
    expect(meta.line).toBeLessThanOrEqual(target.source.split('\n').length);
  });
});
