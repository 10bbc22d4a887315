// One rank at the end of its data while the others go on: it says so, or it has done as many steps as it announced and announced fewer
// than the others.

import { median } from '../../features/robust.js';
import type { RunView } from '../../features/view.js';
import { messageIn } from '../../readers/console/parts/logger-front.js';
import type { RunRecord, TextLine } from '../../record/run-record.js';
import { isConsequence, wasKilled } from '../lost/consequence.js';
import { lastStepOf, presentIn, sizeOf, speakerOf } from '../present/presence.js';
import { givenUpIn } from './given-up.js';

export interface Uneven {
  readonly rank: number;
  readonly line: TextLine;
}

const over =
  /\b(?:train(?:ing)?|epoch|pass)_end(?:ed)?\b|\b(?:training|epochs?|pass|run|loop)\b.{0,20}\b(?:is |are |has )?(?:complete[d]?|finished|done|over|ended|exhausted)\b|\bend of (?:epoch|pass|training|data)\b|\b(?:iterator|loader|data ?set|shard|sampler)\b.{0,20}\b(?:exhausted|ran out|is empty|ended)\b|no more batches|StopIteration/i;

/** A rank says of its data or of its loop that it is through. */
export function saysItIsOver({ text }: TextLine): boolean {
  return text.length < 300 && over.test(messageIn(text));
}

const announced =
  /\b(\d+) (?:batches|iterations|steps) (?:per|in|an|each|this) (?:epoch|rank|shard|pass)\b|\b(?:num_batches|steps_per_epoch|batches_per_epoch|len\(\w*loader\))[ =:]{1,3}(\d+)\b|\b(?:iter(?:ation)?|step|batch|it)s?[ :=#[]{1,3}\d+ ?\/ ?(\d+)\b(?!\/)|\b(\d+) (?:mini-?)?batches\b(?! ?(?:\/|per))/i;
/** What Horovod says of a tensor that only some ranks submitted. */
const stalled = /tensors were submitted to be reduced, gathered or broadcast\w* by subset of ranks/i;
/** Said of one's own data only. */
const ownWords = /no more batches|StopIteration/i;

/** Null when a rank failed by itself or was killed, when nobody waited, and when several ranks are through. */
export function unevenIn(view: RunView): Uneven | null {
  const { record, failures, ending } = view;
  if (ending.kind === 'completed' || failures.some((failure) => !isConsequence(failure))) return null;
  const isWaiting =
    failures.length > 0 ||
    record.device.some(({ kind }) => kind === 'collective_timeout') ||
    view.lines.some(({ text }) => stalled.test(text));
  if (!isWaiting || record.exits.some(wasKilled)) return null;
  // Ranks that stood in different calls tell by themselves which of them went another way.
  const [odd = null] = givenUpIn(view)?.ranks ?? [];
  const found = fewerIn(view) ?? throughIn(view, odd);
  return odd === null || odd === found?.rank ? found : null;
}

/** Whether it prints steps of its own. */
function countsItself({ series }: RunRecord, rank: number): boolean {
  return series.some((curve) => curve.rank === rank && curve.hasSteps && curve.length > 1);
}

/** The one that said so once more than all others: in any words, else in one sentence of several that are said at an end. */
function throughIn(view: RunView, odd: number | null): Uneven | null {
  const over = view.lines.filter(saysItIsOver);
  const sentences = new Map<string, TextLine[]>();
  for (const line of over) {
    const sentence = messageIn(line.text).replace(/\d+/g, '#');
    sentences.set(sentence, [...(sentences.get(sentence) ?? []), line]);
  }
  for (const lines of [over, ...sentences.values()]) {
    const found = throughAlone(view, lines, odd);
    if (found) return found;
  }
  return null;
}

/** What the first rank alone says may be of all of them. */
function throughAlone(
  { record, failures }: RunView,
  over: readonly TextLine[],
  odd: number | null,
): Uneven | null {
  const said = new Map<number, TextLine[]>();
  const size = sizeOf(record);
  for (const line of over) {
    const speaker = speakerOf(line, size);
    if (speaker !== null) said.set(speaker, [...(said.get(speaker) ?? []), line]);
  }
  const [most] = [...said].sort(([, a], [, b]) => b.length - a.length);
  if (most === undefined) return null;
  const [rank, words] = most;
  const others = presentIn(record).filter((other) => other !== rank);
  if (others.length === 0 || others.some((other) => (said.get(other)?.length ?? 0) !== words.length - 1))
    return null;
  // Each rank that prints steps of its own speaks for itself, and all others lost one.
  const complaining = new Set(failures.map((failure) => failure.rank));
  const isLost = !complaining.has(rank) && others.every((other) => complaining.has(other));
  const isOwn =
    odd === 0 ||
    ownWords.test(words[0]!.text) ||
    (isLost && others.every((other) => countsItself(record, other)));
  const mayBeOfAll = rank === 0 && words.length === 1 && !isOwn;
  return mayBeOfAll ? null : { rank, line: words.at(-1)! };
}

function fewerIn(view: RunView): Uneven | null {
  const counts = new Map<number, { count: number; line: TextLine }>();
  for (const line of view.lines) {
    const found = line.rank === null || line.text.length > 300 ? null : announced.exec(line.text);
    if (found === null || line.rank === null) continue;
    const count = Number(found.slice(1).find((digits) => digits !== undefined));
    // What is only a number of batches tells of a plan where it stands before they are done; so does "7/23".
    const isPlan = (found[3] ?? found[4]) === undefined || line.step === null || line.step + 1 < count;
    if (isPlan) counts.set(line.rank, { count, line });
  }
  if (counts.size < 2) return null;
  const usual = median([...counts.values()].map(({ count }) => count));
  const [least, ...more] = [...counts].filter(([, { count }]) => count < usual);
  if (least === undefined || more.length > 0) return null;
  const [rank, { count, line }] = least;
  const last = lastStepOf(view.record, rank);
  return last !== null && last + 1 >= count ? { rank, line } : null;
}
