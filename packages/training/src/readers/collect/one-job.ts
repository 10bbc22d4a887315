// Whether files that differ in a number alone are what the ranks of one job wrote, though no line names a rank: "p0.log" to "p3.log". Runs
// of a sweep are numbered as well: the ranks of a job print the same loss, meet in the same place, or count themselves.
import type { FileRecord } from './file-record.js';

/** What is compared of a file, or of the files that share a name. */
export interface Part {
  readonly lines: readonly string[];
  readonly loss: Points | null;
}

export interface Points {
  readonly length: number;
  readonly steps: ArrayLike<number>;
  readonly values: ArrayLike<number>;
  readonly times: ArrayLike<number>;
}

const fewestEqual = 4;
const fewestDistinct = 3;

export function areOneJob(parts: readonly Part[]): boolean {
  return parts.length > 1 && (countsItself(parts) || meetInOnePlace(parts) || hasOneLoss(parts));
}

/** The files of a name whose only number counts from 0 or 1 on and leaves none out: as many as they are. */
export function shiftOfCounted(numbers: ReadonlySet<number>): number | null {
  const first = Math.min(...numbers);
  return numbers.size > 1 && first <= 1 && Math.max(...numbers) - first === numbers.size - 1 ? -first : null;
}

export function numberOf(file: string): { readonly family: string; readonly number: number } | null {
  const match = /^(.*?)(\d{1,6})(\D*)$/.exec(file);
  return match && { family: `${match[1]}#${match[3]}`, number: Number(match[2]) };
}

export function partOf(file: FileRecord, lines: readonly string[]): Part {
  const curves = [...file.series.values()];
  const loss = curves.find(({ key, length }) => key.identity.metric === 'loss' && length > 0);
  return { lines, loss: loss ?? null };
}

const joined = /\b\d+\/(\d+) (?:clients|workers|ranks|processes|nodes|hosts) (?:have )?joined/i;

/** "7/8 clients joined" beside eight files. Where all say it, each of them may be a job. */
function countsItself(parts: readonly Part[]): boolean {
  const counting = parts.filter(({ lines }) =>
    lines.some((line) => Number(joined.exec(line.slice(0, 400))?.[1] ?? 0) === parts.length),
  );
  return counting.length > 0 && counting.length < parts.length;
}

const meeting =
  /\b(?:distributed|coordinat\w*|master\w*|rendezvous|rdzv\w*|store|init_process_group|leader|init_method)\b[^\n]{0,80}?(?:\/\/|[\s=:'"(])((?:[\w-]+\.)*[\w-]+:\d{2,5})\b/i;

/** All of them begin at the same address, which they call a place to meet. */
export function meetInOnePlace(parts: readonly Part[]): boolean {
  const places = new Set(
    parts.map(({ lines }) => {
      for (const line of lines.slice(0, 60)) {
        const place = meeting.exec(line.slice(0, 300))?.[1];
        if (place !== undefined) return place;
      }
      return null;
    }),
  );
  const [place] = places;
  return places.size === 1 && place != null && !ofOneMachine.test(place) && areAtOnce(parts);
}

/** One run after the other meets its own ranks there. */
const ofOneMachine = /^(?:localhost|127\.|0\.0\.0\.0)/;

function areAtOnce(parts: readonly Part[]): boolean {
  const spans = parts.flatMap(({ loss }) => {
    const [from, to] = loss === null ? [] : [loss.times[0]!, loss.times[loss.length - 1]!];
    return Number.isFinite(from) && Number.isFinite(to) ? [{ from: from!, to: to! }] : [];
  });
  return spans.every(({ from }) => spans.every(({ to }) => from <= to));
}

/** Runs with another seed or setting soon print another loss. */
function hasOneLoss(parts: readonly Part[]): boolean {
  const curves = parts.flatMap(({ loss }) => loss ?? []);
  const [first, ...others] = curves;
  if (first === undefined || others.length === 0 || curves.length < parts.length) return false;
  const known = new Map<number, number>();
  for (let at = 0; at < first.length; at++) known.set(first.steps[at]!, first.values[at]!);
  return others.every((curve) => {
    const equal = new Set<number>();
    let common = 0;
    for (let at = 0; at < curve.length; at++) {
      const value = known.get(curve.steps[at]!);
      if (value === undefined) continue;
      if (value !== curve.values[at]) return false;
      equal.add(value);
      common++;
    }
    return common >= fewestEqual && equal.size >= fewestDistinct;
  });
}
