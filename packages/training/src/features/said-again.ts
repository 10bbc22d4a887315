// Whether a rank goes on behind a line, as its words show: it says again what it had said before, with numbers that it had not reached yet.
import { messageIn } from '../readers/console/parts/logger-front.js';
import { scores } from '../record/metrics.js';
import type { RunRecord, Where } from '../record/run-record.js';
import { rankDone } from './completion-marker.js';
import { once } from './once.js';

const warned = /^.{0,80}\bWARN(?:ING)?\b/;
/** So a program speaks that stands still. */
const ofWaiting =
  /\b(?:wait|idle|alive|heartbeat|uptime|elapsed|stall|stuck|retry|attempt|no progress|ago\b|util|usage|mem(?:ory)?\b|monitor)|\btim(?:ed|e) ?out\b/i;
const ofStack = /^\s*(?:File "|(?:Current t|T)hread 0x|Traceback )/;

/** "[ 120] ok", "[120/500] ok": a counter, which is no part of the message. */
const counterBefore = /^\W{0,3}\[\s*(\d{1,9})(?:\s*\/\s*\d+)?\s*\]/;

/** What was refused was passed over. */
export const skips = /\b(?:skipp|ignor|dropp|discard|omitt|bypass|substitut|replac)(?:ed|ing)\b/i;

/** How often a sentence was said before, and how often such sentences must come back. */
export interface Often {
  readonly before: number;
  readonly behind: number;
}

const again: Often = { before: 2, behind: 3 };

/** There may be thousands of ranks: the lines of each file and rank, found once. */
const linesBy = once(({ text }: RunRecord) => {
  const lines = new Map<string, (typeof text.lines)[number][]>();
  for (const line of text.lines) {
    const key = keyOf(line.rank, line.at.file);
    const known = lines.get(key);
    if (known) known.push(line);
    else lines.set(key, [line]);
  }
  return lines;
});

function keyOf(rank: number | null, file: string): string {
  return `${rank} ${file}`;
}

const lastBy = once(({ text }: RunRecord) => new Map(text.lines.map((line) => [line.rank, line] as const)));

export function isWarning(text: string): boolean {
  return warned.test(text);
}

/** `since`: only what is said later than that counts. */
export function saysFurther(
  record: RunRecord,
  of: number | null,
  { file, line = 0 }: Where,
  since: number | null = null,
  often: Often = again,
): boolean {
  const reached = new Map<string, { times: number; readonly most: number[] }>();
  let further = 0;
  for (const { at, text: said, time } of linesBy(record).get(keyOf(of, file)) ?? []) {
    if (said.length > 400) continue;
    const message = messageIn(said);
    if (warned.test(said) || ofStack.test(said) || ofWaiting.test(message)) continue;
    const numbers = [counterBefore.exec(said)?.[1] ?? 0, ...(message.match(/\d+/g) ?? [])].map(Number);
    const sentence = message.replace(/\d+/g, '#');
    const known = reached.get(sentence) ?? { times: 0, most: numbers };
    reached.set(sentence, known);
    const isFurther = numbers.some((number, place) => number > known.most[place]!);
    const isLater = since === null || (time !== null && time > since);
    if ((at.line ?? 0) > line) further += known.times >= often.before && isFurther && isLater ? 1 : 0;
    else known.times++;
    for (const [place, number] of numbers.entries()) known.most[place] = Math.max(number, known.most[place]!);
  }
  return further >= often.behind;
}

/** When the rank spoke last before a line; null where its lines tell no time. */
export function lastTimeBefore(
  record: RunRecord,
  of: number | null,
  { file, line = 0 }: Where,
): number | null {
  const lines = linesBy(record).get(keyOf(of, file)) ?? [];
  return lines.findLast(({ at, time }) => (at.line ?? 0) < line && time !== null)?.time ?? null;
}

/**
 * Whether a rank went on with its work behind what only shows a moment of it, in the same log: it counts on, by its curves or in its words, or
 * says its end. What others complain of, or what ended the run, may have set free what it had held back.
 */
export function worksOnBehind(record: RunRecord, of: number | null, where: Where): boolean {
  const { series, exits, tracebacks, device } = record;
  const isOver =
    tracebacks.length > 0 ||
    exits.some(({ reason }) => reason !== 'completed') ||
    device.some(({ kind }) => kind === 'collective_timeout');
  if (isOver) return false;
  const isBehind = ({ file, line = 0 }: Where): boolean => file === where.file && line > (where.line ?? 0);
  const counts = series.some(
    (curve) =>
      curve.rank === of &&
      // What watches a device goes on while nothing is done.
      (curve.metric === 'loss' || curve.metric === 'reward' || scores.has(curve.metric)) &&
      curve.length > 0 &&
      isBehind(curve.where(curve.length - 1)),
  );
  const since = lastTimeBefore(record, of, where);
  if (counts || saysFurther(record, of, where, since, { before: 2, behind: 1 })) return true;
  const last = lastBy(record).get(of);
  return last !== undefined && isBehind(last.at) && last.text.length < 400 && rankDone.test(last.text);
}
