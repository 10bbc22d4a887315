// What ranks say in the same sentence, each with its own numbers: the one whose number differs from that of all others.
import type { RunView } from '../../features/view.js';
import { messageIn } from '../../readers/console/parts/logger-front.js';
import type { TextLine } from '../../record/run-record.js';
import { hostsIn } from '../present/presence.js';
import { saysOutOfSync } from './compared.js';
import { type OddOne, oddOne } from './odd-one.js';

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

/** A number, or a word that ends in one: "float64", "torch.float64". */
const anyNumber = /(?<![\w.:/-])(?:[A-Za-z_]+\.)*[A-Za-z_]*\d{1,9}(?![\w.:/-]*\d)/g;

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

/** The rank that went on from another state than all others, as the words of each say: any words, where replicas are said to differ. */
export function resumedApart(view: RunView): Differing | null {
  return numberApart(
    { ...view, lines: view.lines.filter(({ reason }) => reason !== 'tail') },
    saysOutOfSync(view) ? /^/ : ofState,
    stateNumber,
  );
}
