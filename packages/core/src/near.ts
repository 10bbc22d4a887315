// Near-miss spellings: which of the known words a mistyped one was probably meant to be.

/** The candidates within a small edit distance of `word`, nearest first, at most `limit`. */
export function nearest(word: string, candidates: Iterable<string>, limit = 3): string[] {
  const allowed = word.length <= 3 ? 1 : word.length <= 7 ? 2 : 3;
  const folded = fold(word);
  const scored: { candidate: string; distance: number }[] = [];
  for (const candidate of candidates) {
    if (candidate === word) continue;
    const distance = fold(candidate) === folded ? 0.5 : editDistance(word, candidate, allowed);
    if (distance <= allowed && distance < word.length) scored.push({ candidate, distance });
  }
  scored.sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1));
  return scored.slice(0, limit).map((entry) => entry.candidate);
}

function fold(word: string): string {
  return word.toLowerCase().replace(/[\s_-]/g, '');
}

/** Optimal string alignment distance (a transposition costs one), or Infinity above `limit`. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return Number.POSITIVE_INFINITY;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, beforeLast[j - 2]! + 1);
      row.push(best);
    }
    if (Math.min(...row) > limit) return Number.POSITIVE_INFINITY;
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}
