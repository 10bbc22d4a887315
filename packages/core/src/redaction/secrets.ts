// Recognises what looks like a secret or like data of a person in a piece of text: keys, tokens, addresses with passwords,
// e-mail addresses, card numbers, long random strings. One pass over the text: no expression here can backtrack.
import { isSensitiveName, isWordLike, partsOf } from './names.js';

const removed = '[removed]';

const tokenStarts = [
  ...[
    'sk-',
    'sk_',
    'pk_',
    'pk-',
    'rk_',
    'ghp_',
    'gho_',
    'ghu_',
    'ghs_',
    'ghr_',
    'github_pat_',
    'glpat-',
    'hf_',
  ],
  ...['xoxa-', 'xoxb-', 'xoxp-', 'xoxr-', 'xoxs-', 'xapp-', 'AIza', 'ya29.', 'npm_', 'pypi-', 'AKIA', 'ASIA'],
  ...[
    'eyJ',
    'SG.',
    'dckr_',
    'lin_',
    'shpat_',
    '$2a$',
    '$2b$',
    '$2y$',
    '$6$',
    '$argon2',
    'ssh-',
    'AAAA',
    '0x',
  ],
];
/** Addresses of machines, social security numbers. */
const machineOrPerson = [
  /^\d{1,3}(?:\.\d{1,3}){3}$/,
  /^[0-9a-f]{2}(?::[0-9a-f]{2}){5}$/i,
  /^\d{3}-\d{2}-\d{4}$/,
];
const shortestToken = 12;
/** Longer words are nobody's prose. */
const longestWord = 60;

/** Whether one word (no spaces in it) is a key, an address, an identifier of somebody, or random. */
export function isSecretWord(word: string): boolean {
  if (word.length > 4 * longestWord) return true;
  if (word.length >= shortestToken && tokenStarts.some((start) => word.startsWith(start))) return true;
  if (word.includes('@') && word.indexOf('.', word.indexOf('@')) > 0) return true;
  const address = word.indexOf('://');
  if (address > 0 && (word.includes('@') || word.includes('?') || word.includes('='))) return true;
  const digits = countOf(word, /\d/);
  // Cards, accounts, telephones, addresses of machines; dates and versions have fewer digits.
  if (digits >= 9 && digits > word.length / 2) return true;
  if (machineOrPerson.some((form) => form.test(word))) return true;
  return word.split(/[/.:,;=&?#()[\]{}<>]/).some(isRandom);
}

/** Letters and digits mixed as no language mixes them. */
function isRandom(piece: string): boolean {
  if (piece.length < shortestToken) return false;
  const dashes = countOf(piece, /[-_+]/);
  if (/^[0-9a-f-]+$/i.test(piece) && /\d/.test(piece) && piece.length - dashes >= 16) return true;
  const parts = partsOf(piece);
  const known = parts.filter((part) => part.length > 3 && isWordLike(part)).join('').length;
  const rest = piece.length - dashes - known;
  return rest >= shortestToken && parts.length - 1 >= rest / 4 && entropy(piece) > 3;
}

/** The text with every secret replaced by `[removed]`; what is no secret keeps its bytes. */
export function removeSecrets(text: string): string {
  return withoutBlocks(text)
    .split(/([\s"'`<>|]+)/)
    .map(removeFromWord)
    .join('')
    .split('\n')
    .map(removeAssigned)
    .join('\n');
}

/** Armoured keys span lines. */
function withoutBlocks(text: string): string {
  const begin = '-----BEGIN ';
  const pieces: string[] = [];
  let from = 0;
  for (let at = text.indexOf(begin); at !== -1; at = text.indexOf(begin, from)) {
    const end = text.indexOf('-----END ', at);
    const stop = end === -1 ? text.length : text.indexOf('-----', end + 9);
    pieces.push(text.slice(from, at), removed);
    from = stop === -1 || end === -1 ? text.length : stop + 5;
  }
  return pieces.join('') + text.slice(from);
}

function removeFromWord(word: string): string {
  if (word.length < 6 || word === removed) return word;
  if (!isSecretWord(word)) return word;
  const assigned = word.lastIndexOf('=');
  const name = word.slice(0, assigned + 1);
  return /^[\w.-]{1,40}=$/.test(name) ? `${name}${removed}` : removed;
}

/** `password = 'hunter2'`, `token: abc`: what follows a name that speaks of a secret. */
function removeAssigned(line: string): string {
  const tokens = line.split(/(\s+|["'`=:,;(){}[\]<>|&?]+)/);
  let after: 'nothing' | 'name' | 'sign' = 'nothing';
  let quote = '';
  for (const [index, token] of tokens.entries()) {
    const separator = index % 2 === 1;
    if (token === '') continue;
    if (separator) {
      const closing = quote !== '' && token.includes(quote);
      if (after === 'name' && /[=:]/.test(token)) {
        after = 'sign';
        quote = /["'`]/.exec(token.slice(token.search(/[=:]/)))?.[0] ?? '';
      } else if (after === 'sign' && /["'`]/.test(token) && quote === '') quote = /["'`]/.exec(token)![0];
      else if (after === 'sign' && (closing || (quote === '' && /[,;]/.test(token)))) {
        after = 'nothing';
        quote = '';
      } else if (after === 'name' && token.trim() !== '' && !/["'`]/.test(token)) after = 'nothing';
    } else if (after === 'sign') {
      if (token.length >= 3 && !/^(?:Bearer|Basic|None|True|False|\d{1,3})$/.test(token))
        tokens[index] = removed;
      if (quote === '' && token !== 'Bearer' && token !== 'Basic') after = 'nothing';
    } else if (token.length <= 80 && isSensitiveName(token)) after = 'name';
    else if (token === 'Bearer' || token === 'Basic') after = 'sign';
    else after = 'nothing';
  }
  return tokens.join('');
}

function countOf(text: string, sort: RegExp): number {
  let count = 0;
  for (const character of text) if (sort.test(character)) count += 1;
  return count;
}

function entropy(word: string): number {
  const counts = new Map<string, number>();
  for (const character of word) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / word.length) * Math.log2(count / word.length);
  return bits;
}
