// Sentences that tell a value: `Training loss at step 40: 1.89`, `Score after epoch 3 is 2.1`, `learning rate is 0.1`.
import { digit, textOf } from '../../bytes/characters.js';

/** What stands between a counter and the value behind it. */
const behindCounter = /^\d[\d,]*(?:\/\d+)?[)\]]{0,2}(?: (?:is|was))?$/;
/** What stands before a counter: `Loss after epoch`, `Average loss (step`. */
const beforeCounter =
  /^(.*?)[\s([,@-]+(?:(?:after|at|for|in|of|on) )?(?:the )?(?:end of )?(?:the )?(?:global[_ ])?(?:epochs?|steps?|iter(?:ation)?s?|round|batch|update)[\s#:=]*$/i;

/** The name before a counter whose digits begin at `counted`, where the value stands behind it; empty where there is none. */
export function nameAround(bytes: Buffer, from: number, counted: number, to: number): string {
  if (!behindCounter.test(bytes.toString('latin1', counted, to))) return '';
  return beforeCounter.exec(bytes.toString('utf8', from, counted))?.[1]?.trim() ?? '';
}

const longestSentence = 56;
const afterCount =
  /([A-Za-z][\w %@/-]*?) (?:after|at) (\d+) (epochs?|(?:global |training )?(?:steps?|iter(?:ation)?s?|updates?))$/i;

interface Counted {
  readonly name: string;
  readonly counter: 'epoch' | 'step';
  readonly count: number;
  /** Where the count stands. */
  readonly at: number;
}

/** `Loss after 3 epochs: 0.23`: the counter stands behind its number, and the number behind the name; `nameAt` and `to`: of the counter's word. */
export function countedBefore(bytes: Buffer, start: number, nameAt: number, to: number): Counted | null {
  if (nameAt <= start + 2 || digit[bytes[nameAt - 2]!] !== 1) return null;
  const from = Math.max(start, nameAt - longestSentence);
  const found = afterCount.exec(textOf(bytes, from, to));
  if (found === null) return null;
  const [whole, name, count, word] = found as unknown as readonly [string, string, string, string];
  return {
    name,
    counter: /^epoch/i.test(word) ? 'epoch' : 'step',
    count: Number(count),
    at: from + found.index + whole.length - word.length - 1 - count.length,
  };
}

/** `Reading the index cost 0.6 seconds`: what a cost is that is told in a unit of time. */
export function isPaidInTime(bytes: Buffer, nameEnd: number, valueEnd: number): boolean {
  if ((bytes[nameEnd - 1]! | 0x20) !== 0x74 || (bytes[nameEnd - 4]! | 0x20) !== 0x63) return false;
  return /^ ?(?:m?s(?:ec|\b)|min[su]|hou|hrs?\b)/i.test(textOf(bytes, valueEnd, valueEnd + 4));
}

/** The length of an ` is` or ` was` that ends the name before a value, without its blank; 0 where there is none. */
export function verbLength(bytes: Buffer, from: number, end: number): number {
  if (bytes[end - 1] !== 0x73) return 0;
  const length = bytes[end - 2] === 0x69 ? 2 : bytes[end - 2] === 0x61 && bytes[end - 3] === 0x77 ? 3 : 0;
  const at = end - length;
  return length > 0 && at >= from && (at === from || bytes[at - 1] === 0x20) ? length : 0;
}
