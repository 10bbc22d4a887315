// A vote among ranks: what each of them said, and the one whose word differs from that of all others. Two against one is the least that
// settles anything.

export interface OddOne<Word> {
  readonly rank: number;
  readonly word: Word;
  /** What all others said. */
  readonly others: Word;
}

/**
 * Null when all agree, when several differ, and when the others do not agree among themselves. `hosts`: where the word is of a host, the
 * ranks of one that differ together are one voice, and the first of them is named.
 */
export function oddOne<Word extends string | number>(
  words: ReadonlyMap<number, Word>,
  hosts: ReadonlyMap<number, string> = new Map(),
): OddOne<Word> | null {
  const sides = new Map<Word, number[]>();
  for (const [rank, word] of words) sides.set(word, [...(sides.get(word) ?? []), rank]);
  const [most, least] = [...sides].sort(([, a], [, b]) => b.length - a.length);
  if (most === undefined || least === undefined || sides.size > 2) return null;
  if (most[1].length < 2 || most[1].length === least[1].length) return null;
  const [host, ...more] = new Set(least[1].map((rank) => hosts.get(rank) ?? null));
  const isOneHost =
    host != null && more.length === 0 && most[1].every((rank) => (hosts.get(rank) ?? host) !== host);
  if (least[1].length > 1 && !isOneHost) return null;
  return { rank: Math.min(...least[1]), word: least[0], others: most[0] };
}
