// Builds small snapshots for tests of the reasoning: live objects in the kernel's own words.
import { type ObjectFact, type Snapshot, snapshotSchema } from '@grus/kernel/snapshot';

export function snapshotOf(objects: Record<string, ObjectFact>, extra: Partial<Snapshot> = {}): Snapshot {
  return snapshotSchema.parse({
    version: 1,
    python: { version: [3, 11, 0], implementation: 'cpython', platform: 'linux' },
    cwd: '/work',
    execution_count: 3,
    objects,
    names: Object.fromEntries(Object.keys(objects).map((name) => [name, name])),
    builtins: {},
    absent: [],
    namespace: Object.keys(objects).sort(),
    paths: {},
    modules: {},
    files: {},
    versions: {},
    omitted: [],
    ...extra,
  });
}

export function frame(columns: Record<string, string>, rows = 3): ObjectFact {
  return {
    kind: 'frame',
    class: 'pandas.core.frame.DataFrame',
    representation: {
      columns: Object.entries(columns).map(([label, dtype]) => ({ label, dtype })),
      columns_complete: true,
      shape: [rows, Object.keys(columns).length],
    },
  };
}

export function plain(type: string, literal: number | string | boolean): ObjectFact {
  return { kind: type, class: `builtins.${type}`, values: { literal } };
}
