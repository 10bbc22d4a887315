// Whose a report is that names a host, a device or a process, and no rank.

import type { RunView } from '../../features/view.js';
import { isNamedBy, namesHost } from '../../readers/collect/names.js';
import type { DeviceMessage, RunRecord } from '../../record/run-record.js';
import { busOf } from '../../record/seat.js';
import { ascending } from '../present/presence.js';
import { isConsequence } from './consequence.js';

/** What is said of a device. */
export const ofDevice: ReadonlySet<DeviceMessage['kind']> = new Set([
  'xid',
  'gpu_memory_error',
  'gpu_missing',
  'nvlink_error',
  'gpu_throttled',
]);

interface Report {
  readonly text: string;
  readonly at: { readonly file: string };
}

/** How far into a line the host may stand that the log of a system is of: "Nov  6 18:42:50 nn0 kernel: …". */
const longestHead = 80;

/** A step is named by the first of its hosts, whatever happened to which of them. */
export function withoutPlaceOfStep(text: string): string {
  return text.replace(/(?<=\b(?:JOB|STEP) \S+ )ON \S+ (?=CANCELLED)/, '');
}

/** The host that a report is of: its file or folder is named by it, else the line begins with it. Null for several. */
export function hostOf({ seats }: RunRecord, { text, at }: Report): string | null {
  const hosts = [...new Set(seats.flatMap(({ host }) => host ?? []))];
  const named = hosts.filter((host) => isOfHost(at.file, host));
  const head = withoutPlaceOfStep(text).slice(0, longestHead);
  const here = named.length > 0 ? named : hosts.filter((host) => namesHost(head, host));
  return here.length === 1 ? here[0]! : null;
}

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
  const isOfNone = hostOf(record, message) === null && seat.device !== null;
  return isOfNone ? message.text.startsWith(`GPU ${seat.device}: `) : mayOwn(record, message).includes(rank);
}

/** The ranks of the host that a report is of, where nothing in it says which of them: none where it names a process or device of another. */
export function mayOwn(record: RunRecord, message: Report): readonly number[] {
  const host = hostOf(record, message);
  const here = host === null ? [] : record.seats.filter((seat) => seat.host === host);
  const isOther =
    (/\bpid='?\d/.test(message.text) && here.some(({ pid }) => pid !== null)) ||
    (busOf(message.text) !== null && here.some(({ bus }) => bus != null)) ||
    (/^GPU \d+: /.test(message.text) && here.some(({ device }) => device !== null));
  return isOther ? [] : here.map(({ rank }) => rank);
}

/** Whose device a report speaks of: by the rank or process it names, else by the device's number where all ranks are on one host. */
export function ownerOf(record: RunRecord, message: DeviceMessage): number | null {
  const { kind, text, rank } = message;
  if (rank !== null || !ofDevice.has(kind)) return rank;
  const host = hostOf(record, message);
  const here = record.seats.filter((seat) => host === null || seat.host === host);
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
  if (device === null) return null;
  // Ranks take the devices of their host in order, where nothing says otherwise.
  const isCounted = host !== null && here.every((seat) => seat.device === null);
  const inOrder = isCounted ? here.map((seat) => seat.rank).sort(ascending)[Number(device[1])] : undefined;
  return inOrder ?? only((seat) => seat.device === Number(device[1]));
}

/**
 * Whose device the first of the reports is of that tells so; else of whom on the only host that the `certain` ones are of. Where they name
 * a device that nobody is known to have, the first of many would be a guess.
 */
export function ownerAmong(
  view: RunView,
  reports: readonly DeviceMessage[],
  certain: readonly DeviceMessage[] = reports,
): number | null {
  for (const message of reports) {
    const owner = ownerOf(view.record, message);
    if (owner !== null) return owner;
  }
  return suspectAmong(
    view,
    certain.map((message) => mayOwn(view.record, message)),
    !certain.some(namesDevice),
  );
}

/** Whether a report is of one device of its host, and not of the host. */
export function namesDevice({ text }: { readonly text: string }): boolean {
  return /^GPU \d+: /.test(text) || busOf(text) !== null;
}

/** The process that a line names by its number. */
export function processOf(text: string): string | null {
  return /\b(?:process|pid|task)(?: id)?[ =:]{1,2}(\d{2,8})\b/i.exec(text)?.[1] ?? null;
}

/** Of the ranks of one host: the one that failed by itself, else the one that complains of nobody, else the first where any will do. */
export function suspectAmong(
  { failures }: RunView,
  told: readonly (readonly number[])[],
  anyWillDo = true,
): number | null {
  const ranks = [...new Set(told.flat())].sort(ascending);
  if (ranks.length === 0 || told.some((here) => here.length !== ranks.length)) return null;
  const own = new Set(failures.filter((failure) => !isConsequence(failure)).map(({ rank }) => rank));
  const complaining = new Set(failures.map(({ rank }) => rank));
  const [failed, ...others] = ranks.filter((rank) => own.has(rank));
  if (failed !== undefined && others.length === 0) return failed;
  const [silent, ...more] = complaining.size === 0 ? [] : ranks.filter((rank) => !complaining.has(rank));
  if (silent !== undefined && more.length === 0) return silent;
  return anyWillDo || ranks.length === 1 ? ranks[0]! : null;
}
