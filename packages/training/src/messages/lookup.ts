// Finds the messages of the catalogue by two neighbouring words, in a table that was filled when the catalogue was made: nothing is
// built at a start. A slot holds the place of a mark in the text; marks with the same slot follow one another.
import { wordPattern } from './words.js';

/** The slots as they are kept: base64 of little-endian numbers, 0 for an empty one. */
export function fillTable(text: string): string {
  const marks = [...text.matchAll(/\*/g)].map(({ index }) => index);
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(1.5 * marks.length)));
  for (const mark of marks) {
    const pair = pairAt(text, mark);
    if (pair === null) continue;
    let slot = slotOf(pair, slots.length);
    while (slots[slot] !== 0) slot = (slot + 1) % slots.length;
    slots[slot] = mark;
  }
  return Buffer.from(slots.buffer).toString('base64');
}

/** A string, or a file that is read where it is asked for. */
export type Text = Pick<string, 'lastIndexOf' | 'slice'>;

export interface MarkedText {
  readonly text: Text;
  readonly slots: Uint32Array;
  /** What was read at the marks so far. */
  readonly pairs: Map<number, string | null>;
}

/** `kept`: as they are kept, or as the bundle has them. */
export function openTable(text: Text, kept: string | Uint32Array): MarkedText {
  return { text, slots: typeof kept === 'string' ? slotsOf(kept) : kept, pairs: new Map() };
}

function slotsOf(base64: string): Uint32Array {
  const bytes = Buffer.from(base64, 'base64');
  const slots = new Uint32Array(bytes.length / 4);
  bytes.copy(new Uint8Array(slots.buffer));
  return slots;
}

/** Where the text marks this pair of words, in the order of the text. */
export function marksOf(pair: string, { text, slots, pairs }: MarkedText): number[] {
  const found: number[] = [];
  for (let slot = slotOf(pair, slots.length); slots[slot] !== 0; slot = (slot + 1) % slots.length) {
    const mark = slots[slot]!;
    if (!pairs.has(mark)) pairs.set(mark, pairAt(text, mark));
    if (pairs.get(mark) === pair) found.push(mark);
  }
  return found;
}

/** So far behind a mark, its two words have ended. */
const reach = 200;

function pairAt(text: Text, mark: number): string | null {
  const [rest = ''] = text.slice(mark, mark + reach).split(/[\t\n]/, 1);
  wordPattern.lastIndex = 0;
  const lower = rest.toLowerCase();
  const first = wordPattern.exec(lower);
  const second = wordPattern.exec(lower);
  return first && second ? `${first[0]} ${second[0]}` : null;
}

function slotOf(pair: string, slots: number): number {
  let hash = 0;
  for (let at = 0; at < pair.length; at++) hash = (Math.imul(hash, 31) + pair.charCodeAt(at)) | 0;
  return (hash ^ (hash >>> 15)) & (slots - 1);
}
