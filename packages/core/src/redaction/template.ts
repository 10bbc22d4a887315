// Messages of exceptions, reasons and lines of logs as templates: words of the libraries' vocabulary and small numbers stay,
// everything else is told by its kind. What is not known is not told; nothing here looks for secrets.
import type { Disclosure } from './disclosure.js';
import { isSensitiveName, isVocabulary } from './names.js';
import { isPlainNumber, rounded } from './numbers.js';
import { isSecretWord } from './secrets.js';

export interface TemplateOptions {
  /** Whole numbers of so many digits stay as they are; longer ones are rounded. */
  readonly digits?: number;
}

const gap = '…';
const separators = /([\s=,;()[\]{}<>|*"`!]+|:(?=\s|$)|(?<=\w):(?=[^/\\]))/;

/** One line at a time, each in one pass. */
export function templateOf(text: string, disclosure: Disclosure, options: TemplateOptions = {}): string {
  return text
    .split('\n')
    .map((line) => lineOf(line.slice(0, 2_000), disclosure, options))
    .join('\n');
}

function lineOf(line: string, disclosure: Disclosure, { digits = 3 }: TemplateOptions): string {
  const shown: string[] = [];
  let sensitive = false;
  for (const piece of quotedPieces(line)) {
    if (piece.quoted) {
      shown.push(quotedText(piece.text, disclosure, sensitive));
      continue;
    }
    const tokens = withoutSecretChunks(piece.text).split(separators);
    for (const [index, token] of tokens.entries()) {
      if (token === '') continue;
      if (index % 2 === 1) {
        shown.push(token.replace(/\s+/g, ' '));
        continue;
      }
      const inRow = isWhole(token) && (isWhole(tokens[index - 2]) || isWhole(tokens[index + 2]));
      const spaced = inRow && (isBlank(tokens[index - 1]) || isBlank(tokens[index + 1]));
      shown.push(sensitive || spaced ? gapUnlessWord(token) : wordOf(token, disclosure, digits));
      sensitive = isSensitiveName(token);
    }
  }
  return shown
    .join('')
    .replace(/…(?:[ .,:;=-]*…)+/g, gap)
    .trim();
}

/** Whole chunks between spaces that are keys, addresses or numbers of somebody. */
function withoutSecretChunks(text: string): string {
  return text
    .split(/(\s+)/)
    .map((chunk) => (chunk.length >= 6 && isSecretWord(chunk) ? gap : chunk))
    .join('');
}

interface Piece {
  readonly text: string;
  readonly quoted: boolean;
}

/** Splits at quotation marks; an apostrophe inside a word is none. */
function quotedPieces(line: string): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (let at = 0; at < line.length; at++) {
    const mark = line[at]!;
    if (mark !== "'" && mark !== '"' && mark !== '`') continue;
    if (mark === "'" && /\w/.test(line[at - 1] ?? '') && /\w/.test(line[at + 1] ?? '')) continue;
    const end = line.indexOf(mark, at + 1);
    // A text that was cut off is quoted to its end.
    const stop = end === -1 ? line.length : end;
    pieces.push(
      { text: line.slice(from, at), quoted: false },
      { text: line.slice(at + 1, stop), quoted: true },
    );
    from = stop + 1;
    at = stop;
  }
  pieces.push({ text: line.slice(from), quoted: false });
  return pieces;
}

function quotedText(text: string, disclosure: Disclosure, sensitive: boolean): string {
  if (!sensitive && (disclosure.isPublic(text) || disclosure.isLabel(text)))
    return `'${disclosure.label(text)}'`;
  return `'<str ${text.length}>'`;
}

function wordOf(token: string, disclosure: Disclosure, digits: number): string {
  const word = token.replace(/[.,:!?]+$/, '');
  const tail = token.slice(word.length);
  return `${tellable(word, disclosure, digits) ?? gap}${tail}`;
}

function tellable(word: string, disclosure: Disclosure, digits: number): string | null {
  if (word === '' || /^[-+/%&.…]+$/.test(word)) return word;
  const number = numberOf(word, digits);
  if (number !== null) return number;
  const parts = word.split(/[./]/);
  if (parts.length <= 8 && parts.every((part) => disclosure.isPublic(part) || contraction(part))) return word;
  // Steps out of all steps, versions, times with their unit.
  if (parts.length <= 3 && parts.every((part) => numberOf(part, Math.min(digits, 6)) !== null)) return word;
  return null;
}

function contraction(word: string): boolean {
  const [head, tail] = word.split("'");
  return tail !== undefined && /^(?:t|s|re|ll|ve)$/.test(tail) && isVocabulary(head ?? '');
}

/** A number with a short unit (20.00GiB, 5ms, 90%), rounded where it is long; null for anything else. */
function numberOf(word: string, digits: number): string | null {
  const match = /^(-?\d{1,18}(?:\.\d{1,18})?(?:e[-+]?\d{1,3})?)([a-zA-Z%]{0,4}(?:\/[a-z]{1,4})?)$/i.exec(
    word,
  );
  if (match === null) return null;
  const value = Number(match[1]);
  if (!/^(?:|%|[a-z]{1,2}|[KMGT]i?B?|it\/s|s\/it|ms|min)$/i.test(match[2]!)) return null;
  const whole = Number.isInteger(value);
  const plain = whole
    ? isPlainNumber(value, digits)
      ? value
      : rounded(value)
    : rounded(value, Math.max(4, digits - 1));
  return `${plain}${match[2]}`;
}

function isWhole(token: string | undefined): boolean {
  return token !== undefined && /^\d{3,}$/.test(token);
}

function isBlank(token: string | undefined): boolean {
  return token !== undefined && token.trim() === '' && token !== '';
}

function gapUnlessWord(token: string): string {
  return isVocabulary(token) && !/\d/.test(token) ? token : gap;
}
