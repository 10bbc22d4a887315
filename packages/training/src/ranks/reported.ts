// Ranks that tools outside of the run report: dead or without an answer, behind in what they launched, or on a device that is at fault.
import { isNamedBy } from '../readers/collect/seating.js';
import type { DeviceMessage, RunRecord } from '../record/run-record.js';
import { busOf } from '../record/seat.js';

/** Ranks that `ncclras` calls dead or gets no answer from; ascending. */
export function goneIn(record: RunRecord): number[] {
  return ranksWith(record, 'rank_gone');
}

/** Ranks that launched fewer operations than the rest: worth something only where a run stands still. */
export function behindIn(record: RunRecord): number[] {
  return ranksWith(record, 'rank_behind');
}

function ranksWith({ device }: RunRecord, wanted: DeviceMessage['kind']): number[] {
  const ranks = device.flatMap(({ kind, rank }) => (kind === wanted && rank !== null ? rank : []));
  return [...new Set(ranks)].sort((a, b) => a - b);
}

/** What is said of a device. */
export const ofDevice: ReadonlySet<DeviceMessage['kind']> = new Set([
  'xid',
  'gpu_memory_error',
  'gpu_missing',
  'nvlink_error',
  'gpu_throttled',
]);

/** Whether a file, or a folder that it lies in, is named by the host. */
export function isOfHost(file: string, host: string | null): boolean {
  return host !== null && file.split('/').some((part) => isNamedBy(part, host));
}

/**
 * Whether a report speaks of the rank's device: by its owner, else because it lies in a file of the rank's host, or of no host and speaks
 * of a device with that number.
 */
export function isOfDevice(record: RunRecord, message: DeviceMessage, rank: number): boolean {
  const owner = ownerOf(record, message);
  if (owner !== null || !ofDevice.has(message.kind)) return owner === rank;
  const seat = record.seats.find((entry) => entry.rank === rank);
  if (seat === undefined) return false;
  if (seat.device === null) return isOfHost(message.at.file, seat.host);
  const isOfNone = !record.seats.some(({ host }) => isOfHost(message.at.file, host));
  return isOfNone && message.text.startsWith(`GPU ${seat.device}: `);
}

/** Whose device a report speaks of: by the rank or process it names, else by the device's number where all ranks are on one host. */
export function ownerOf({ seats }: RunRecord, { kind, text, rank, at }: DeviceMessage): number | null {
  if (rank !== null || !ofDevice.has(kind)) return rank;
  // What lies in a file or folder that is named by a host is of that host.
  const named = seats.filter(({ host }) => isOfHost(at.file, host));
  const here = named.length > 0 ? named : seats;
  const only = (fits: (seat: RunRecord['seats'][number]) => boolean): number | null => {
    const [one, ...more] = here.filter(fits);
    return one && more.length === 0 ? one.rank : null;
  };
  const pid = /\bpid='?(\d+)/.exec(text);
  const byPid = pid ? only((seat) => seat.pid === Number(pid[1])) : null;
  const bus = busOf(text);
  const byBus = bus === null ? null : only((seat) => seat.bus === bus);
  if (pid || byBus !== null) return byPid ?? byBus;
  const device = /^GPU (\d+): /.exec(text);
  return device && only((seat) => seat.device === Number(device[1]));
}
