// Ranks that somebody outside of the run says are gone: a kernel, a launcher, a scheduler or ncclras.

import type { RunView } from '../../features/view.js';
import { hasWord } from '../../readers/collect/names.js';
import type { ExitReason } from '../../record/exit.js';
import type { DeviceMessage, RunRecord, TextLine } from '../../record/run-record.js';
import { ascending } from '../present/presence.js';
import { hostOf, isOfHost, mayOwn, processOf, suspectAmong, withoutPlaceOfStep } from './owner.js';

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
  return [...new Set(ranks)].sort(ascending);
}

const takes: ReadonlySet<ExitReason> = new Set(['preempted', 'out_of_memory', 'node_failure']);

/** Said by others of a host that is no longer there; of the other end of a connection victims say as much. */
const hostIsGone =
  /^(?!.*\b(?:peer|remote (?:process|side|endpoint))\b).*(?:\bmarked (?:as )?dead\b|\bssh exited with exit code [1-9]|\bmissed too many heartbeats\b|\b(?:node|host|machine)\b.{0,60}\b(?:not respond\w*|unreachable|is down|went down|has died|was lost|failed)\b|\blost (?:communication|contact|connection) (?:to|with) (?:the )?(?:node|host|daemon|machine)\b|\bNodeNotReady\b|\bNODE_FAIL\b)/i;

const ofDeath = /\b(?:killed (?:this|the|process|worker|task)|was killed|died|dead)\b/i;

/** The process that a kernel or launcher says was killed; else of whom on the only host or pod that a scheduler or kernel says it took away. */
export function takenAway(view: RunView): number | null {
  const { record } = view;
  const told = record.exits
    .filter(({ rank, reason }) => rank === null && takes.has(reason))
    .map((exit) => ({ ...exit, text: withoutPlaceOfStep(exit.text) }));
  const lines = view.lines.filter(({ text }) => text.length < 2000 && ofDeath.test(text));
  const killed = new Set([...told, ...lines].flatMap((line) => ownerOfProcess(record, line) ?? []));
  if (killed.size > 0) return killed.size === 1 ? [...killed][0]! : null;
  const onHost = suspectAmong(
    view,
    told.map((exit) => mayOwn(record, exit)),
    // Which of several processes it was only their numbers tell.
    !told.some(({ text }) => processOf(text) !== null),
  );
  if (onHost !== null) return onHost;
  const units = new Map<string, number>();
  const see = (name: string, rank: number): void =>
    void units.set(name, Math.min(units.get(name) ?? rank, rank));
  for (const { rank, host } of record.seats) if (host !== null) see(host, rank);
  for (const { rank, at } of record.text.lines)
    if (rank !== null) see(at.file.replace(/^.*\/|\.[a-z]{1,6}$/gi, ''), rank);
  const headings = headingsIn(record);
  const headed = new Set(told.map((exit) => headingOf(exit, headings, units)));
  const gone = view.lines.filter(({ text }) => text.length < 2000 && hostIsGone.test(text));
  const ranks = [...units].flatMap(([name, rank]) => {
    const isNamed = ({ text }: { readonly text: string }): boolean => hasWord(text, name);
    const isUnit = /[a-z]/i.test(name) && (headed.has(name) || told.some(isNamed));
    return isUnit || gone.some((line) => isNamed(line) && !isOfHost(line.at.file, name)) ? rank : [];
  });
  return new Set(ranks).size === 1 ? ranks[0]! : null;
}

/** "Name: worker-2", "  name: worker-2": a line that holds nothing else begins what is told of it. */
const heading =
  /^([ -]*)"?(?:pod|(?:host|node)?name|host|node|task|instance)"?\s*[:=]\s*"?([\w.-]+)"?,?\s*$/i;

interface Heading {
  readonly name: string;
  readonly depth: number;
  readonly line: number;
}

function headingsIn({ text }: RunRecord): ReadonlyMap<string, readonly Heading[]> {
  const found = new Map<string, Heading[]>();
  for (const { text: said, at } of text.lines) {
    const [, indent, name] = said.length < 200 ? (heading.exec(said) ?? []) : [];
    if (name === undefined) continue;
    const here = found.get(at.file) ?? [];
    found.set(at.file, here);
    here.push({ name, depth: indent!.length, line: at.line ?? 0 });
  }
  return found;
}

/** The unit that a report in the same file stands below, whatever parts of it are named further in. */
function headingOf(
  { at: { file, line = 0 } }: Pick<TextLine, 'at'>,
  headings: ReadonlyMap<string, readonly Heading[]>,
  units: ReadonlyMap<string, number>,
): string | null {
  const above = (headings.get(file) ?? []).filter((one) => one.line < line);
  const at = above.findLastIndex(({ name }) => units.has(name));
  const own = above[at];
  return own !== undefined && above.slice(at + 1).every(({ depth }) => depth > own.depth) ? own.name : null;
}

/** "Killed process 4021 (python)", on the host that says so. */
function ownerOfProcess(record: RunRecord, exit: Pick<TextLine, 'text' | 'at'>): number | null {
  const pid = processOf(exit.text);
  const host = hostOf(record, exit);
  const [one, ...more] = record.seats.filter(
    (seat) =>
      pid !== null && seat.pid === Number(pid) && (host === null || seat.host === null || seat.host === host),
  );
  return one && more.length === 0 ? one.rank : null;
}
