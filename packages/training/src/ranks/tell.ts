// Ranks in words that stay readable for eight ranks and for a thousand: neighbours are folded ("0-511, 513"), and ranks that
// stand at the same place share a line.
import type { Ranks } from './ranks.js';

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

/** One line for each kind of standing; the first rank first. */
export function pictureOf({ world_size, first, missing, behind, groups }: Ranks): string[] {
  const lines: string[] = [];
  if (first) {
    const place = first.file === null ? '' : `, last seen at ${first.file}:${first.line}`;
    const seat = [first.host, first.device === null ? null : `device ${first.device}`].filter(
      (part) => part !== null,
    );
    const where = seat.length === 0 ? '' : ` on ${seat.join(', ')}`;
    lines.push(`it began at rank ${first.rank} of ${world_size}${where}${place}`);
  }
  const others = behind.filter((rank) => rank !== first?.rank);
  if (others.length > 0)
    lines.push(
      `${rankWord(others)} ${first ? 'as well' : 'disagree, and nothing says which of them is wrong'}`,
    );
  for (const group of groups.slice(0, 8))
    lines.push(
      `${rankWord(group.waiting)} ${group.waiting.length === 1 ? 'waits' : 'wait'} in ${group.operation} ${group.sequence} of group ${group.name} for ${rankWord(group.behind)}`,
    );
  if (groups.length > 8) lines.push(`${groups.length - 8} more groups wait`);
  if (missing.length > 0) lines.push(`${rankWord(missing)} left nothing behind`);
  return lines;
}
