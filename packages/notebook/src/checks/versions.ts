// Which release of a library is installed. A recorded snapshot holds no versions; there a library is taken to be of the
// release line that its other traces (module paths, classes) belong to, which is a recent one.
import type { Snapshot } from '@grus/kernel/snapshot';
import type { CheckContext } from './define-check.js';

export function atLeast(context: CheckContext, module: string, wanted: readonly number[]): boolean {
  const installed = context.version(module);
  if (!installed) return context.snapshot.python.version.length === 0;
  return compare(installed, wanted) >= 0;
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The version of a top-level module as numbers; null when it is not known. */
export function versionOf(snapshot: Snapshot, module: string): readonly number[] | null {
  const text = snapshot.versions[module] ?? snapshot.modules[module]?.version;
  const numbers = text
    ?.match(/^\d+(\.\d+)*/)?.[0]
    .split('.')
    .map(Number);
  return numbers ?? null;
}
