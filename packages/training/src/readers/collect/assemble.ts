// Makes one run record of what the files said.
import type { Gpu } from '../../record/configuration.js';
import type { Exit } from '../../record/exit.js';
import type { RunRecord } from '../../record/run-record.js';
import type { Seat } from '../../record/seat.js';
import type { RankStack } from '../../record/stack.js';
import type { Where } from '../../record/where.js';
import { firstRanks } from './counted-on-host.js';
import type { FileRecord } from './file-record.js';
import { isOfAnotherDay } from './kernel-time.js';
import { type EarlierAttempts, earlierAttempts, isOfLastAttempt } from './last-attempt.js';
import { unmaskNan } from './masked-nan.js';
import type { MergedSeries } from './merged-series.js';
import { nameNameless } from './nameless.js';
import { isNamedBy } from './names.js';
import { inOneUnit } from './one-unit.js';
import { ownersOf } from './owners.js';
import { mergeSeries } from './reconcile.js';
import { findRestarts } from './restarts.js';
import { areAgents, seatsOf } from './seats.js';
import { recounted } from './standing-count.js';

export function assembleRecord(
  path: string,
  roots: readonly FileRecord[],
  fidelity: (reader: string) => number,
): RunRecord {
  const files = withoutCopies(roots.flatMap((file) => [file, ...file.children]));
  const ordered = [...files].sort(
    (a, b) => (a.startTime ?? 0) - (b.startTime ?? 0) || (a.file < b.file ? -1 : a.file > b.file ? 1 : 0),
  );
  const inPathOrder = [...files].sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0));
  const ends = earlierAttempts(files);
  const span = spanOf(files);
  const isLast = ({ at, text = '' }: { readonly at: Where; readonly text?: string }): boolean =>
    isOfLastAttempt(ends, at) && !isOfAnotherDay(text, span);
  const kept = inPathOrder.flatMap((file) => file.text.finish(file.file)).filter(isLast);
  const marked = toldIn(files, kept);
  const firsts = firstRanks(files, marked);
  const rankIn = (file: string, rank: number | null): number | null =>
    rank === null ? (owners.get(file) ?? null) : rank + (firsts.get(file) ?? 0);
  const told = new Map(
    [...marked].map(([file, ranks]) => [
      file,
      new Set([...ranks].map((rank) => rank + (firsts.get(file) ?? 0))),
    ]),
  );
  const said = new Map<string, string[]>();
  for (const { at, text } of kept) {
    const here = said.get(at.file);
    if (here === undefined) said.set(at.file, [text]);
    else here.push(text);
  }
  const seats = seatsOf(files, told);
  const owners = ownersOf(files, told, said, seats);
  const ofAgents = areAgents(files);
  const owned = <T extends { readonly rank: number | null; readonly at: Where }>(item: T): T => {
    const rank = rankIn(item.at.file, item.rank);
    return rank === item.rank ? item : { ...item, rank };
  };
  const { series: unmasked, notes: maskNotes } = unmaskNan(
    nameNameless(inOneUnit(withoutMarks(mergeSeries(ordered, fidelity, rankIn)))),
  );
  const { series, lastStep } = recounted(unmasked);
  const lines = kept.map(owned);
  const textFiles = inPathOrder.filter((file) => file.text.lines > 0);
  const keptByFile = new Map<string, number>();
  for (const line of lines) keptByFile.set(line.at.file, (keptByFile.get(line.at.file) ?? 0) + 1);

  const times = timeRange(series, lines);
  // How a process ended outweighs what it said of its end.
  const isSaidAlone = files.every(({ exits }) => exits.every(({ spoken }) => spoken));
  return {
    path,
    series: series.sort((a, b) => (a.rawName < b.rawName ? -1 : a.rawName > b.rawName ? 1 : 0)),
    text: {
      lines,
      files: textFiles.map((file) => ({
        file: file.file,
        lines: file.text.lines,
        bytes: file.text.bytes,
        encoding: file.encoding,
        omitted: Math.max(0, file.text.lines - (keptByFile.get(file.file) ?? 0)),
      })),
    },
    tracebacks: inPathOrder
      .flatMap((file) => file.tracebacks)
      .filter((traceback) => isLast(traceback.again ?? traceback))
      .map((traceback, order) => ({ ...owned(traceback), order })),
    device: inPathOrder
      .flatMap((file) => file.device)
      .filter((message) => isLast({ ...message, ...message.again }))
      .map(owned),
    exits: inPathOrder
      .flatMap((file) =>
        file.exits.filter((exit) => !exit.spoken || (isSaidAlone && !measuredBehind(file, exit.at))),
      )
      .filter(isLast)
      .map((exit) => ({ ...exit, rank: rankOfExit(exit, told, ofAgents) })),
    dumps: inPathOrder.flatMap((file) => file.dumps).sort((a, b) => a.rank - b.rank),
    stacks: inPathOrder
      .flatMap((file) => [...file.stacks.values()])
      .filter(isLast)
      .map(owned)
      .map(seatedOf(files, seats)),
    seats,
    settings: ordered.flatMap((file) => [...file.settings.values()]),
    hardware: {
      gpus: uniqueGpus(ordered.flatMap((file) => file.gpus)),
      hostMemory: firstKnown(ordered, (file) => file.hostMemory),
      cpuCount: firstKnown(ordered, (file) => file.cpuCount),
      worldSize: firstKnown(ordered, (file) => file.worldSize) ?? workersOf(ordered),
      countsOnHost: files.some(({ countsOnHost }) => countsOnHost) && firsts.size === 0,
      hosts: [...new Set(ordered.flatMap((file) => [...file.hosts]))],
    },
    versions: ordered.flatMap((file) => [...file.versions.values()]),
    restarts: findRestarts(series),
    notes: [
      ...ordered.flatMap((file) => file.notes),
      ...attemptNotes(ends),
      ...thinnedNotes(series),
      ...maskNotes,
    ],
    sources: ordered
      .filter((file) => !file.file.endsWith('!output'))
      .map(({ file, reader, bytes, points }) => ({ file, reader, bytes, points })),
    lastStep: lastStep ?? greatest(ordered.map((file) => file.lastStep)),
    plannedSteps: firstKnown(ordered, (file) => file.plannedSteps),
    startTime: times.start,
    endTime: times.end,
  };
}

/** What a program said of its end was not its end: it went on. */
function measuredBehind({ series }: FileRecord, { line }: Where): boolean {
  return [...series.values()].some(
    ({ places, length }) => line !== undefined && length > 1 && places[length - 2]! > line,
  );
}

/** From the first moment of a curve to the last. */
function spanOf(files: readonly FileRecord[]): {
  readonly start: number | null;
  readonly end: number | null;
} {
  let [start, end] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { series } of files)
    for (const { times, length } of series.values())
      for (const time of [times[0], times[length - 1]])
        if (time !== undefined && Number.isFinite(time))
          [start, end] = [Math.min(start, time), Math.max(end, time)];
  return end < start ? { start: null, end: null } : { start, end };
}

function attemptNotes(ends: EarlierAttempts): RunRecord['notes'] {
  return [...ends].map(([file, line]) => ({
    kind: 'skipped' as const,
    text: 'the run went on behind this line: what stands before does not tell how it ended',
    at: { file, line },
  }));
}

/**
 * The agent of a host counts its own workers from 0. Where its file tells of other ranks alone, the number is no rank: it is counted from
 * the first of them when they leave none out.
 */
function rankOfExit(
  { passing, rank, at, source }: Exit,
  told: ReadonlyMap<string, ReadonlySet<number>>,
  ofAgents: boolean,
): number | null {
  if (source === 'slurm' && ofAgents) return null;
  const here = [...(told.get(at.file) ?? [])];
  if (passing !== true || rank === null || here.length === 0 || here.includes(rank)) return rank;
  const first = Math.min(...here);
  return Math.max(...here) - first === here.length - 1 && rank < here.length ? first + rank : null;
}

/** The ranks that each file's own lines are of. What a launcher tells of its tasks is not theirs. */
function toldIn(files: readonly FileRecord[], lines: RunRecord['text']['lines']): Map<string, Set<number>> {
  const told = new Map<string, Set<number>>();
  const see = (file: string, rank: number | null): void => {
    if (rank !== null) told.set(file, (told.get(file) ?? new Set()).add(rank));
  };
  for (const { rank, at } of lines) see(at.file, rank);
  for (const file of files) {
    see(file.file, file.rank);
    for (const { rank } of [...file.tracebacks, ...file.device, ...file.stacks.values(), ...file.dumps])
      see(file.file, rank);
    for (const { key } of file.series.values()) see(file.file, key.rank);
  }
  return told;
}

/** Stacks that several hosts took of their own workers, counted from 0: whose they are, as the host of their folder or file says. */
function seatedOf(files: readonly FileRecord[], seats: readonly Seat[]): (stack: RankStack) => RankStack {
  const taken = files.filter(({ countsOnHost, stacks }) => countsOnHost && stacks.size > 0);
  const places = new Map(taken.map(({ file }) => [file, hostsNamedBy(file, seats)]));
  if (new Set([...places.values()].map((here) => here.join(' '))).size < 2) return (stack) => stack;
  return (stack) => {
    const here = places.get(stack.at.file);
    return here === undefined || stack.rank === null ? stack : { ...stack, rank: here[stack.rank] ?? null };
  };
}

/** The ranks of the hosts that a path is named by; ascending. */
function hostsNamedBy(file: string, seats: readonly Seat[]): readonly number[] {
  const ranks = seats.flatMap(({ rank, host }) =>
    host !== null && file.split('/').some((part) => isNamedBy(part, host)) ? rank : [],
  );
  return ranks.sort((a, b) => a - b);
}

/** What marks the lines of each rank with its number is no curve. */
function withoutMarks(series: readonly MergedSeries[]): readonly MergedSeries[] {
  const ranks = new Map<string, Set<number>>();
  const isMark = ({ rank, values }: MergedSeries): boolean =>
    rank !== null && values.every((value) => value === rank);
  for (const curve of series)
    if (isMark(curve)) ranks.set(curve.rawName, (ranks.get(curve.rawName) ?? new Set()).add(curve.rank!));
  const others = new Set(series.filter((curve) => !isMark(curve)).map(({ rawName }) => rawName));
  return series.filter(({ rawName }) => others.has(rawName) || (ranks.get(rawName)?.size ?? 0) < 2);
}

/** W&B keeps the console twice; the copy inside of the run file is the whole one. */
function withoutCopies(files: readonly FileRecord[]): FileRecord[] {
  const embedded = files
    .filter((file) => file.file.endsWith('.wandb!output') && file.text.bytes > 0)
    .map((file) => `${file.file.slice(0, file.file.lastIndexOf('/') + 1)}files/output.log`);
  return files.filter((file) => !embedded.includes(file.file));
}

function thinnedNotes(series: RunRecord['series']): RunRecord['notes'] {
  return series
    .filter((curve) => curve.seen > curve.length)
    .map((curve) => ({
      kind: 'thinned' as const,
      text: `${curve.rawName}: ${curve.length} of ${curve.seen} points are held, extremes and non-finite ones kept`,
      at: curve.where(0),
    }));
}

function uniqueGpus(gpus: readonly Gpu[]): Gpu[] {
  const byIndex = new Map<string, Gpu>();
  for (const [order, gpu] of gpus.entries()) {
    const key = gpu.index === null ? `unnumbered ${gpu.name ?? order}` : String(gpu.index);
    const before = byIndex.get(key);
    byIndex.set(
      key,
      before === undefined
        ? gpu
        : { ...before, name: before.name ?? gpu.name, memoryTotal: before.memoryTotal ?? gpu.memoryTotal },
    );
  }
  return [...byIndex.values()];
}

/** As many as the only launcher that tells of its workers has: there are at least these. */
function workersOf(files: readonly FileRecord[]): number | null {
  const [one, ...more] = files.filter(({ workers }) => workers > 1);
  return one !== undefined && more.length === 0 ? one.workers : null;
}

function firstKnown<T>(files: readonly FileRecord[], pick: (file: FileRecord) => T | null): T | null {
  for (const file of files) {
    const value = pick(file);
    if (value !== null) return value;
  }
  return null;
}

function greatest(values: readonly (number | null)[]): number | null {
  return values.reduce(
    (best, value) => (value !== null && (best === null || value > best) ? value : best),
    null,
  );
}

function timeRange(
  series: RunRecord['series'],
  lines: RunRecord['text']['lines'],
): { start: number | null; end: number | null } {
  let start = Number.POSITIVE_INFINITY;
  let end = Number.NEGATIVE_INFINITY;
  const see = (time: number): void => {
    if (time < start) start = time;
    if (time > end) end = time;
  };
  for (const curve of series) for (const time of curve.times) see(time);
  for (const line of lines) if (line.time !== null) see(line.time);
  return end >= start ? { start, end } : { start: null, end: null };
}
