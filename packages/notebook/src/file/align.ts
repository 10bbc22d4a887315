// Which cell of an older version a cell was: by its text, by its id, or by its place between two cells that are known.
import type { CodeCell } from './document.js';

/** Numbers of the older cells by the numbers of the newer ones; cells that are new are left out. */
export function alignCells(older: readonly CodeCell[], newer: readonly CodeCell[]): Map<number, number> {
  const found = new Map(commonTexts(older, newer));
  const taken = new Set(found.values());
  for (const { id, number } of newer) {
    if (id === null || found.has(number)) continue;
    const same = older.find((cell) => cell.id === id && !taken.has(cell.number));
    if (same) found.set(number, same.number);
  }
  fillGaps(found, older.length, newer.length);
  return found;
}

/** The longest common run of cells with equal texts, in order. */
function commonTexts(older: readonly CodeCell[], newer: readonly CodeCell[]): [number, number][] {
  const lengths = Array.from({ length: older.length + 1 }, () => new Array<number>(newer.length + 1).fill(0));
  for (let i = older.length - 1; i >= 0; i--)
    for (let j = newer.length - 1; j >= 0; j--)
      lengths[i]![j] =
        older[i]!.source === newer[j]!.source
          ? lengths[i + 1]![j + 1]! + 1
          : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < older.length && j < newer.length; ) {
    if (older[i]!.source === newer[j]!.source) pairs.push([++j, ++i]);
    else if (lengths[i + 1]![j]! >= lengths[i]![j + 1]!) i++;
    else j++;
  }
  return pairs;
}

/** Between two known cells, as many old as new ones are the same, edited. */
function fillGaps(found: Map<number, number>, older: number, newer: number): void {
  const known = [...found].sort(([a], [b]) => a - b);
  let [mine, theirs] = [0, 0];
  for (const [nextMine, nextTheirs] of [...known, [newer + 1, older + 1] as const]) {
    const gap = nextMine - mine - 1;
    if (gap > 0 && gap === nextTheirs - theirs - 1)
      for (let step = 1; step <= gap; step++) found.set(mine + step, theirs + step);
    [mine, theirs] = [nextMine, nextTheirs];
  }
}
