// The rank whose own network adapter went down. Errors of completions are met at both ends of a connection; a port or cable that fails is
// reported where it is.
import type { RunView } from '../features/view.js';
import { isOfHost } from './reported.js';

const ownPort =
  /NET\/IB\w* ?:.*\basync (?:fatal )?event ?: ?(?:port err|\w*_?PORT_ERR)|\bmlx5_\w+.*(?:link down|Lost carrier)/i;

/** Null unless one rank of one file speaks of it: the line's own, else the only one that complains beside it, else the first of its host. */
export function downAt({ record, lines, failures }: RunView): number | null {
  const reports = lines.filter(({ text }) => text.length < 1000 && ownPort.test(text));
  const ranks = new Set(reports.flatMap(({ rank }) => rank ?? []));
  const files = new Set(reports.flatMap(({ rank, at }) => (rank === null ? at.file : [])));
  for (const { rank, at } of [...failures, ...record.device])
    if (ranks.size < 2 && rank !== null && files.has(at.file)) ranks.add(rank);
  const [one, ...more] = ranks;
  if (one !== undefined && more.length === 0) return one;
  // Several ranks of one host speak of the adapter that they share. The kernel speaks of no rank: of the host that its file is named by.
  const seats = record.seats.filter(
    ({ rank, host }) => ranks.has(rank) || [...files].some((file) => isOfHost(file, host)),
  );
  const hosts = new Set(seats.map(({ host }) => host));
  return hosts.size === 1 && !hosts.has(null) ? Math.min(...seats.map(({ rank }) => rank)) : null;
}
