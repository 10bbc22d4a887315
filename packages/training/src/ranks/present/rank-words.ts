// Ranks in words that stay readable for eight ranks and for a thousand: neighbours are folded ("0-511, 513").

/** "0-2, 5" of 0, 1, 2 and 5. The longest lists are cut. */
export function folded(ranks: readonly number[]): string {
  const spans: [number, number][] = [];
  for (const rank of ranks) {
    const last = spans.at(-1);
    if (last && rank === last[1] + 1) last[1] = rank;
    else spans.push([rank, rank]);
  }
  const shown = spans.slice(0, 12).map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`));
  return `${shown.join(', ')}${spans.length > 12 ? ` and ${spans.length - 12} more spans` : ''}`;
}

export function rankWord(ranks: readonly number[]): string {
  return `${ranks.length === 1 ? 'rank' : 'ranks'} ${folded(ranks)}`;
}
