// What libraries and programs say when they compare ranks by themselves: that two did not mean the same collective, that their models have other
// sizes, that replicas no longer hold the same. Who finds the difference is not who differs: only a vote tells.
import type { Failure } from '../../features/failures.js';
import type { RunView } from '../../features/view.js';
import { differing } from '../lost/consequence.js';
import { ascending, hostsIn, sizeOf } from '../present/presence.js';
import { type OddOne, oddOne } from './odd-one.js';

/** Libraries noticed that two ranks did not mean the same collective. */
export function saidToDiffer({ lines }: RunView): boolean {
  return lines.some(({ text }) => text.length < 4000 && differing.test(text));
}

const pair =
  /\brank (\d{1,5}) (?:has|version) (\d+)\b[^\n]{0,80}?\brank (\d{1,5}) (?:has|version) (?:[a-z]+ )?(\d+)\b/i;
const sameParameter = /appears not to match \w+ of the same param in process \d+/;

/** An error that compares two ranks: nobody's own. */
export function comparesRanks({ message }: Pick<Failure, 'message'>): boolean {
  return pair.test(message) || sameParameter.test(message);
}

/** What errors and the library's own warnings say when they compare two ranks. */
function comparisonsIn({ failures, record }: RunView): readonly string[] {
  const warned = record.device.flatMap(({ kind, text }) => (kind === 'nccl' ? text : []));
  return [...failures.map(({ message }) => message), ...warned].filter((text) => pair.test(text));
}

/** Whether anything compares what ranks hold. */
export function areCompared(view: RunView): boolean {
  return view.failures.some(comparesRanks) || comparisonsIn(view).length > 0;
}

/** Whose number differs from that of all others; the first of a host whose ranks all differ. */
export function oddNumber(view: RunView): OddOne<number> | null {
  const numbers = new Map<number, number>();
  for (const text of comparisonsIn(view)) {
    const found = pair.exec(text);
    if (found === null) continue;
    numbers.set(Number(found[1]), Number(found[2]));
    numbers.set(Number(found[3]), Number(found[4]));
  }
  return oddOne(numbers, hostsIn(view.record));
}

/** The parameters of these differ from those of process 0: the fewer side is where to look. */
export function oddParameters({ failures, record }: RunView): number | null {
  const ranks = failures.flatMap(({ rank, message }) =>
    rank !== null && sameParameter.test(message) ? rank : [],
  );
  const differing = [...new Set(ranks)].sort(ascending);
  return differing.length > 0 && differing.length * 2 <= sizeOf(record) ? differing[0]! : null;
}

/** Who finds the ranks apart lists what each of them has, in the order of the ranks: "checksums [5.1, 5.1, 4.8, 5.1]". */
export function listedApart({ failures, record }: RunView): number | null {
  for (const { message } of failures) {
    const list = /\[([-+\d.e, ]+)\]/i.exec(message.slice(0, 2000))?.[1]?.split(',') ?? [];
    // Not every rank need have left a log.
    if (list.length < sizeOf(record)) continue;
    const odd = oddOne(new Map(list.map((number, rank) => [rank, number.trim()])));
    if (odd) return odd.rank;
  }
  return null;
}

const notTheSame =
  /\b(?:param(?:eter)?s?|weights?|replicas?|(?:optimizer|model) states?|checksums?|hash(?:es)?)\b.{0,60}\b(?:out of sync|not in sync|inconsistent|diverged?|differs?|drifted|mismatch|not (?:the same|equal|identical)|(?:do|does|did) not (?:match|agree))\b/i;
const ofRanks = /\b(?:ranks?|replicas?|workers?|processes)\b/i;

/** Says that replicas no longer hold the same; not that two ranks called different things. */
function isOutOfSync(text: string): boolean {
  const told = text.slice(0, 400);
  return notTheSame.test(told) && ofRanks.test(told) && !differing.test(told) && !pair.test(told);
}

/** The run itself says that its replicas no longer hold the same. */
export function saysOutOfSync({ lines, failures }: RunView): boolean {
  return (
    failures.some(({ message }) => isOutOfSync(message)) ||
    lines.some(({ text }) => /\b(?:error|fatal|critical)\b/i.test(text.slice(0, 80)) && isOutOfSync(text))
  );
}
