// Devices and network adapters that a driver, a tool or their own host finds at fault, and whose they are.

import type { RunView } from '../../features/view.js';
import { isNamedBy } from '../../readers/collect/names.js';
import { ranksOn } from '../present/presence.js';
import { hostOf, isOfHost, ownerAmong, suspectAmong } from './owner.js';

/** Xids that a program causes by what it reads, writes or runs. */
export const ofPrograms: ReadonlySet<string | null> = new Set(['13', '31', '43', '45']);

/** The driver clears away what a process left that failed before: never the first report. */
const clearedAway = '45';

/** A device that reports a fault of its own, where it is known whose it is. */
export function brokenDevice(view: RunView): number | null {
  const reports = view.record.device.flatMap((message) => (message.kind === 'xid' ? message : []));
  const faults = reports.filter(({ code }) => code !== clearedAway);
  return ownerAmong(
    view,
    faults.length > 0 ? faults : reports,
    faults.filter(({ code }) => !ofPrograms.has(code)),
  );
}

const faulty: ReadonlySet<string> = new Set(['gpu_memory_error', 'gpu_missing', 'nvlink_error']);

/** A device that a tool finds at fault, where it is known whose it is. */
export function faultyDevice(view: RunView): number | null {
  return ownerAmong(
    view,
    view.record.device.filter(({ kind }) => faulty.has(kind)),
  );
}

/** A port that its own host says is down: by NCCL, or by the kernel under any name of an adapter. */
export const ownPort =
  /NET\/IB\w* ?:.*\basync (?:fatal )?event ?: ?(?:port err|\w*_?PORT_ERR)|\b(?:mlx\d\w*|ib\d\w*|eth\d|en[opsx]\d\w*|bond\d|hsn\d|rdma\w*|bnxt_\w+|ena|i40e|ice)\b.{0,120}\b(?:link (?:is |status (?:definitely )?)?down|lost carrier|port (?:is |went )?(?:down|inactive))\b/i;

/** The host whose port a tool finds failing. */
function failingHost({ record }: RunView): string | null {
  const known = new Set(record.seats.flatMap(({ host }) => host ?? []));
  for (const { kind, text, at } of record.device) {
    if (kind !== 'port_errors') continue;
    const here = [...known].filter((host) => isOfHost(at.file, host) || isNamedBy(text, host));
    if (here.length === 1) return here[0]!;
  }
  return null;
}

/**
 * The rank whose own adapter went down: the only one that speaks of it, else the only one that complains beside it, else the only one of its
 * host.
 */
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
  if (host !== null) return suspectAmong(view, [ranksOn(record, host)], false);
  // The kernel speaks of no rank: of the host that its file is named by. Several ranks share its adapter, and none is before the others.
  const named = new Set(
    reports.flatMap((report) => (report.rank === null ? (hostOf(record, report) ?? []) : [])),
  );
  const seats = record.seats.filter(
    ({ rank, host }) => ranks.has(rank) || (host !== null && named.has(host)),
  );
  const [seat, ...others] = seats;
  return seat !== undefined && others.length === 0 && seat.host !== null ? seat.rank : null;
}
