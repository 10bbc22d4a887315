// A vote among ranks: what each of them said, and the one whose word differs from that of all others. Two against one is the least that
// settles anything.

export interface OddOne<Word> {
  readonly rank: number;
  readonly word: Word;
  /** What all others said. */
  readonly others: Word;
}

/** Null when all agree, when several differ, and when the others do not agree among themselves. */
export function oddOne<Word extends string | number>(words: ReadonlyMap<number, Word>): OddOne<Word> | null {
  const sides = new Map<Word, number[]>();
  for (const [rank, word] of words) sides.set(word, [...(sides.get(word) ?? []), rank]);
  const [most, least] = [...sides].sort(([, a], [, b]) => b.length - a.length);
  if (most === undefined || least === undefined || sides.size > 2) return null;
  if (least[1].length > 1 || most[1].length < 2) return null;
  return { rank: least[1][0]!, word: least[0], others: most[0] };
}
