import { redactSnapshot, type Snapshot, snapshotSchema } from '@grus/kernel/snapshot';
import { describe, expect, it } from 'vitest';

const snapshot: Snapshot = snapshotSchema.parse({
  version: 1,
  python: { version: [3, 11, 7], implementation: 'cpython', platform: 'linux' },
  cwd: '/home/ada',
  execution_count: 3,
  objects: {
    o1: {
      kind: 'dataframe',
      class: 'pandas.DataFrame',
      representation: {
        shape: [30, 2],
        columns: [{ label: 'age', dtype: 'int64' }],
        index_labels: ['ada', 'grace'],
      },
      values: { columns: [{ min: 31, max: 70, has_nan: false, examples: [31, 45, 70] }] },
    },
    o2: { kind: 'str', class: 'str', values: { literal: 'token hf_AbCdEfGhIjKlMnOpQrStUv' } },
    o3: { kind: 'dict', class: 'dict', structural: { keys: ['ada@example.org'], complete: true } },
  },
  names: { df: 'o1', note: 'o2', people: 'o3' },
  builtins: {},
  absent: [],
  namespace: ['df', 'note'],
  paths: {},
  modules: {},
  files: { 'a.csv': { status: 'absent', siblings: ['b.csv'] } },
  versions: {},
  omitted: [],
});

describe('redactSnapshot', () => {
  it('keeps only what exists and its form at "shapes"', () => {
    const { objects, files } = redactSnapshot(snapshot, 'shapes');
    expect(objects['o1']?.representation?.shape).toEqual([30, 2]);
    expect(objects['o1']?.representation?.index_labels).toBeUndefined();
    expect(objects['o1']?.values).toBeUndefined();
    expect(objects['o3']?.structural?.keys).toBeUndefined();
    expect(files).toEqual({ '<path 1 ending in .csv>': { status: 'absent' } });
  });

  it('adds ranges and counts but no value at "statistics"', () => {
    const { objects } = redactSnapshot(snapshot, 'statistics');
    expect(objects['o1']?.values?.columns).toEqual([{ min: 31, max: 70, has_nan: false }]);
    expect(objects['o2']?.values).toEqual({});
  });

  it('shows values at "values", but never a secret', () => {
    const redacted = redactSnapshot(snapshot, 'values');
    expect(redacted.objects['o1']?.values?.columns?.[0]?.examples).toEqual([31, 45, 70]);
    expect(JSON.stringify(redacted)).not.toContain('hf_AbCd');
    expect(JSON.stringify(redacted)).not.toContain('ada@example.org');
  });

  it('still passes the schema at every level', () => {
    for (const level of ['shapes', 'statistics', 'values'] as const) {
      expect(snapshotSchema.safeParse(redactSnapshot(snapshot, level)).success).toBe(true);
    }
  });
});
