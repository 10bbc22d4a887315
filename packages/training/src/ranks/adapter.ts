// The rank whose own network adapter went down. Errors of completions are met at both ends of a connection; a port or cable that fails is
// reported where it is.
import type { RunView } from '../features/view.js';

const ownPort =
  /NET\/IB\w* ?:.*\basync (?:fatal )?event ?: ?(?:port err|\w*_?PORT_ERR)|\bmlx5_\w+.*(?:link down|Lost carrier)/i;

/** Null unless one rank of one file speaks of it: the line's own, else the only one that complains beside it. */
export function downAt({ record, lines, failures }: RunView): number | null {
  const reports = lines.filter(({ text }) => text.length < 1000 && ownPort.test(text));
  const ranks = new Set(reports.flatMap(({ rank }) => rank ?? []));
  const files = new Set(reports.flatMap(({ rank, at }) => (rank === null ? at.file : [])));
  for (const { rank, at } of [...failures, ...record.device])
    if (ranks.size < 2 && rank !== null && files.has(at.file)) ranks.add(rank);
  const [one, ...more] = ranks;
  return one === undefined || more.length > 0 ? null : one;
}
