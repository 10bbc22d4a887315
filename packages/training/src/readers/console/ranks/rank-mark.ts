// How the lines of one log say which rank wrote them, learned from its beginning: some number before the counter of steps that comes back
// again and again, while lines with the same step carry different ones. "(2) step=10", "03:22 | rank 2 | step 10", "[2/4] ep 0 batch 3".
import { isHeading } from './headings.js';

export interface RankMark {
  /** What stands before the number in lines of this log, its digits written as "#". */
  readonly shapes: ReadonlySet<string>;
  readonly number: RegExp;
  /** What is added to the number: a device or worker is counted on its host. Null where nothing tells. */
  readonly shift: number | null;
}

const farthest = 120;
/**
 * From the surest to the least sure. `gaps`: not every rank need speak, as its letter says what is counted. `local`: counted on a host.
 * `all`: not only the first such number of a line may be the mark.
 */
const numbers: readonly {
  readonly number: RegExp;
  readonly named: boolean;
  readonly gaps: boolean;
  readonly local?: true;
  readonly all?: true;
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
  {
    number:
      /\b(?:r|rk|gr|pe|proc|process|replica|trainer|stage|actor|learner|member)[-_:#=( ]?(\d{1,4})\b(?!\.\d)(?:\/\d{1,5}\b)?\)?/i,
    named: false,
    gaps: true,
  },
  {
    number: /\b(?:worker|gpu|p|w)[-_:#=( ]?(\d{1,4})\b(?!\.\d)(?:\/\d{1,5}\b)?\)?/i,
    named: false,
    gaps: false,
    local: true,
  },
  // Whatever it is called, it says of how many it is one: "party 3 of 8", "peer(3/8)". Epochs do so as well, but do not come back; what one process counts in turn is left out by name.
  {
    number:
      /\b(?!(?:ep|epoch|pass|step|it|iter|iteration|batch|update|fold|layer|block|head|expert|env|agent|client|model|net|seed|trial|run|exp|task|level|chunk|file|part|shard|round|try|attempt)\b)[A-Za-z]{1,20}[-_:#=([ ]{1,2}(\d{1,4})(?: of |\/)\d{1,5}\b(?!\/)[\])]?/i,
    named: false,
    gaps: false,
    all: true,
  },
];
const counter =
  /(?:^|[^a-z])(?:(?:global_?|train_?)?step|st|iter(?:ation)?|it|batch|b|update)s?[ :=#[]{0,8}(\d+)|(?<![\w./:-])(\d{1,9}) ?\/ ?\d{1,9}(?![\w./:-])|(?<![\w./:-])(\d{1,9}) ?(?:it|iter(?:ation)?s?|steps?|batch(?:es)?)\b(?!\/)/i;
/** What calls the process something, and is no bracket alone. */
const isWord = /^(?!rank)[a-z]/i;
/** Whatever is counted behind it: the first whole number. */
const anyCount = /(?<![\w.:,+-])(\d{1,9})(?![\w.:,%])/;
/** "waiting for rank 3" tells of another one, and "lora rank 8" or "median rank 3" of none. */
const ofAnother =
  /\b(?:from|to|for|of|on|by|with|and|or|than|peer|remote|waiting|lost|src|dst|root|source|in|at|lora|low|adapter|matrix|effective|stable|median|mean|average|reciprocal)[ :=(]*$/i;

/** What stands before a mark are dates, hosts and levels: behind a sentence a rank is what the sentence is about. */
const sentence = /(?:\b[A-Za-z]{2,}[ ,]+){4,}/;

/** All that the log shows: a library's own lines have another one than the program's. */
export function rankMarksOf(head: string): RankMark[] {
  const lines = head.split('\n', 600).filter((line) => line.trim() !== '' && !isHeading(line));
  return numbers.flatMap(({ number: pattern, named, gaps, local, all }) => {
    const number = new RegExp(pattern, 'gi');
    const shapes = shapesOf(lines, number, named, gaps, all ? mostOfLine : 1);
    return shapes.size > 0 ? [{ shapes, number, shift: local ? shiftOf(head) : 0 }] : [];
  });
}

/** The number that a process of its own log marks all its steps with; null where a name that a rank may have stands before several. */
export function onlyMarkOf(head: string): number | null {
  const lines = head.split('\n', 400).filter((line) => counter.test(line));
  for (const { number } of numbers) {
    const found = lines.map((line) => number.exec(line.slice(0, farthest)));
    const [one, ...more] = new Set(found.map((match) => (match ? match[1] : null)));
    if (one != null && more.length === 0 && found.length >= fewestSteps) {
      const before = lines[0]!.slice(0, found[0]!.index);
      return ofAnother.test(before) || counter.test(before) ? null : Number(one);
    }
  }
  const said = head.split('\n', 400).flatMap((line) => calledIn(line) ?? []);
  const [one, ...more] = new Set(said);
  return one !== undefined && more.length === 0 && said.length > 1 ? one : null;
}

/** What a process calls itself before its words, though it counts no steps. */
export function calledIn(line: string): number | null {
  const found = headed.exec(line.slice(0, farthest).replace(placeInProgram, ''));
  return found && Number(found[1]);
}

/** "app.main:run:31" of loguru, "train.py:31". */
const placeInProgram = /\b[A-Za-z_][\w.]*:[\w.<>]+:\d+\b|[\w/.-]+\.py:\d+\b/g;

/** "worker 3: loading", "18:42:10 [proc 3] loading", "18:42:10 | INFO | (r3) loading". */
const headed =
  /^(?:(?:[\d:.,TZ/|-]+|(?:INFO|WARNING|DEBUG)\b\S*) +){0,8}[[(<]?(?:rank|rk?|proc(?:ess)?|worker|replica|trainer|stage|actor|learner|member|gpu|p|w)[ _:#=-]?(\d{1,4})(?:[\])>]|:| ?\||,| - )/i;

const fewestSteps = 3;
const firstFraction = /(?<![\w./:-])(\d{1,4}) ?(?:\/|of) ?(\d{1,4})(?![\w/:.-])/;
const fewestMarked = 4;

/** Of how many ranks each line says first to be of one: the same in all lines of a rank, which no counter is. */
export function markedSizeOf(head: string, rankOf: (line: string) => number | null): number | null {
  const seen = new Map<number, { readonly said: string; lines: number }>();
  let all: string | null = null;
  for (const line of head.split('\n', 400)) {
    const [, said, size] = firstFraction.exec(line.slice(0, farthest)) ?? [];
    if (said === undefined) continue;
    const rank = rankOf(line);
    if (rank === null || (all !== null && all !== size) || Number(said) > Number(size)) return null;
    all = size!;
    const known = seen.get(rank) ?? { said, lines: 0 };
    if (known.said !== said) return null;
    known.lines++;
    seen.set(rank, known);
  }
  const isOften = [...seen.values()].some(({ lines }) => lines >= fewestMarked);
  return isOften && all !== null && Number(all) > 1 ? Number(all) : null;
}

/** How far the ranks of a host are from what its launcher counts: "rank : 6 (local_rank: 2)". Null where it tells of none or of several hosts. */
export function shiftOf(head: string): number | null {
  const pairs = [...head.matchAll(/\brank\s*: (\d{1,5}) \(local_rank: (\d{1,5})\)/g)];
  const [shift = null, ...more] = new Set(pairs.map(([, rank, local]) => Number(rank) - Number(local)));
  return more.length === 0 ? shift : null;
}

/** The rank that a line is marked with, and the line without the mark. */
export function markIn(
  marks: readonly RankMark[],
  text: string,
): { readonly rank: number; readonly text: string } | null {
  for (const { shapes, number, shift } of marks) {
    const found = foundIn(text, number, mostOfLine).find(({ index }) =>
      shapes.has(shapeOf(text.slice(0, index))),
    );
    if (found === undefined) continue;
    const behind = text.slice(found.index + found[0].length).replace(/^[\s|:,-]+/, '');
    const before = text.slice(0, found.index).replace(/\w$/, '$& ');
    return { rank: Number(found[1]) + (shift ?? 0), text: before + behind };
  }
  return null;
}

const mostOfLine = 4;

function foundIn(text: string, number: RegExp, most: number): readonly RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  for (const match of text.slice(0, farthest).matchAll(number)) if (found.push(match) >= most) break;
  return found;
}

/** Whatever the level of a line, and wherever in the program it was written. */
function shapeOf(before: string): string {
  return before
    .replace(/ *\b(?:DEBUG|INFO|SUCCESS|WARN(?:ING)?|ERROR|CRITICAL|FATAL)\b */gi, ' @ ')
    .replace(placeInProgram, '@')
    .replace(/\d+/g, '#');
}

interface Entry {
  readonly rank: number;
  readonly step: number | null;
  /** Whether the step is the first part of "12/500", which may be of an epoch. */
  readonly isFraction: boolean;
  readonly host: string | undefined;
  /** What is said behind the mark. */
  readonly said: string;
}

const hostBefore = /([A-Za-z][\w.-]*)[:/]$/;

function shapesOf(
  lines: readonly string[],
  number: RegExp,
  named: boolean,
  gaps: boolean,
  most: number,
): Set<string> {
  const byShape = new Map<string, Entry[]>();
  const all = lines.flatMap((line) => foundIn(line, number, most).map((found) => ({ line, found })));
  for (const { line, found } of all) {
    const before = line.slice(0, found.index);
    const shape = shapeOf(before);
    if (ofAnother.test(before) || sentence.test(before) || (!named && counter.test(before))) continue;
    const behind = line.slice(found.index + found[0].length, 200);
    const step =
      counter.exec(`${named ? before : ''} ${behind}`) ??
      (isWord.test(found[0]) ? anyCount.exec(behind) : null);
    const entries = byShape.get(shape) ?? [];
    byShape.set(shape, entries);
    entries.push({
      rank: Number(found[1]),
      step: step && Number(step[1] ?? step[2] ?? step[3]),
      isFraction: step === null || (step[1] ?? step[3]) === undefined,
      host: hostBefore.exec(before)?.[1],
      said: behind,
    });
  }
  const told = new Set<string>();
  for (const [shape, entries] of byShape)
    if (isMark(entries, named, gaps) || (named && isEverywhere(entries, lines))) told.add(shape);
  return told;
}

const fewestSame = 4;

/** One and the same in most lines that the process wrote itself: whatever they tell of, it is who tells it. Stacks are set in. */
function isEverywhere(entries: readonly Entry[], lines: readonly string[]): boolean {
  const own = lines.filter((line) => !/^\s/.test(line));
  const isSame = entries.every(({ rank }) => rank === entries[0]!.rank);
  return isSame && entries.length >= fewestSame && entries.length > own.length / 2;
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
  // Ranks are counted from zero and come back; what begins at one and only ever goes up counts epochs: "[3/70] step 50", "[0/70] 50/500".
  const isAscending = entries.every(({ rank }, at) => at === 0 || rank >= entries[at - 1]!.rank);
  if (isAscending && (Math.min(...ranks) > 0 || entries.some(({ isFraction }) => isFraction))) return false;
  const isWhole = Math.max(...ranks) - Math.min(...ranks) === ranks.length - 1;
  if (ranks.length < 2 || !(isWhole || gaps) || often < ranks.length) return false;
  const steps = new Map<number, Set<number>>();
  for (const { rank, step } of entries)
    if (step !== null) steps.set(step, (steps.get(step) ?? new Set()).add(rank));
  const isInStep = [...steps.values()].filter((here) => here.size > 1).length > 1;
  return isInStep || (ranks.includes(0) && !areInTurn(entries) && sayTheSame(entries));
}

/** One process goes through what it counts in an order of its own: behind each number always comes the same. */
function areInTurn(entries: readonly Entry[]): boolean {
  const next = new Map<number, number>();
  return entries.slice(1).every(({ rank }, at) => {
    const before = entries[at]!.rank;
    if (rank === before) return true;
    const known = next.get(before) ?? rank;
    next.set(before, known);
    return known === rank;
  });
}

/** Whatever they count, several say the same with the same numbers, more than once. */
function sayTheSame(entries: readonly Entry[]): boolean {
  const speakers = new Map<string, Set<number>>();
  for (const { rank, said } of entries)
    if (/\d/.test(said)) speakers.set(said, (speakers.get(said) ?? new Set()).add(rank));
  return [...speakers.values()].filter((here) => here.size > 1).length > 1;
}
