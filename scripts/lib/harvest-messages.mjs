// Finds the messages libraries raise: in Python sources the strings of every `raise Name(…)`, also where a name was given to them
// before, and those behind an `assert`; in binaries the sentences among their constants. What a message is filled with becomes {}.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const skipped =
  /(^|\/)(tests?|testing|_testing|benchmarks?|examples?|docs?|third_party|vendor|_vendor|__pycache__|onnx|lite|tflite)(\/|$)/;

export function filesOf(folder, suffix) {
  const found = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (skipped.test(`/${entry.name}/`)) continue;
    if (entry.isDirectory()) found.push(...filesOf(path, suffix));
    else if (suffix.test(entry.name)) found.push(path);
  }
  return found.sort();
}

/** `{ exception, text, function }` of every raise and assert in one Python source. */
export function raisesOf(source) {
  const found = [];
  const add = (exception, text, index) => {
    if (text !== null) found.push({ exception, text, function: functionBefore(source, index) });
  };
  const start = /\braise\s+((?:\w+\.)*\w*(?:Error|Exception|Warning|Exit|Fault|Interrupt)\w*)\s*\(/g;
  for (let match = start.exec(source); match !== null; match = start.exec(source)) {
    const text = literalsOf(source, start.lastIndex, 1) ?? namedBefore(source, start.lastIndex, match.index);
    add(match[1].split('.').at(-1), text, match.index);
  }
  const asserted = /^[ \t]+assert\b/gm;
  for (let match = asserted.exec(source); match !== null; match = asserted.exec(source)) {
    const comma = commaAfter(source, asserted.lastIndex);
    if (comma >= 0) add('AssertionError', literalsOf(source, comma + 1, 0), match.index);
  }
  return found;
}

/** The strings of what is printed or logged while nothing is wrong. */
export function printedOf(source) {
  const calls = /\b(?:print|(?:\w*logg(?:er|ing)|log)\.(?:info|debug))\(/gi;
  return [...source.matchAll(calls)].flatMap(
    ({ index, 0: call }) => literalsOf(source, index + call.length, 1) ?? [],
  );
}

/** `msg = "…"` above `raise Name(msg)`, in the same function. */
function namedBefore(source, from, index) {
  const name = /^\s*(\w+)\s*[,)]/.exec(source.slice(from, from + 80))?.[1];
  if (name === undefined) return null;
  const above = source.slice(Math.max(source.lastIndexOf('def ', index), index - 3000, 0), index);
  const assigned = [...above.matchAll(new RegExp(`^[ \\t]+${name} = `, 'gm'))].at(-1);
  if (assigned === undefined) return null;
  return literalsOf(source, index - above.length + assigned.index + assigned[0].length, 0);
}

/** Where the condition of an assert ends and its message begins; -1 without one. */
function commaAfter(source, from) {
  let depth = 0;
  for (let at = from; at < source.length && at < from + 2000; at++) {
    const char = source[at];
    if (char === '"' || char === "'") {
      const quote = source.startsWith(char.repeat(3), at) ? char.repeat(3) : char;
      const end = endOf(source, at + quote.length, quote);
      if (end < 0) return -1;
      at = end + quote.length - 1;
    } else if ('([{'.includes(char)) depth++;
    else if (')]}'.includes(char)) depth--;
    else if (depth === 0 && char === ',') return at;
    else if (depth === 0 && char === '\n' && source[at - 1] !== '\\') return -1;
  }
  return -1;
}

function functionBefore(source, index) {
  const before = source.lastIndexOf('\ndef ', index);
  const method = source.lastIndexOf(' def ', index);
  const name = /def (\w+)/.exec(source.slice(Math.max(before, method, 0), index));
  return name?.[1] ?? '';
}

/** The strings of an argument list (depth 1) or of a statement (depth 0) in order, with {} for whatever stands between them. */
function literalsOf(source, from, outer) {
  let depth = outer;
  let text = '';
  let gap = false;
  for (let at = from; at < source.length && at < from + 4000; ) {
    const literal = /^([rbfuRBFU]{0,2})("""|'''|"|')/.exec(source.slice(at, at + 5));
    if (literal && !/\w/.test(source[at - 1] ?? '')) {
      const quote = literal[2];
      const begin = at + literal[0].length;
      const end = endOf(source, begin, quote);
      if (end < 0) return null;
      if (gap && text !== '') text += '{}';
      text += filled(source.slice(begin, end), literal[1].toLowerCase());
      gap = false;
      at = end + quote.length;
      continue;
    }
    const char = source[at];
    if (char === '#') {
      at = source.indexOf('\n', at);
      if (at < 0) return null;
      continue;
    }
    if ('([{'.includes(char)) depth++;
    if (')]}'.includes(char) && --depth < outer) break;
    if (char === '\n' && depth === 0 && source[at - 1] !== '\\') break;
    if (/[\w+]/.test(char)) gap = true;
    at++;
  }
  const clean = text
    .replace(/\\n|\\t/g, ' ')
    .replace(/\\(.)/g, '$1')
    .replace(/\s+/g, ' ')
    .replace(/(\{\}\s*)+/g, '{} ')
    .trim();
  return clean === '' ? null : clean;
}

function endOf(source, from, quote) {
  for (let at = from; at < source.length; at++) {
    if (source[at] === '\\') at++;
    else if (source.startsWith(quote, at)) return at;
    else if (source[at] === '\n' && quote.length === 1) return -1;
  }
  return -1;
}

function filled(text, prefix) {
  const plain = text.replace(/\{\{|\}\}/g, ' ').replace(/\{[^{}]*(\{[^{}]*\}[^{}]*)*\}/g, '{}');
  return prefix.includes('f') ? plain : plain.replace(/%(\(\w+\))?[-+ 0#]*\d*(\.\d+)?[sdrfgixeX]/g, '{}');
}

const sentence =
  /^[A-Za-z'"`([][\w'"`()[\]{}.,:;!?/<>=*&%$#@|~^+-]*( [\w'"`()[\]{}.,:;!?/<>=*&%$#@|~^+-]+){3,}[ .:!,)]*$/;
const complains =
  /expected|must|should|cannot|can't|could ?n[o']t|\bnot\b|invalid|fail|error|mismatch|unsupported|unknown|out of|exceed|requires?|only|illegal|too (?:many|few|large|small|old)|does ?n[o']t/i;

/** Sentences of complaint among the constants of a binary. */
export function sentencesOf(file) {
  const found = new Set();
  const bytes = readFileSync(file);
  let start = -1;
  for (let at = 0; at <= bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte >= 0x20 && byte < 0x7f) {
      if (start < 0) start = at;
      continue;
    }
    if (start >= 0 && at - start >= 24 && at - start < 400) {
      const text = bytes.toString('latin1', start, at).trim();
      if (sentence.test(text) && complains.test(text) && !/::|_Z\w|0x|--\w|\$\w|\bthis option\b/.test(text))
        found.add(
          text.replace(/%[-+ 0#]*\d*(\.\d+)?l*[sdrfgixuXz]+/g, '{}').replace(/\{\d*[^}]{0,8}\}/g, '{}'),
        );
    }
    start = -1;
  }
  return [...found].sort();
}

export function exists(path) {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
