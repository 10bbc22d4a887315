// What a name gives away. A name is plain when it is made of words; a name of random characters is a secret that somebody
// used as a name. Every test is linear in the length of the name.
import { words } from './vocabulary.js';

const longestName = 64;
const longestLabel = 48;

/** The parts of a name: words between separators, humps of camel case, runs of digits. */
export function partsOf(name: string): string[] {
  const parts: string[] = [];
  let current = '';
  let last: Sort = 'other';
  for (let at = 0; at < name.length; at++) {
    const sort = sortOf(name.charCodeAt(at));
    const hump =
      (last === 'lower' && sort === 'upper') ||
      // The last capital before a small letter starts a word of its own: "HTTPServer".
      (last === 'upper' && sort === 'upper' && sortOf(name.charCodeAt(at + 1)) === 'lower');
    const digits = (sort === 'digit') !== (last === 'digit');
    if ((hump || digits || sort === 'other') && current !== '') {
      parts.push(current);
      current = '';
    }
    if (sort !== 'other') current += name[at];
    last = sort;
  }
  if (current !== '') parts.push(current);
  return parts;
}

type Sort = 'lower' | 'upper' | 'digit' | 'other';

function sortOf(code: number): Sort {
  if (code >= 97 && code <= 122) return 'lower';
  if (code >= 65 && code <= 90) return 'upper';
  if (code >= 48 && code <= 57) return 'digit';
  // Letters of other scripts are letters; NaN stands behind the end.
  return code > 127 ? 'lower' : 'other';
}

const sensitiveParts = new Set(
  (
    'password passwd pwd pass passphrase passcode secret secrets token bearer credential credentials cred creds auth ' +
    'authorization apikey pin ssn iban bic cvv cvc otp totp cookie cookies mail mails email emails phone telephone mobile fax ' +
    'birthday birthdate dob passport surname firstname lastname fullname forename username login address addresses street ' +
    'zip postcode postal mrn licence salary salaries'
  ).split(' '),
);
const sensitivePairs = new Set(
  (
    'api key, access key, private key, account key, signing key, encryption key, ssh key, first name, last name, full name, ' +
    'user name, given name, family name, middle name, maiden name, credit card, card number, account number, social security, ' +
    'tax id, national id, birth date, date birth, ip address, mac address'
  ).split(', '),
);

/** Whether the name says that what it holds is a secret or about a person: "DB_PASSWORD", "first_name". */
export function isSensitiveName(name: string): boolean {
  if (name.length > 4 * longestName) return true;
  const parts = partsOf(name).map((part) => part.toLowerCase());
  return (
    (parts.length === 1 && parts[0] === 'name') ||
    parts.some(
      (part, index) =>
        sensitiveParts.has(part) || (index > 0 && sensitivePairs.has(`${parts[index - 1]} ${part}`)),
    )
  );
}

/** Whether an identifier that somebody typed reads as words rather than as random characters. */
export function isPlainName(name: string): boolean {
  if (name.length > longestName) return false;
  return name.split(/[_.]/).every(isPlainRun);
}

/** A run of letters and digits is plain when little of it is neither a word nor a short piece. */
function isPlainRun(run: string): boolean {
  if (run.length < 8) return true;
  if (/^[0-9a-f]+$/i.test(run) && (run.length >= 12 || /\d/.test(run))) return false;
  const parts = partsOf(run);
  let noise = 0;
  for (const part of parts) {
    if (/^\d/.test(part)) {
      if (part.length > 4) return false;
      noise += part.length;
    } else if (!isWordLike(part)) noise += part.length;
  }
  return noise < 6 || noise < run.length / 3;
}

/**
 * Whether a label of live data (a column, a key, an attribute) may be told as a label: words that libraries and tables
 * use, and at most one word besides.
 */
export function isPlainLabel(label: string): boolean {
  if (label.length > longestLabel || !/^[\p{L}\p{N} _\-.()/%]*$/u.test(label)) return false;
  const parts = partsOf(label);
  let strange = 0;
  let digits = 0;
  for (const [index, part] of parts.entries()) {
    if (/^\d/.test(part)) {
      digits += part.length;
      const before = parts[index - 1];
      // "hunter2" is no "feature2".
      if (before !== undefined && before.length > 3 && !isKnownWord(before)) return false;
      // "FD 3233" is a number plate or a ticket, "GDP 2010" a column.
      if (before !== undefined && part.length > 2 && isCode(before) && !isYearOf(parts, part)) return false;
    } else if (!isKnownWord(part) && part.length > 1) {
      if (!isWordLike(part) || part.length > 14) return false;
      strange += 1;
    }
  }
  return strange <= 1 && digits <= 4 && parts.length <= 8;
}

const isCode = (part: string): boolean => /^[A-Z]{1,3}$/.test(part);
const isYearOf = (parts: readonly string[], part: string): boolean =>
  parts.length === 2 && parts[0]!.length === 3 && /^(?:19|20)\d\d$/.test(part);

/** Whether all words of a text are words of the libraries' vocabulary: "val_loss". */
export function isVocabulary(text: string): boolean {
  if (text.length > longestLabel || !/^[A-Za-z0-9_-]+$/.test(text)) return false;
  const parts = partsOf(text);
  return (
    parts.length > 0 &&
    parts.length <= 5 &&
    parts.every((part) => (/^\d/.test(part) ? part.length <= 2 : isKnownWord(part) || part.length === 1))
  );
}

export function isKnownWord(word: string): boolean {
  const small = word.toLowerCase();
  return words().has(small) || (small.endsWith('s') && words().has(small.slice(0, -1)));
}

/** Short pieces, known words, and words whose letters follow each other as those of known words do. */
export function isWordLike(word: string): boolean {
  if (isKnownWord(word)) return true;
  const small = word.toLowerCase();
  if (small.length <= 2) return false;
  const seen = trigrams();
  let usual = 0;
  for (let at = 0; at + 3 <= small.length; at++) if (seen.has(small.slice(at, at + 3))) usual += 1;
  return usual >= (small.length - 2) * 0.6 && /[aeiouyäöüé]/.test(small);
}

let seenTrigrams: Set<string> | null = null;

function trigrams(): Set<string> {
  if (seenTrigrams !== null) return seenTrigrams;
  seenTrigrams = new Set();
  for (const word of words())
    for (let at = 0; at + 3 <= word.length; at++) seenTrigrams.add(word.slice(at, at + 3));
  return seenTrigrams;
}
