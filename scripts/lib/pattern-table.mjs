// The table of the bundle's patterns, which later-pattern.mjs reads: what they are made of, what words a text must have for them, and by which
// three letters these words are found.
import { next, trios } from './later-pattern.mjs';
import { beginningsOf, wordsOf } from './words-of-pattern.mjs';

/** `usual`: a text, to know which letters stand together seldom. */
export function tableOf(patterns, usual = '') {
  const counted = new Uint32Array(trios);
  for (const { trio } of triosOf(usual.toLowerCase())) counted[trio]++;
  const seldom = (word) =>
    triosOf(word).reduce((one, other) => (counted[other.trio] < counted[one.trio] ? other : one));
  const cost = (words) => words.reduce((sum, word) => sum + 1 + counted[seldom(word).trio], 0);

  const rows = patterns.map(({ source, flags }) => [
    source,
    flags,
    wordsOf({ source, flags }),
    beginningsOf({ source, flags }),
  ]);
  const told = new Map([[null, []]]);
  for (const [row, [, , needs]] of rows.entries())
    for (const word of (needs && tellingOf(needs, cost)) ?? [null])
      told.set(word, [...(told.get(word) ?? []), row]);
  const words = [...told.keys()].filter((word) => word !== null);
  const having = new Map();
  for (const [index, word] of words.entries()) {
    const { trio } = seldom(word);
    having.set(trio, [...(having.get(trio) ?? []), index]);
  }
  // The first list is of the patterns that no word tells of. Lists count from 1, and end with 0.
  const lists = [];
  const listed = (numbers) => lists.push(...numbers.map((number) => number + 1), 0) - numbers.length - 1;
  const [, ...patternsWith] = [null, ...words].map((word) => listed(told.get(word)));
  const wordsWith = new Uint16Array(trios);
  for (const [trio, some] of having) wordsWith[trio] = listed(some);

  const texts = rows.map((row) => Buffer.from(JSON.stringify(row)));
  const parts = [
    new Uint32Array(endsOf(texts)),
    new Uint32Array(endsOf(words)),
    wordsWith,
    new Uint16Array(words.map((word) => seldom(word).at)),
    new Uint16Array(patternsWith),
    new Uint16Array(lists),
    Buffer.from(words.join('')),
  ];
  const lengths = new Uint32Array(parts.map(({ length }) => length));
  return Buffer.concat([...[lengths, ...parts].map(bytesOf), ...texts]);
}

/** For each alternative, words of which every text of it has one, as seldom ones as can be; null where an alternative has none. */
function tellingOf(alternatives, cost) {
  const chosen = alternatives.map((all) =>
    all
      .map((one) => (typeof one === 'string' ? (one.length < 3 ? null : [one]) : tellingOf(one, cost)))
      .reduce(
        (best, words) => (best === null || (words !== null && cost(words) < cost(best)) ? words : best),
        null,
      ),
  );
  return chosen.includes(null) ? null : [...new Set(chosen.flat())];
}

/** With the places of their last letters. */
function triosOf(word) {
  const found = [];
  let trio = 0;
  for (let at = 0; at < word.length; at++) {
    trio = next(trio, word.charCodeAt(at));
    if (at > 1) found.push({ trio, at });
  }
  return found;
}

function endsOf(texts) {
  let end = 0;
  return texts.map(({ length }) => {
    end += length;
    return end;
  });
}

const bytesOf = ({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength);
