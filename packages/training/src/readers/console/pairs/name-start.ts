// Where the name begins that ends before a joint: of one word or several, of any script, or written in bars.
import {
  bytesOf,
  digit,
  isFraction,
  letterStart,
  sign,
  textOf,
  word,
  wordCharacters,
  wordStart,
} from '../../bytes/characters.js';

const inName = bytesOf(`${wordCharacters}/.@()%-`);
const longest = 56;

/** Where the name begins that ends before `end`; `end` or beyond where all that stands there is numbers, -1 where no name can end there. */
export function nameStart(bytes: Buffer, start: number, takenUntil: number, end: number): number {
  const last = end - 1;
  const barred = bytes[last] === sign.bar ? barredStart(bytes, last, start) : -1;
  if (barred >= 0) return barred;
  const floor = Math.max(start, takenUntil, end - longest);
  if (inName[bytes[last]!] === 0 && letterStart(bytes, last, floor) < 0) return -1;
  const from = pastHalfOfDay(bytes, pastNumbers(bytes, reachedBack(bytes, floor, end), end), start);
  const norm = ofGradient.exec(textOf(bytes, Math.max(start, from - longestNorm), from));
  if (norm !== null) return from - norm[0].length;
  // Right behind a sign stands the value of another name: `split=dev loss=0.4`.
  if (from < end && from > start && bytes[from - 1] === sign.equals) {
    const value = bytes.subarray(from, end).indexOf(sign.blank);
    if (value > 0) return from + value + 1;
  }
  return from;
}

/** As far back as what stands there may be of one name. */
function reachedBack(bytes: Buffer, floor: number, end: number): number {
  let at = end - 1;
  for (; at >= floor; at--) {
    const byte = bytes[at]!;
    if (byte >= 0x80) {
      const letter = letterStart(bytes, at, floor);
      if (letter < 0) break;
      at = letter;
    } else if (byte === sign.blank || byte === sign.minus || byte === sign.apostrophe) {
      if (at === floor || !joinsWords(bytes, at, byte, end)) break;
    } else if (inName[byte] === 0) break;
  }
  return at + 1;
}

/** Whether a blank, a hyphen or an apostrophe stands inside of a name. */
function joinsWords(bytes: Buffer, at: number, byte: number, end: number): boolean {
  const before = bytes[at - 1]!;
  const after = bytes[at + 1]!;
  if (byte === sign.minus) return word[before] === 1 && word[after] === 1;
  // `valid_0's l2`, `perte d'entraînement`
  if (byte === sign.apostrophe) return word[before] === 1 && (word[after] === 1 || after >= 0x80);
  // `(1/4)` is no word that a name goes on with.
  const endsWord =
    word[before] === 1 || before >= 0x80 || (before === sign.closing && digit[bytes[at - 2] ?? 0] === 0);
  if (!endsWord || after === sign.slash || isFraction(bytes, at + 1, end)) return false;
  return digit[after] === 0 || endsCounting(bytes, at);
}

/** `(1/32) accuracy`: what is no letter goes, and numbers with all that hangs on them. */
function pastNumbers(bytes: Buffer, start: number, end: number): number {
  let from = start;
  while (from < end) {
    if (digit[bytes[from]!] === 1 || isFraction(bytes, from, end)) {
      while (from < end && bytes[from] !== sign.blank) from++;
    } else if (word[bytes[from]!] === 1 || bytes[from]! >= 0x80) break;
    from++;
  }
  return from;
}

/** `03:14:15 PM loss 0.4`: the half of the day is the clock's, not the name's. */
function pastHalfOfDay(bytes: Buffer, at: number, start: number): number {
  const half = bytes[at]! | 0x20;
  const isHalf =
    (half === 0x61 || half === 0x70) && (bytes[at + 1]! | 0x20) === 0x6d && bytes[at + 2] === sign.blank;
  const isOfClock = at > start + 1 && bytes[at - 1] === sign.blank && digit[bytes[at - 2]!] === 1;
  return isHalf && isOfClock ? at + 3 : at;
}

/** `|g| layer3 1e-9` */
const ofGradient = /\|{1,2}g(?:rad\w*)?\|{1,2} $/i;
const longestNorm = 16;
const longestInBars = 24;

/** Where a norm begins that is written in bars, as in `|w|`, `||g||`, `|dL/dh|` and `sum|w|`, of which the last stands at `at`; -1 where it is none. */
function barredStart(bytes: Buffer, at: number, start: number): number {
  let from = at;
  while (from > start && bytes[from] === sign.bar) from--;
  const end = from;
  while (
    from > start &&
    end - from < longestInBars &&
    (word[bytes[from]!] === 1 || bytes[from] === sign.slash)
  )
    from--;
  if (from === end || bytes[from] !== sign.bar) return -1;
  if (from > start && at - end > 1 && bytes[from - 1] === sign.bar) from--;
  return wordStart(bytes, from, start);
}

/** Words before a number that belongs to a name: `on the 10000 test images`, `on 500 samples`, `last 100 episodes`, `top 5 acc`. */
const counting = new Set(['on', 'the', 'last', 'past', 'over', 'top']);
const lastLetters = new Set([...counting].map((name) => name.charCodeAt(name.length - 1)));
const longestCounting = 6;

/** Whether such a word ends before `end`. */
export function endsCounting(bytes: Buffer, end: number): boolean {
  if (!lastLetters.has(bytes[end - 1]! | 0x20)) return false;
  const from = wordStart(bytes, end, Math.max(0, end - longestCounting));
  return counting.has(textOf(bytes, from, end).toLowerCase());
}
