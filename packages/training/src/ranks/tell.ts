// Where the ranks stand, in lines that stay readable for eight ranks and for a thousand: those at the same place share one.
import { rankWord } from './rank-words.js';
import type { Ranks } from './ranks.js';

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
