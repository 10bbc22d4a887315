// What ranks say of themselves at the start, compared: versions of libraries and of the code, and the sizes of the model that PyTorch
// compares. Who finds the difference is not who differs: only a vote tells.

import type { Failure } from '../features/failures.js';
import type { RunView } from '../features/view.js';
import { messageIn } from '../readers/console/parts/logger-front.js';
import type { TextLine } from '../record/run-record.js';
import { differing, isConsequence } from './consequence.js';
import { leavesOut } from './last-words.js';
import { type OddOne, oddOne } from './odd-one.js';
import { hostsIn, sizeOf } from './presence.js';

export interface SaidApart extends OddOne<string> {
  /** "torch", "commit". */
  readonly name: string;
  readonly line: TextLine;
  readonly otherLine: TextLine;
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
  const differing = [...new Set(ranks)].sort((a, b) => a - b);
  return differing.length > 0 && differing.length * 2 <= sizeOf(record) ? differing[0]! : null;
}

const sharesDevice = /\brank \d+ and rank \d+ both on\b/i;
/** "cfg.local_rank=1", "current_device()=1", "device=cuda:1". */
const figures = /([A-Za-z_][\w.]*)(?:\(\))?=(?:cuda:)?(\d{1,4})\b(?!\.\d)/g;

/** Two ranks have one device: whose figures differ where those of all others are the same, as the number of a process and its device are. */
export function onDeviceOfAnother({ failures, lines }: RunView): number | null {
  if (!failures.some(({ text }) => sharesDevice.test(text))) return null;
  const pairs = new Map<string, Map<number, readonly [string, string]>>();
  for (const { rank, text } of lines) {
    if (rank === null || text.length > 300) continue;
    const said = [...text.matchAll(figures)];
    for (const [at, one] of said.entries())
      for (const other of said.slice(at + 1)) {
        const name = `${one[1]} ${other[1]}`;
        const here = pairs.get(name) ?? new Map<number, readonly [string, string]>();
        pairs.set(name, here.set(rank, [one[2]!, other[2]!]));
      }
  }
  for (const here of pairs.values()) {
    const odd = oddOne(new Map([...here].map(([rank, [one, other]]) => [rank, one === other ? 1 : 0])));
    const isCounted = new Set([...here.values()].map(([one]) => one)).size > 1;
    if (odd?.others === 1 && isCounted) return odd.rank;
  }
  return null;
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

/** A number, or a word that ends in one: "float64". */
const anyNumber = /(?<![\w.:/-])[A-Za-z_]*\d{1,9}(?![\w.:/-]*\d)/g;

/** A sentence that every rank says with the same number, and one rank with another: "gathering 8 predictions", "loaded as float64". */
export function sentenceApart(view: RunView): OddOne<string> | null {
  return numberApart(view, /^/, anyNumber);
}

const stateNumber = /(?<=(?:step|iter(?:ation)?|epoch|ckpt|checkpoint|snapshot)[ _=:#-]{0,3})\d{1,9}\b/gi;
const ofState =
  /\b(?:resum\w*|restor\w*|load\w*)\b.{0,80}(?:checkpoint|ckpt|state|step|iter|snapshot|weights)|(?:checkpoint|ckpt|snapshot).{0,80}\b(?:resum|restor|load)/i;

type Differing = OddOne<string> & { readonly line: TextLine; readonly name: string };

/** What each rank said in one sentence, first and last. */
type Said = Map<number, { readonly first: Numbers; last: Numbers }>;
type Numbers = { readonly words: readonly string[]; readonly line: TextLine };

function sentencesIn({ lines }: RunView, about: RegExp, numbers: RegExp): ReadonlyMap<string, Said> {
  const said = new Map<string, Said>();
  for (const line of lines) {
    const { rank, text: whole } = line;
    if (rank === null || whole.length > 300 || !about.test(whole)) continue;
    const text = messageIn(whole).replace(/rank[\W_]?\d+/gi, 'rank');
    const name = text.replace(numbers, '#').replace(/\d+/g, '#');
    const here: Said = said.get(name) ?? new Map();
    said.set(name, here);
    const last = { words: text.match(numbers) ?? [], line };
    here.set(rank, { first: here.get(rank)?.first ?? last, last });
  }
  return said;
}

/** Of the numbers in one sentence the one that all ranks but one say alike: those that each rank has its own of are passed over. */
function numberApart(view: RunView, about: RegExp, numbers: RegExp): Differing | null {
  const hosts = hostsIn(view.record);
  for (const [name, here] of sentencesIn(view, about, numbers))
    for (const at of [...here.values()][0]!.first.words.keys()) {
      const odd = oddOne(new Map([...here].map(([rank, { first }]) => [rank, first.words[at]!])), hosts);
      if (odd !== null) return { ...odd, name, line: here.get(odd.rank)!.first.line };
    }
  return null;
}

/** The rank that said another number in its last step than the others in theirs, of something that all had said alike before. */
export function turnedApart(view: RunView): Differing | null {
  for (const [name, here] of sentencesIn(view, /\d/, anyNumber)) {
    const step = Math.max(...[...here.values()].map(({ last }) => last.line.step ?? -1));
    const late = [...here].filter(([, { first, last }]) => last.line.step === step && first !== last);
    for (const at of late[0]?.[1].last.words.keys() ?? []) {
      if (new Set([...here.values()].map(({ first }) => first.words[at])).size > 1) continue;
      const odd = oddOne(new Map(late.map(([rank, { last }]) => [rank, last.words[at]!])));
      if (odd !== null) return { ...odd, name, line: here.get(odd.rank)!.last.line };
    }
  }
  return null;
}

/** The line in which a rank counts none of something that all others have. */
export function countsNone(view: RunView, rank: number): TextLine | null {
  for (const here of sentencesIn(view, /\d/, anyNumber).values()) {
    const own = here.get(rank);
    const others = [...here].filter(([other]) => other !== rank).map(([, { first }]) => first.words);
    const isNone = (at: number): boolean =>
      own!.last.words[at] === '0' && others.every((words) => Number(words[at]) > 0);
    if (own && others.length > 1 && [...own.last.words.keys()].some(isNone)) return own.last.line;
  }
  return null;
}

const ofWeights = /\b(?:param\w*|weights?|model|checksum|digest|hash|norm|crc\d*|fingerprint|md5|sha\d*)\b/i;
/** A number with its point, or a digest. */
const anyFigure = /(?<![\w.])[-\w.]*\d[\w.+-]*/g;

/** Where replicas are said to differ, the rank that told another figure of its weights than all others. */
export function weighedApart(view: RunView): Differing | null {
  return saysOutOfSync(view) ? numberApart(view, ofWeights, anyFigure) : null;
}

const notTheSame =
  /\b(?:param(?:eter)?s?|weights?|replicas?|(?:optimizer|model) states?|checksums?|hash(?:es)?)\b.{0,60}\b(?:out of sync|not in sync|inconsistent|diverged?|differs?|drifted|mismatch|not (?:the same|equal|identical)|(?:do|does|did) not (?:match|agree))\b/i;
const ofRanks = /\b(?:ranks?|replicas?|workers?|processes)\b/i;

/** Says that replicas no longer hold the same; not that two ranks called different things. */
export function isOutOfSync(text: string): boolean {
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

/** The rank that went on from another state than all others, as the words of each say: any words, where replicas are said to differ. */
export function resumedApart(view: RunView): Differing | null {
  return numberApart(
    { ...view, lines: view.lines.filter(({ reason }) => reason !== 'tail') },
    saysOutOfSync(view) ? /^/ : ofState,
    stateNumber,
  );
}

/** The only rank that tells of an error of its own, or of something that it left out, and went on: it did not do what the others did meanwhile. */
export function wentOnAlone({ lines, failures }: RunView): number | null {
  const ranks = new Set<number>();
  for (const { rank, text } of lines) {
    if (rank === null || text.length > 4000 || differing.test(text)) continue;
    const found = /\b([A-Z]\w*(?:Error|Exception)): (.+)$/.exec(text.slice(0, 400));
    // What ended a rank, or tells of the difference itself, was no error that it went on after.
    const isFatal = failures.some(({ message }) => message.startsWith(found?.[2]?.slice(0, 60) ?? text));
    const isOwn = found
      ? !isConsequence({ type: found[1]!, message: found[2]!, frames: [] })
      : leavesOut.test(text);
    if (isOwn && !isFatal) ranks.add(rank);
  }
  const [one, ...more] = ranks;
  return one !== undefined && more.length === 0 ? one : null;
}

/** "torch 2.4.1", "numpy==2.1.0", "CUDA version: 12.4.0". Three parts: a number with one point may be any figure. */
const version = /\b([A-Za-z][A-Za-z_-]{1,30})(?:[ _]version)?[ =:]{1,3}v?(\d+\.\d+\.\d+[\w.+-]*)/g;
const commit =
  /\b(commit|revision|git|sha\d*|(?:code )?version|hash|digest|checksum|md5)[ =:]{1,3}(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])([0-9a-f]{7,40})\b/gi;
const address = /^\d+(?:\.\d+){3}$/;

/** Something that every rank names, and one rank or the ranks of one host in another version. */
export function versionApart({ lines, record }: RunView): SaidApart | null {
  const names = new Map<string, Map<number, { word: string; line: TextLine }>>();
  for (const line of lines) {
    if (line.rank === null || line.text.length > 400) continue;
    for (const [, name, word] of [...line.text.matchAll(version), ...line.text.matchAll(commit)]) {
      if (address.test(word!)) continue;
      const key = name!.toLowerCase();
      const said = names.get(key) ?? new Map<number, { word: string; line: TextLine }>();
      names.set(key, said);
      if (!said.has(line.rank)) said.set(line.rank, { word: word!.replace(/[.+-]+$/, ''), line });
    }
  }
  for (const [name, said] of names) {
    const odd = oddOne(new Map([...said].map(([rank, { word }]) => [rank, word])), hostsIn(record));
    if (odd === null) continue;
    const other = [...said.values()].find(({ word }) => word === odd.others)!;
    return { ...odd, name, line: said.get(odd.rank)!.line, otherLine: other.line };
  }
  return null;
}
