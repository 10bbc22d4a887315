// Knows a library's message again wherever it stands: behind a traceback, alone on a line, wrapped, cut, or with other words of a
// newer version. Two rare neighbouring words lead to the candidates; the share of a candidate's words that the line has decides.
import type { Subcause } from '../causes/table.js';
import catalogue from './catalogue.json' with { type: 'json' };
import { wordPattern, wordsOf } from './words.js';

export interface KnownMessage {
  readonly subcause: Subcause;
  /** The library's file that raises it. */
  readonly place: string;
  /** As the library writes it, {} for what it fills in. */
  readonly template: string;
  /** Share of the template's words that the text has, in their order. */
  readonly likeness: number;
}

interface Entry {
  readonly subcause: Subcause;
  readonly place: string;
  readonly text: string;
}

/** Below this a line only happens to share two words with a message. */
const likeEnough = 0.75;
const fewestWords = 4;
/** Longer texts are looked at up to here. */
const longest = 2000;

/** The likeness of a text that breaks off inside of a message. */
const cutShort = 0.9;

let index: Map<string, Entry[]> | null = null;

/** The message of the catalogue that a text holds, or null. */
export function knownMessage(text: string): KnownMessage | null {
  index ??= read();
  const words = wordsOf(text.slice(0, longest));
  const tried = new Set<Entry>();
  let best: KnownMessage | null = null;
  let most = 0;
  for (let at = 1; at < words.length; at++) {
    for (const entry of index.get(`${words[at - 1]} ${words[at]}`) ?? []) {
      if (tried.has(entry)) continue;
      tried.add(entry);
      const template = wordsOf(entry.text);
      const common = commonInOrder(template, words);
      const likeness = endsEarly(template, words) ? cutShort : common / template.length;
      if (common < fewestWords || likeness < likeEnough || common * likeness <= most) continue;
      most = common * likeness;
      best = {
        subcause: entry.subcause,
        place: entry.place,
        template: entry.text.replaceAll('*', ''),
        likeness,
      };
    }
  }
  return best;
}

function read(): Map<string, Entry[]> {
  const made = new Map<string, Entry[]>();
  for (const [subcause, places] of Object.entries(catalogue))
    for (const line of places) {
      const [place = '', ...texts] = line.split('\t');
      for (const text of texts) {
        const entry = { subcause: subcause as Subcause, place, text };
        for (let mark = text.indexOf('*'); mark >= 0; mark = text.indexOf('*', mark + 1)) {
          const pair = firstPair(text.slice(mark + 1));
          if (pair === null) continue;
          const known = made.get(pair);
          if (known) known.push(entry);
          else made.set(pair, [entry]);
        }
      }
    }
  return made;
}

function firstPair(text: string): string | null {
  const lower = text.toLowerCase();
  wordPattern.lastIndex = 0;
  const first = wordPattern.exec(lower);
  const second = wordPattern.exec(lower);
  return first && second ? `${first[0]} ${second[0]}` : null;
}

/** The text ends with the beginning of the template, and long enough to know it by. */
function endsEarly(template: readonly string[], words: readonly string[]): boolean {
  for (let length = Math.min(template.length - 1, words.length); length > fewestWords; length--) {
    const from = words.length - length;
    if (template.slice(0, length).every((word, at) => word === words[from + at])) return true;
  }
  return false;
}

/** How many of the template's words the text has, in the template's order. */
function commonInOrder(template: readonly string[], words: readonly string[]): number {
  let from = 0;
  let common = 0;
  for (const word of template) {
    const at = words.indexOf(word, from);
    if (at < 0) continue;
    // A word far behind belongs to another sentence.
    if (common > 0 && at - from > 25) continue;
    from = at + 1;
    common++;
  }
  return common;
}
