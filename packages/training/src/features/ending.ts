// How the run ended, decided once from all its artefacts: an exit record outweighs a marker line, a marker line
// outweighs the step counter. `unknown` covers a run still going and a log that was cut.

import { isCancelledAfter } from '../ranks/lost/consequence.js';
import { lastStepOf, presentIn } from '../ranks/present/presence.js';
import { resumed } from '../readers/collect/last-attempt.js';
import type { Exit, RunRecord, Series, TextLine, Where } from '../record/run-record.js';
import { closingWords, completionMarker, rankDone } from './completion-marker.js';
import { beginsOutermost } from './dealt-with.js';
import type { Failure } from './failures.js';
import { numberSetting } from './task.js';

/** `interrupted`: somebody stopped it by hand, which tells nothing of how it would have gone on. */
export type EndingKind =
  | 'completed'
  | 'failed'
  | 'killed'
  | 'stopped_from_outside'
  | 'interrupted'
  | 'unknown';

export interface Ending {
  readonly kind: EndingKind;
  readonly fact: string;
  readonly at: Where | null;
  readonly exit: Exit | null;
}

/** A wrapper's last word that swallowed the error. */
const failureMarker =
  /^\W*(?:(?:error|fatal|critical)\W+)?(training|run|job|trial|experiment)( has| did)? (failed|crashed|aborted|not finish)\b|\bstatus\W{1,3}(failed|error)\b|exit(ed)?( with)? (status|code)\W{0,3}[1-9]/i;

const outside = new Set<Exit['reason']>(['timeout', 'cancelled', 'preempted', 'node_failure']);

const interrupts: ReadonlySet<string> = new Set(['KeyboardInterrupt', 'SignalException']);

export function endingOf(record: RunRecord, raised: readonly Failure[]): Ending {
  const ending = plainEndingOf(record, raised);
  const isBad = ending.kind === 'failed' || ending.kind === 'killed';
  return isBad && wasInterrupted(record, raised) ? { ...ending, kind: 'interrupted' } : ending;
}

/** Ctrl-C, or the signal that it sends, is all that went wrong. */
function wasInterrupted({ exits }: RunRecord, raised: readonly Failure[]): boolean {
  const isSignal = ({ signal, code }: Exit): boolean => signal === 'SIGINT' || code === 130;
  const bad = exits.filter(({ reason }) => reason !== 'completed' && reason !== 'running');
  const byHand = ({ type, message }: Failure): boolean =>
    type === 'KeyboardInterrupt' || (type === 'SignalException' && /\bsignal: 2\b/.test(message));
  return (
    raised.every((failure) => byHand(failure)) &&
    (raised.length > 0
      ? bad.every((exit) => isSignal(exit) || exit.code === 1)
      : bad.length > 0 && bad.every(isSignal))
  );
}

function plainEndingOf(record: RunRecord, raised: readonly Failure[]): Ending {
  const marker = lastMarker(record);
  const isOfAll = endOfAll(record) !== undefined;
  // Whoever stops a program that has said its end wants nothing more of it.
  const isOver = ({ file, line = 0 }: Where): boolean =>
    marker !== undefined &&
    marker.at.file === file &&
    line > (marker.at.line ?? line) &&
    !goesOnBehind(record, marker.at);
  const failures = raised.filter(({ type, at }) => !interrupts.has(type) || !isOver(at));
  // The launcher of each host speaks for its own workers.
  const isOfHost = ({ source, at }: Exit): boolean =>
    source !== 'torchrun' ||
    [...record.exits, ...raised].every(
      ({ at: { file } }) =>
        file === at.file ||
        record.exits.some(
          (exit) => exit.source === source && exit.reason === 'completed' && exit.at.file === file,
        ),
    );
  const wentOn = record.exits.some((exit) => exit.reason === 'completed' && isOfHost(exit));
  // Accounting tells how a job ended that was queued again.
  const wasRequeued = record.exits.some(({ source, reason }) => source === 'slurm' && reason === 'completed');
  const bad = record.exits.filter(
    (exit) =>
      exit.reason !== 'completed' &&
      exit.reason !== 'running' &&
      !(exit.passing && wentOn) &&
      !(isFromOutside(exit) && (isOfAll || isOver(exit.at))) &&
      !(wasRequeued && (outside.has(exit.reason) || exit.signal === 'SIGTERM')) &&
      !wasResumedAfter(record, exit),
  );
  const stop = bad.find((exit) => outside.has(exit.reason) && !isCancelledAfter(record.exits, exit));
  if (stop) return fromExit('stopped_from_outside', stop);
  const killed = bad.find((exit) => exit.reason === 'out_of_memory' || exit.signal !== null);
  if (killed && failures.length === 0) return fromExit('killed', killed);
  const failed = bad[0];
  if (failed) return fromExit(failed.signal === null ? 'failed' : 'killed', failed);
  const first = failures[0];
  const completed = record.exits.find((exit) => exit.reason === 'completed' && isOfHost(exit));
  const lost = failureOfAnotherRank(record, failures);
  if (lost) return { kind: 'failed', fact: firstLine(lost.text), at: lost.at, exit: null };
  const after = completed && failures.find((failure) => endedAfter(record, failure, completed.at));
  if (after && !continuedAfter(record, after))
    return { kind: 'failed', fact: firstLine(after.text), at: after.at, exit: null };
  // Trackers close a run as finished when the interpreter exits, whatever made it exit.
  const closedByTracker = completed?.source === 'mlflow' || completed?.source === 'wandb';
  if (completed && !(closedByTracker && first && !continuedAfter(record, first)))
    return fromExit('completed', completed);
  if (marker && first && failures.every(({ at }) => wasStartedAgain(record, at, marker.at)))
    return { kind: 'completed', fact: marker.text.trim(), at: marker.at, exit: null };
  if (first && !continuedAfter(record, first))
    return { kind: 'failed', fact: firstLine(first.text), at: first.at, exit: null };
  const word = record.text.lines
    .slice(-5)
    .find((line) => line.text.length < 400 && failureMarker.test(line.text));
  if (word) return { kind: 'failed', fact: word.text.trim(), at: word.at, exit: null };
  // One rank that says its end does not speak for those whose watchdog gave up waiting.
  const stuck = record.device.find(
    ({ kind, rank }) => kind === 'collective_timeout' && marker?.rank != null && rank !== marker.rank,
  );
  if (stuck && !isOfAll) return { kind: 'failed', fact: firstLine(stuck.text), at: stuck.at, exit: null };
  if (marker) return { kind: 'completed', fact: marker.text.trim(), at: marker.at, exit: null };
  const planned = plannedSteps(record);
  if (planned !== null && record.lastStep !== null && record.lastStep >= planned - 1)
    return {
      kind: 'completed',
      fact: `reached step ${record.lastStep} of ${planned}`,
      at: null,
      exit: null,
    };
  return { kind: 'unknown', fact: 'nothing says how the run ended', at: null, exit: null };
}

/** Between an error and the words of the end the program began anew, with lines that it had said before, and measured something. */
function wasStartedAgain({ text, series }: RunRecord, failed: Where, end: Where): boolean {
  const [from, to] = [failed.line ?? Number.POSITIVE_INFINITY, end.line ?? 0];
  if (failed.file !== end.file || from >= to) return false;
  const isBetween = ({ file, line = 0 }: Where): boolean => file === end.file && line > from && line <= to;
  const measured = series.some(
    (points) =>
      points.length >= 5 &&
      isBetween(points.where(points.length - 1)) &&
      isBetween(points.where(points.length - 5)),
  );
  if (!measured) return false;
  const shape = (line: TextLine): string => line.text.replace(/\d+/g, '#').trim();
  const before = new Set(
    text.lines.filter(({ at }) => at.file === end.file && (at.line ?? from) < from).map(shape),
  );
  return text.lines.some((line) => isBetween(line.at) && line.text.length >= 20 && before.has(shape(line)));
}

/** A scheduler took the run's place away and gave it another: behind the line it says so, and its steps go on. */
function wasResumedAfter({ text, series }: RunRecord, { at }: Exit): boolean {
  const { file, line } = at;
  if (line === undefined) return false;
  const isBehind = (where: Where): boolean => where.file === file && (where.line ?? 0) > line;
  return (
    series.some((curve) => curve.length > 4 && curve.hasSteps && isBehind(curve.where(curve.length - 4))) &&
    text.lines.some((entry) => isBehind(entry.at) && entry.text.length < 300 && resumed.test(entry.text))
  );
}

function isFromOutside({ reason, signal }: Exit): boolean {
  return outside.has(reason) || signal === 'SIGINT' || signal === 'SIGTERM';
}

/** Training came to its end, and what followed it, a test or a checkpoint, died of an error that nobody caught, or that ended the whole program. */
function endedAfter({ text }: RunRecord, { at, frames }: Failure, end: Where): boolean {
  const [from, to] = [end.line ?? Number.POSITIVE_INFINITY, at.line ?? 0];
  if (at.file !== end.file || to <= from) return false;
  return (
    beginsOutermost(frames) ||
    text.lines.some(
      ({ at: { file, line = 0 }, text: said }) =>
        file === at.file && line > from && line < to && errorOfAll.test(said),
    )
  );
}

/** What a launcher writes before the error of the function that it was given to run. */
const errorOfAll =
  /\b(?:error|exception|failed)\b.{0,20}\b(?:execut|runn?)ing (?:the )?(?:job|script|program|command|task|main)\b/i;

/** One rank came to its end and another did not: the run did not either. */
function failureOfAnotherRank(record: RunRecord, failures: readonly Failure[]): Failure | undefined {
  const through = new Set(
    record.exits.flatMap(({ reason, rank }) => (reason === 'completed' ? (rank ?? []) : [])),
  );
  if (through.size === 0) return undefined;
  return failures.find(({ rank }) => rank !== null && !through.has(rank));
}

/** The steps the run was to take: as it said, or as its settings ask for. */
export function plannedSteps(record: RunRecord): number | null {
  return record.plannedSteps ?? numberSetting(record, 'max_steps');
}

/** What a trainer says at its end of its time in seconds, and of its steps in each. */
const spent = /train_runtime\W+([\d.]+).*train_steps_per_second\W+([\d.]+)/;

/** How many steps were made: the last one that was logged. Of a completed run that counts none, as many as were planned, or as its pace gives. */
export function stepsMade(record: RunRecord, { kind }: Ending): number | null {
  if (record.lastStep !== null || kind !== 'completed') return record.lastStep;
  const pace = record.exits.map(({ text }) => spent.exec(text)).find((found) => found !== null);
  return pace ? Math.round(Number(pace[1]) * Number(pace[2])) : plannedSteps(record);
}

function fromExit(kind: EndingKind, exit: Exit): Ending {
  return { kind, fact: exit.text.trim() || exit.reason, at: exit.at, exit };
}

/** More than a few steps were logged after the error: it was handled. */
export function continuedAfter(record: RunRecord, failure: Failure): boolean {
  const own = failure.rank === null ? null : lastStepOf(record, failure.rank);
  // What the others still printed was under way: a rank that tells its own steps speaks for itself.
  const last = own ?? record.lastStep;
  if (failure.step !== null)
    return last !== null && last > failure.step + 5 && !isBehindAll(record, failure.at);
  if (takenUpAfter(record, failure)) return true;
  // Before the first step only a line without frames may have been passed over: a traceback can stand before what was printed earlier.
  return failure.frames.length === 0 && record.series.some((series) => goesOnAfter(series, failure.at));
}

/** Every point of its file stands before it: where an evaluation counts from the beginning, a higher step says nothing. */
function isBehindAll({ series }: RunRecord, { file, line }: Where): boolean {
  const own = series
    .filter(({ length }) => length > 0)
    .map((points) => points.where(points.length - 1))
    .filter((last) => last.file === file && last.line !== undefined);
  return line !== undefined && own.length > 0 && own.every((last) => last.line! < line);
}

/** What a loop says right after an error that it has dealt with. */
const takenUp =
  /\b(retry\w*|try\w*\b.{0,40}\bagain|(reduc|halv|lower)\w*\b.{0,40}\bbatch|batch\b.{0,40}\b(reduc|halv|lower)\w*|skipp\w+|recover\w*|fall\w* back|continuing)\b/i;

/** The same as something done. Lines that were joined carry it inside of the message, where the other words may be advice. */
const wasTakenUp =
  /\b(batch\b.{0,40}\b(reduced|halved|lowered)|(reduced|halved|lowered)\b.{0,40}\bbatch|(re)?trying\b.{0,40}\bagain|retrying|skipping|recovered)\b/i;

function takenUpAfter(record: RunRecord, { at, message }: Failure): boolean {
  const { line } = at;
  if (wasTakenUp.test(message)) return true;
  if (line === undefined) return false;
  return record.text.lines.some(
    (entry) =>
      entry.at.file === at.file &&
      entry.at.line !== undefined &&
      entry.at.line > line &&
      entry.at.line <= line + 3 &&
      entry.text.length < 300 &&
      takenUp.test(entry.text),
  );
}

/** Many steps were logged behind a line: in its file, or by their times where the line gives one. */
export function wentOnBehind({ series, text, device }: RunRecord, { file, line }: Where): boolean {
  if (line === undefined) return false;
  const said = [...text.lines, ...device].find(({ at }) => at.file === file && at.line === line);
  const time = said?.time ?? Number.NaN;
  return series.some((points) => {
    const later = points.length - manySteps;
    if (!points.hasSteps || later < 0) return false;
    const where = points.where(later);
    return where.file === file
      ? (where.line ?? 0) > line
      : points.times[0]! < time && points.times[later]! > time;
  });
}

const manySteps = 10;

function goesOnAfter(series: Series, { file, line }: Where): boolean {
  if (series.metric !== 'loss' || series.length < 10 || line === undefined) return false;
  const later = series.where(series.length - 10);
  return later.file === file && later.line !== undefined && later.line > line;
}

function lastMarker(record: RunRecord): TextLine | undefined {
  const { lines } = record.text;
  return (
    endOfAll(record) ??
    lines.findLast(({ text }) => text.length < 400 && completionMarker.test(text)) ??
    lines.findLast(({ text, at }) => text.length < 400 && closingWords.test(text) && isBehindAll(record, at))
  );
}

/** The last word of every rank is that it is done, and no point of its file comes behind it. */
function endOfAll(record: RunRecord): TextLine | undefined {
  const last = new Map<number, TextLine>();
  // A stack that was taken of a rank is no word of its own.
  const isOfStack = ({ file, line = 0 }: Where): boolean =>
    record.stacks.some(
      ({ at, frames }) =>
        at.file === file && line >= (at.line ?? 0) && line <= (at.line ?? 0) + frames.length,
    );
  for (const line of record.text.lines)
    if (line.rank !== null && !isOfStack(line.at)) last.set(line.rank, line);
  // Where no rank says anything, the last word of each log is that of its ranks.
  const ofFiles = new Map<string, TextLine>();
  if (last.size === 0 && record.stacks.length > 0)
    for (const line of record.text.lines) if (!isOfStack(line.at)) ofFiles.set(line.at.file, line);
  const ranks = presentIn(record);
  const words =
    ranks.length > 1 && ofFiles.size > 0 ? [...ofFiles.values()] : ranks.map((rank) => last.get(rank));
  const isEnd = (line: TextLine | undefined): boolean =>
    line !== undefined &&
    line.text.length < 400 &&
    rankDone.test(line.text) &&
    !goesOnBehind(record, line.at);
  return ranks.length > 1 && words.every(isEnd) ? words.at(-1) : undefined;
}

function goesOnBehind({ series }: RunRecord, { file, line = 0 }: Where): boolean {
  return series.some((points) => {
    const last = points.length > 0 ? points.where(points.length - 1) : null;
    return last?.file === file && (last.line ?? 0) > line;
  });
}

export function firstLine(text: string): string {
  const line = text.split('\n', 1)[0]!.trim();
  return line.length > 300 ? `${line.slice(0, 297)}...` : line;
}
