// Knows a library's message again wherever it stands: behind a traceback, alone on a line, wrapped, cut, or with other words of a
// newer version. Two rare neighbouring words lead to the candidates; the share of a candidate's words that the line has decides.
import type { Subcause } from '../causes/table.js';
import catalogue from './catalogue.json' with { type: 'json' };
import { type MarkedText, marksOf, openTable, type Text } from './lookup.js';
import { wordsOf } from './words.js';

export interface KnownMessage {
  readonly subcause: Subcause;
  /** The library's file that raises it. */
  readonly place: string;
  /** As the library writes it, {} for what it fills in. */
  readonly template: string;
  /** Share of the template's words that the text has, in their order. */
  readonly likeness: number;
}

/** Below this a line only happens to share two words with a message. */
const likeEnough = 0.75;
const fewestWords = 4;
/** Longer texts are looked at up to here. */
const longest = 2000;

/** The likeness of a text that breaks off inside of a message. */
const cutShort = 0.9;

let opened: MarkedText | null = null;

/** The message of the catalogue that a text holds, or null. */
export function knownMessage(text: string): KnownMessage | null {
  opened ??= openTable(catalogue.messages, catalogue.slots);
  const all = opened.text;
  const words = wordsOf(text.slice(0, longest));
  const tried = new Set<number>();
  let best: Found | null = null;
  let most = 0;
  for (let at = 1; at < words.length; at++) {
    for (const mark of marksOf(`${words[at - 1]} ${words[at]}`, opened)) {
      const start = all.lastIndexOf('\t', mark) + 1;
      if (tried.has(start)) continue;
      tried.add(start);
      const message = messageAt(all, start);
      if (!hasNumbersOf(message, text)) continue;
      const template = wordsOf(message);
      const common = commonInOrder(template, words);
      const likeness = endsEarly(template, words) ? cutShort : common / template.length;
      if (common < fewestWords || likeness < likeEnough || common * likeness <= most) continue;
      most = common * likeness;
      best = { start, message, likeness };
    }
  }
  if (best === null) return null;
  const { start, message, likeness } = best;
  return { ...raiserOf(all, start), template: message.replaceAll('*', ''), likeness };
}

interface Found {
  readonly start: number;
  readonly message: string;
  readonly likeness: number;
}

function messageAt(all: Text, start: number): string {
  const [message = ''] = all.slice(start, start + longest).split(/[\t\n]/, 1);
  return message;
}

/** A line has a sub-cause, a place that raises for it, and the messages of both. */
function raiserOf(all: Text, start: number): Pick<KnownMessage, 'subcause' | 'place'> {
  const line = all.lastIndexOf('\n', start) + 1;
  const [subcause, place = ''] = all.slice(line, start).split('\t', 2);
  return { subcause: subcause as Subcause, place };
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

const numbers = /(?<![\w.{])\d+(?![\w.}])/g;

/** A number that the library itself wrote is part of what is wrong: 0 files were found. */
function hasNumbersOf(template: string, text: string): boolean {
  const said = new Set(text.match(numbers));
  return (template.match(numbers) ?? []).every((number) => said.has(number));
}
