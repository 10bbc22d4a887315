// The rank whose own network adapter went down. Errors of completions are met at both ends of a connection; a port or cable that fails is
// reported where it is, or stands at one end of all that failed.
import type { RunView } from '../features/view.js';
import { isNamedBy } from '../readers/collect/seating.js';
import { isOfHost } from './reported.js';

const ownPort =
  /NET\/IB\w* ?:.*\basync (?:fatal )?event ?: ?(?:port err|\w*_?PORT_ERR)|\bmlx5_\w+.*(?:link down|Lost carrier)/i;

/** The host whose port a tool finds failing, else the one that has a part in every transfer that failed. */
function failingHost({ record, lines }: RunView): string | null {
  const known = new Set(record.seats.flatMap(({ host }) => host ?? []));
  for (const { kind, text, at } of record.device) {
    if (kind !== 'port_errors') continue;
    const here = [...known].filter((host) => isOfHost(at.file, host) || isNamedBy(text, host));
    if (here.length === 1) return here[0]!;
  }
  const peers = new Map<string, Set<string>>();
  for (const { text } of lines) {
    const [, host, peer] = failedTransfer.exec(text.slice(0, 1000)) ?? [];
    if (host !== undefined && known.has(host)) peers.set(host, (peers.get(host) ?? new Set()).add(peer!));
  }
  const [one, ...more] = [...peers].filter(([, here]) => here.size > 1);
  const others = new Set([...peers].flatMap(([host, here]) => (host === one?.[0] ? [] : [...here])));
  return one && more.length === 0 && others.size <= 1 && !others.has([...one[1]][0]!) ? one[0] : null;
}

const failedTransfer =
  /(?:^|\s)([\w.-]+):\d+:\d+ .*NET\/IB\w* ?: ?Got completion from peer ([\d.]+)\S* with (?:status=|error )(?!0\b)/;

/** Null unless one rank of one file speaks of it: the line's own, else the only one that complains beside it, else the first of its host. */
export function downAt(view: RunView): number | null {
  const { record, lines, failures } = view;
  const reports = lines.filter(({ text }) => text.length < 1000 && ownPort.test(text));
  const ranks = new Set(reports.flatMap(({ rank }) => rank ?? []));
  const files = new Set(reports.flatMap(({ rank, at }) => (rank === null ? at.file : [])));
  for (const { rank, at } of [...failures, ...record.device])
    if (ranks.size < 2 && rank !== null && files.has(at.file)) ranks.add(rank);
  const [one, ...more] = ranks;
  if (one !== undefined && more.length === 0) return one;
  const host = reports.length === 0 ? failingHost(view) : null;
  if (host !== null)
    return Math.min(...record.seats.flatMap((seat) => (seat.host === host ? seat.rank : [])));
  // Several ranks of one host speak of the adapter that they share. The kernel speaks of no rank: of the host that its file is named by.
  const seats = record.seats.filter(
    ({ rank, host }) => ranks.has(rank) || [...files].some((file) => isOfHost(file, host)),
  );
  const hosts = new Set(seats.map(({ host }) => host));
  return hosts.size === 1 && !hosts.has(null) ? Math.min(...seats.map(({ rank }) => rank)) : null;
}
