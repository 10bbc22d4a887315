// Ranks that tools outside of the run report: dead or without an answer, behind in what they launched, or on a device that is at fault.
import type { DeviceMessage, RunRecord } from '../record/run-record.js';

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

const ofDevice: ReadonlySet<DeviceMessage['kind']> = new Set([
  'xid',
  'gpu_memory_error',
  'gpu_missing',
  'nvlink_error',
  'gpu_throttled',
]);

/** Whose device a report speaks of: by the rank or process it names, else by the device's number where all ranks are on one host. */
export function ownerOf({ seats }: RunRecord, { kind, text, rank }: DeviceMessage): number | null {
  if (rank !== null || !ofDevice.has(kind)) return rank;
  const pid = /\bpid='?(\d+)/.exec(text);
  if (pid) return seats.find((seat) => seat.pid === Number(pid[1]))?.rank ?? null;
  const device = /^GPU (\d+): /.exec(text);
  if (device === null || new Set(seats.map(({ host }) => host)).size > 1) return null;
  const [one, ...more] = seats.filter((seat) => seat.device === Number(device[1]));
  return one && more.length === 0 ? one.rank : null;
}
