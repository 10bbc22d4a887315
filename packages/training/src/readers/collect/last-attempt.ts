// An elastic launcher starts all ranks again when one of them fails, and goes on writing to the same log; a person starts a program again
// that writes to the same file. What was said before belongs to an earlier attempt: the last one decides.
import { isConsequence, wasKilled } from '../../ranks/lost/consequence.js';
import type { Where } from '../../record/where.js';
import type { FileRecord } from './file-record.js';
import { numberOf } from './names.js';
import type { Points } from './one-job.js';
import type { SeriesBuilder } from './series-builder.js';

/** The ends of earlier attempts, by file: the line in which the launcher tells of the last of them. */
export type EarlierAttempts = ReadonlyMap<string, number>;

export function earlierAttempts(files: readonly FileRecord[]): EarlierAttempts {
  const attempt = Math.max(0, ...files.map(({ file }) => attemptOf(file)));
  const ends = new Map<string, number>();
  for (const file of files) {
    const lines = file.exits.flatMap(({ passing, at }) => (passing ? (at.line ?? []) : []));
    const curves = [...file.series.values()].filter(({ hasSteps }) => hasSteps);
    // Each attempt has a folder of its own, or its steps stand behind the line.
    const end = lines.findLast(
      (line, index) =>
        (index < attempt && !onlyMissed(file, line)) || curves.some((curve) => goesOnBehind(curve, line)),
    );
    const last = Math.max(end ?? 0, wentOnBehind(file) ?? 0);
    if (last > 0) ends.set(file.file, last);
  }
  // What went to the other stream has the same name.
  const over = new Set(takenUpIn(files).map(withoutEnding));
  for (const { file } of files) if (over.has(withoutEnding(file))) ends.set(file, Number.POSITIVE_INFINITY);
  return ends;
}

/**
 * The last error of a file of one process behind which something was measured that the process cannot have held back: the error was dealt
 * with, or the program was started again. Ranks that tell their lines apart, and those that a launcher tells of, are judged by their steps.
 */
function wentOnBehind({ rank, flushed, series, tracebacks }: FileRecord): number | undefined {
  const isOfOne = rank === null && tracebacks.every((raised) => raised.rank === null && !raised.launcher);
  if (!isOfOne) return undefined;
  const curves = [...series.values()].filter(
    ({ key }) => key.rank === null && key.identity.metric !== 'other',
  );
  return flushed.findLast(({ behind }) =>
    curves.some(
      ({ places, length }) => length >= measuredBehind && places[length - measuredBehind]! > behind,
    ),
  )?.raised;
}

const measuredBehind = 5;

/** Behind the line the ranks only miss each other: these attempts never began, and tell nothing of why the one before them ended. */
function onlyMissed({ tracebacks, series, exits }: FileRecord, from: number): boolean {
  const raised = tracebacks.filter(({ at, launcher }) => !launcher && (at.line ?? 0) > from);
  const wentOn = [...series.values()].some(
    ({ key, places, length }) => key.identity.metric !== 'other' && length > 0 && places[length - 1]! > from,
  );
  const isKilled = exits.some((exit) => (exit.at.line ?? 0) > from && wasKilled(exit));
  return raised.length > 0 && raised.every(({ chain }) => isConsequence(chain[0]!)) && !wentOn && !isKilled;
}

/** Files that another one goes on from: "log.1.txt" where "log.2.txt" resumed from its last checkpoint. */
function takenUpIn(files: readonly FileRecord[]): string[] {
  const families = new Map<string, { readonly number: number; readonly file: FileRecord }[]>();
  for (const file of files) {
    if (lossesOf(file).length === 0) continue;
    for (const { family, number } of turnsOf(file.file)) {
      const members = families.get(family) ?? [];
      families.set(family, members);
      members.push({ number, file });
    }
  }
  return [...families.values()].flatMap((members) => {
    const ordered = members.sort((a, b) => a.number - b.number);
    return ordered.flatMap(({ file }, at) => {
      const next = ordered[at + 1]?.file;
      if (next === undefined) return [];
      const texts = next.text
        .finish(next.file)
        .slice(0, 60)
        .flatMap(({ text }) => (text.length < 300 ? text : []));
      if (!texts.some((text) => resumed.test(text))) return [];
      const isTakenUp =
        takesUp(
          file.text.finish(file.file).map(({ text }) => text),
          texts,
        ) ||
        lossesOf(file).some((curve) =>
          lossesOf(next).some((other) => other.key.rank === curve.key.rank && goesOn(curve, other, texts)),
        );
      return isTakenUp ? file.file : [];
    });
  });
}

const ofAttempt =
  /[-_.](?:attempt|requeued?|rerun|restart(?:ed)?|resumed?|retry|continued?)[-_.]?(\d{0,3})(?=[._-]|$)/i;

/** The turns that the name of a file counts: "log.2.txt", and "slurm-81_requeue1.out" behind "slurm-81.out". */
export function turnsOf(file: string): readonly { readonly family: string; readonly number: number }[] {
  const counted = numberOf(file);
  const again = ofAttempt.exec(file);
  const attempt = {
    family: `${file.replace(ofAttempt, '')} again`,
    number: again === null ? 0 : Number(again[1] || 1),
  };
  return counted === null ? [attempt] : [counted, attempt];
}

function withoutEnding(file: string): string {
  return file.replace(/\.[a-z]{1,6}$/i, '');
}

function lossesOf(file: FileRecord): SeriesBuilder[] {
  return [...file.series.values()].filter(({ key, length }) => key.identity.metric === 'loss' && length > 0);
}

/** What a run says of itself when it goes on from a checkpoint. */
export const resumed =
  /\b(?:resum|restor|restart|requeue)\w*|\bload(?:ed|ing)?\b.{0,40}\b(?:checkpoint|ckpt|ck)/i;

const checkpoint = /\b(?:checkpoint|ckpt|snapshot)[\w=.-]*\d\b/gi;

/** The later lines tell of going on from what the earlier ones tell that they kept: "resuming from checkpoint-40". */
export function takesUp(earlier: readonly string[], later: readonly string[]): boolean {
  const kept = new Set(
    earlier.flatMap((text) =>
      text.length < 300 && !resumed.test(text) ? (text.match(checkpoint) ?? []) : [],
    ),
  );
  return later.some(
    (text) => resumed.test(text) && text.match(checkpoint)?.some((name) => kept.has(name)) === true,
  );
}

/** One curve begins within the reach of another, behind it in time, and its file says that it was taken up. */
export function goesOn(earlier: Points, later: Points, texts: readonly string[]): boolean {
  const [first, last, next] = [earlier.steps[0]!, earlier.steps[earlier.length - 1]!, later.steps[0]!];
  const spacing = earlier.length > 1 ? earlier.steps[1]! - first : 0;
  const [until, from] = [earlier.times[earlier.length - 1]!, later.times[0]!];
  return (
    next > first &&
    next <= last + 2 * spacing &&
    !(from < until) &&
    texts.some((text) => text.length < 300 && resumed.test(text))
  );
}

export function isOfLastAttempt(ends: EarlierAttempts, { file, line }: Where): boolean {
  const end = ends.get(file);
  return end === undefined || line === undefined || line > end;
}

function attemptOf(path: string): number {
  return Number(/(?:^|\/)attempt_(\d+)\//.exec(path)?.[1] ?? 0);
}

/** What a dying rank had still to print never goes back, and is soon over. */
function goesOnBehind({ places, steps, length }: SeriesBuilder, line: number): boolean {
  const from = places.subarray(0, length).findIndex((place) => place > line);
  if (from < 0) return false;
  const behind = steps.subarray(from, length);
  const reached = steps.subarray(0, from).reduce((most, step) => Math.max(most, step), -1);
  return behind.some((step) => step <= reached - 2) || new Set(behind).size >= 4;
}
