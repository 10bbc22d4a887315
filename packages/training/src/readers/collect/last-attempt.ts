// An elastic launcher starts all ranks again when one of them fails, and goes on writing to the same log. What was said before belongs
// to an earlier attempt: the last one decides.
import type { Where } from '../../record/where.js';
import type { FileRecord } from './file-record.js';
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
      (line, index) => index < attempt || curves.some((curve) => goesOnBehind(curve, line)),
    );
    if (end !== undefined) ends.set(file.file, end);
  }
  return ends;
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
