// How the lines of one log say which rank wrote them, learned from its beginning: some number before the counter of steps that comes back
// again and again, while lines with the same step carry different ones. "(2) step=10", "03:22 | rank 2 | step 10", "[2/4] ep 0 batch 3".
import { isHeading } from './headings.js';

export interface RankMark {
  /** What stands before the number in lines of this log, its digits written as "#". */
  readonly shapes: ReadonlySet<string>;
  readonly number: RegExp;
  /** What is added to the number: a device or worker is counted on its host. */
  readonly shift: number;
}

const farthest = 120;
/** From the surest to the least sure. `gaps`: not every rank need speak, as its letter says what is counted. `local`: counted on a host. */
const numbers: readonly {
  readonly number: RegExp;
  readonly named: boolean;
  readonly gaps: boolean;
  readonly local?: true;
}[] = [
  {
    number: /\b(?:global[_ ]?)?rank[ :=_#-]{0,2}(\d{1,5})\b(?!\.\d)(?:\/\d{1,5}\b)?/i,
    named: true,
    gaps: true,
  },
  // "(2)", "[2/4]", and behind the name of a logger: "pretrain[2]".
  {
    number: /(?:(?<![\w.])[[(<]|(?<=[A-Za-z_])\[)\s?(\d{1,5})(?:\/\d{1,5})?\s?[\])>]/,
    named: false,
    gaps: false,
  },
  // Behind the host, where ranks are counted through all of them: "[gn07:3]".
  { number: /(?<=[[(<][A-Za-z][\w.-]{0,40}[:/])(\d{1,5})(?=[\])>])/, named: false, gaps: false },
  { number: /\b(?:r|rk|proc|process|replica|trainer)[-_:#=]?(\d{1,4})\b/i, named: false, gaps: true },
  { number: /\b(?:worker|gpu|p|w)[-_:#=]?(\d{1,4})\b/i, named: false, gaps: false, local: true },
];
const counter =
  /(?:^|[^a-z])(?:(?:global_?|train_?)?step|st|iter(?:ation)?|it|batch|update)s?[ :=#]{0,3}(\d+)/i;
/** "waiting for rank 3" tells of another one, and "lora rank 8" or "median rank 3" of none. */
const ofAnother =
  /\b(?:from|to|for|of|on|by|with|and|or|than|peer|remote|waiting|lost|src|dst|root|source|in|at|lora|low|adapter|matrix|effective|stable|median|mean|average|reciprocal)[ :=(]*$/i;

/** What stands before a mark are dates, hosts and levels: behind a sentence a rank is what the sentence is about. */
const sentence = /(?:\b[A-Za-z]{2,}[ ,]+){4,}/;

/** All that the log shows: a library's own lines have another one than the program's. */
export function rankMarksOf(head: string): RankMark[] {
  const lines = head.split('\n', 600).filter((line) => line.trim() !== '' && !isHeading(line));
  return numbers.flatMap(({ number, named, gaps, local }) => {
    const shapes = shapesOf(lines, number, named, gaps);
    return shapes.size > 0 ? [{ shapes, number, shift: local ? shiftOf(head) : 0 }] : [];
  });
}

/** How far the ranks of a host are from what its launcher counts: "rank : 6 (local_rank: 2)". 0 where it tells of several hosts. */
function shiftOf(head: string): number {
  const pairs = [...head.matchAll(/\brank\s*: (\d{1,5}) \(local_rank: (\d{1,5})\)/g)];
  const [shift = 0, ...more] = new Set(pairs.map(([, rank, local]) => Number(rank) - Number(local)));
  return more.length === 0 ? shift : 0;
}

/** The rank that a line is marked with, and the line without the mark. */
export function markIn(
  marks: readonly RankMark[],
  text: string,
): { readonly rank: number; readonly text: string } | null {
  for (const { shapes, number, shift } of marks) {
    const found = number.exec(text.slice(0, farthest));
    if (found === null || !shapes.has(shapeOf(text.slice(0, found.index)))) continue;
    const behind = text.slice(found.index + found[0].length).replace(/^[\s|:,-]+/, '');
    const before = text.slice(0, found.index).replace(/\w$/, '$& ');
    return { rank: Number(found[1]) + shift, text: before + behind };
  }
  return null;
}

function shapeOf(before: string): string {
  return before.replace(/\d+/g, '#');
}

interface Entry {
  readonly rank: number;
  readonly step: number | null;
  readonly host: string | undefined;
}

const hostBefore = /([A-Za-z][\w.-]*)[:/]$/;

function shapesOf(lines: readonly string[], number: RegExp, named: boolean, gaps: boolean): Set<string> {
  const byShape = new Map<string, Entry[]>();
  for (const line of lines) {
    const found = number.exec(line.slice(0, farthest));
    if (found === null) continue;
    const before = line.slice(0, found.index);
    const shape = shapeOf(before);
    if (ofAnother.test(before) || sentence.test(before) || (!named && counter.test(before))) continue;
    const step = counter.exec(`${named ? before : ''} ${line.slice(found.index + found[0].length, 200)}`);
    const entries = byShape.get(shape) ?? [];
    byShape.set(shape, entries);
    entries.push({
      rank: Number(found[1]),
      step: step && Number(step[1]),
      host: hostBefore.exec(before)?.[1],
    });
  }
  const told = new Set<string>();
  for (const [shape, entries] of byShape) if (isMark(entries, named, gaps)) told.add(shape);
  return told;
}

/** Several ranks, each of them again and again; without the word, also in the same steps, and mostly with no number left out. */
function isMark(entries: readonly Entry[], named: boolean, gaps: boolean): boolean {
  const times = new Map<number, number>();
  for (const { rank } of entries) times.set(rank, (times.get(rank) ?? 0) + 1);
  const often = [...times.values()].filter((count) => count > 1).length;
  const counting = entries.filter(({ step }) => step !== null).length;
  if (named) return entries.length >= 3 && often * 2 > times.size && (times.size > 1 || counting >= 3);
  const ranks = [...times.keys()];
  // One number behind two hosts is counted on each.
  const places = new Set(entries.map(({ rank, host }) => `${rank} ${host}`));
  if (places.size > ranks.length) return false;
  // Ranks are counted from zero and come back; what begins at one and only ever goes up counts epochs: "[3/70] step 50".
  if (Math.min(...ranks) > 0 && entries.every(({ rank }, at) => at === 0 || rank >= entries[at - 1]!.rank))
    return false;
  const isWhole = Math.max(...ranks) - Math.min(...ranks) === ranks.length - 1;
  if (ranks.length < 2 || !(isWhole || gaps) || often < ranks.length) return false;
  const steps = new Map<number, Set<number>>();
  for (const { rank, step } of entries)
    if (step !== null) steps.set(step, (steps.get(step) ?? new Set()).add(rank));
  return [...steps.values()].filter((here) => here.size > 1).length > 1;
}
