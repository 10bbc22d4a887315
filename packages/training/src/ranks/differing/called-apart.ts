// Which calls the ranks were in, as their library prints it: who was in another than all others.
import type { RunView } from '../../features/view.js';
import type { CollectiveTimeoutMessage, TextLine } from '../../record/run-record.js';
import { type OddOne, oddOne } from './odd-one.js';

/** The turn, the operation, the shape and the type; the options of the tensors behind them are of no interest. */
const stated =
  /\bRank (\d{1,5}) is running (?:\w+ )?collective: CollectiveFingerPrint\(([^()]*?)(?:, TensorDeviceTypes=|\))/g;

/**
 * What each rank was about to send, where PyTorch compared it before sending (TORCH_DISTRIBUTED_DEBUG=DETAIL). One message holds two of
 * these fingerprints; the messages of all ranks together settle whose is odd.
 */
export function oddFingerprint({ failures, lines }: RunView): OddOne<string> | null {
  const own = new Map<number, string>();
  const told = new Map<number, string>();
  const read = (text: string): void => {
    const [first, ...others] = text.matchAll(stated);
    // What a rank says of itself is right; what it received from one that meant something else may be garbled.
    if (first) own.set(Number(first[1]), first[2]!);
    for (const [, rank, print] of others) told.set(Number(rank), print!);
  };
  for (const { message } of failures) read(message);
  for (const { text } of lines) if (text.includes('CollectiveFingerPrint')) read(text);
  return oddOne(new Map([...told, ...own]));
}

/**
 * What each rank's watchdog gave up in: the one rank that was in another operation than all others, or gave another number of elements.
 * Messages between two ranks are not compared.
 */
export function oddInWatchdog({ record }: RunView): OddOne<string> | null {
  const told = new Map<number, CollectiveTimeoutMessage>();
  for (const message of record.device)
    if (message.kind === 'collective_timeout' && message.rank !== null && message.sequence !== null)
      if (!told.has(message.rank)) told.set(message.rank, message);
  const all = [...told.values()];
  const isOneTurn = new Set(all.map(({ sequence }) => sequence)).size === 1;
  if (!isOneTurn || all.some(({ operation }) => operation === null || /SEND|RECV/i.test(operation)))
    return null;
  const of = (word: (message: CollectiveTimeoutMessage) => string): OddOne<string> | null =>
    oddOne(new Map([...told].map(([rank, message]) => [rank, word(message)])));
  return (
    of(({ operation }) => operation!) ??
    of(({ operation, elements }) => `${operation} of ${elements} elements`)
  );
}

export interface Stalled {
  readonly rank: number;
  readonly line: TextLine;
  /** Whether others miss something as well: then the rank went on, and did not stop. */
  readonly wentOn: boolean;
}

const heading = /\bMissing ranks:\s*$/;
const row = /^(\d{1,5}): \[([^\]]+)/;
const mostRows = 4096;

/**
 * What a library that keeps count of its tensors prints when they do not come together: "Missing ranks:", and below it each rank with the
 * tensors that it did not hand in. Where two sides miss each other's, the smaller side went another way.
 */
export function stalledIn({ lines }: RunView): Stalled | null {
  const at = lines.findLastIndex(({ text }) => text.length < 1000 && heading.test(text));
  if (at < 0) return null;
  const sides = new Map<string, { readonly rank: number; readonly line: TextLine }[]>();
  for (const line of lines.slice(at + 1, at + mostRows)) {
    const found = row.exec(line.text);
    if (found === null || line.at.file !== lines[at]!.at.file) break;
    const side = sides.get(found[2]!) ?? [];
    sides.set(found[2]!, side);
    side.push({ rank: Number(found[1]), line });
  }
  const [least, next] = [...sides.values()].sort((a, b) => a.length - b.length);
  if (least === undefined || least.length > 1 || next?.length === 1) return null;
  return { ...least[0]!, wentOn: next !== undefined };
}
