// Which release of a library is installed. A recorded snapshot holds no versions; there a library is taken to be of the
// release line that its other traces (module paths, classes) belong to, which is a recent one.
import type { CheckContext } from './define-check.js';

export function atLeast(context: CheckContext, module: string, wanted: readonly number[]): boolean {
  const installed = context.version(module);
  if (!installed) return context.snapshot.python.version.length === 0;
  return compare(installed, wanted) >= 0;
}

/** True only when the installed version is known and older. */
export function olderThan(context: CheckContext, module: string, wanted: readonly number[]): boolean {
  const installed = context.version(module);
  return installed !== null && compare(installed, wanted) < 0;
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
