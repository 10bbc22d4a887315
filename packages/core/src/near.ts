// Near-miss spellings: which of the known words a mistyped one was probably meant to be.

/**
 * The candidates that `word` was probably meant to be, nearest first, at most `limit`. The same letters in another case or
 * with other separators settle it; a slip of the fingers comes next; then a name that contains the word as a whole word.
 */
export function nearest(word: string, candidates: Iterable<string>, limit = 3): string[] {
  const others = [...candidates].filter((candidate) => candidate !== word);
  const folded = fold(word);
  const same = others.filter((candidate) => fold(candidate) === folded);
  if (same.length > 0) return same.slice(0, limit);
  // Two slips in a word of four letters leave another word.
  const allowed = word.length <= 4 ? 1 : word.length <= 8 ? 2 : 3;
  const scored: { candidate: string; distance: number }[] = [];
  for (const candidate of others) {
    const slips = editDistance(word.toLowerCase(), candidate.toLowerCase(), allowed);
    // The first letter is seldom the wrong one.
    const most = word[0]?.toLowerCase() === candidate[0]?.toLowerCase() ? allowed : 1;
    const distance =
      slips <= most && slips < word.length ? slips : contains(candidate, word) ? allowed + 1 : null;
    if (distance !== null) scored.push({ candidate, distance });
  }
  scored.sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1));
  // Where one is clearly nearer than the rest, the rest are no help.
  const [first, second] = scored;
  if (first && second && second.distance - first.distance >= 2) return [first.candidate];
  return scored.slice(0, limit).map((entry) => entry.candidate);
}

function fold(word: string): string {
  return word.toLowerCase().replace(/[\s_-]/g, '');
}

/** One is a run of whole words of the other: "tenure" of "tenure_months". Short words are part of too much. */
function contains(candidate: string, word: string): boolean {
  const [long, short] = [wordsOf(candidate), wordsOf(word)].sort((a, b) => b.length - a.length);
  return short!.length > 3 && long!.length > short!.length && `_${long}_`.includes(`_${short}_`);
}

function wordsOf(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
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
