// Which words a text must have for a pattern to match somewhere in it. Found when the bundle is made: a pattern that has none of
// its words in a text need not be compiled for it, and compiling takes far longer than matching.

/** Of the words that must all be there, the longest tell most, and short ones are in every text. */
const most = 4;
const short = 3;

/**
 * Alternatives, one of which the text has: each is the words in lower case that must all be there, and choices among more alternatives.
 * Null where nothing is certain.
 */
export function wordsOf({ source, flags }) {
  // There, letters beyond ASCII can stand for those within.
  return /[uv]/.test(flags) ? null : new Source(source).alternatives();
}

/** The letters of ASCII that a text may begin with for a pattern that matches at its beginning only; null where that is not certain. */
export function beginningsOf({ source, flags }) {
  const [, group, token] =
    /^\^(\((?:\?(?::|<\w+>))?)?(\\[dsw\W]|\[(?:[^\\\]]|\\.)+\]|[^\\[(.^$|*+?{)])(?![*?]|\{0)/.exec(source) ??
    [];
  if (token === undefined || /[muv]/.test(flags)) return null;
  // None where there is a choice beside that letter, or in its group, or where the group may be absent.
  let depth = 0;
  let inGroup = group !== undefined;
  for (const { 0: part, index } of source.matchAll(/\\.|\[(?:[^\\\]]|\\.)*\]|[()|]/g)) {
    if (part === '(') depth++;
    if (part === ')') depth--;
    if (part === '|' && depth < (inGroup ? 2 : 1)) return null;
    if (part === ')' && inGroup && depth === 0) {
      if ('*?{'.includes(source[index + 1] ?? ' ')) return null;
      inGroup = false;
    }
  }
  const letter = new RegExp(`^${token}$`, flags.replace('g', ''));
  return Array.from({ length: 128 }, (_, code) => String.fromCharCode(code))
    .filter((one) => letter.test(one))
    .join('');
}

class Source {
  #text;
  #at = 0;

  constructor(text) {
    this.#text = text;
  }

  /** Up to the end, or the bracket that closes the group. */
  alternatives() {
    const found = [];
    for (let more = true; more; more = this.#take('|')) found.push(this.#sequence());
    return found.every(({ length }) => length > 0) ? found : null;
  }

  /** What one alternative needs. A letter is text, a group is alternatives, and null says nothing about the text. */
  #sequence() {
    const needed = [];
    let word = '';
    const endWord = () => {
      if (word !== '') needed.push(word);
      word = '';
    };
    while (this.#at < this.#text.length && !'|)'.includes(this.#text[this.#at])) {
      const part = this.#part();
      const times = this.#times();
      const isLetter = typeof part === 'string';
      if (isLetter && times !== 'perhaps') word += part;
      if (!isLetter || times !== 'once') endWord();
      if (isLetter || part === null || times === 'perhaps') continue;
      if (part.length === 1) needed.push(...part[0]);
      else needed.push(part);
    }
    endWord();
    const longest = [...new Set(needed)]
      .toSorted((one, other) => leastOf(other) - leastOf(one))
      .slice(0, most);
    return longest.filter((one, rank) => rank === 0 || typeof one !== 'string' || one.length >= short);
  }

  #part() {
    const character = this.#text[this.#at++];
    if (character === '\\') return this.#escaped();
    if (character === '[') return this.#class();
    if (character === '(') return this.#group();
    return '.^$'.includes(character) ? null : letter(character);
  }

  #escaped() {
    const character = this.#text[this.#at++];
    if (!/[a-z\d]/i.test(character)) return letter(character);
    if (character === 'x') this.#at += 2;
    else if (character === 'u') this.#at += 4;
    else if (character === 'c') this.#at += 1;
    else if (character === 'k') this.#skipTo('>');
    else while (/\d/.test(character) && /\d/.test(this.#text[this.#at] ?? '')) this.#at++;
    return null;
  }

  #class() {
    while (this.#text[this.#at] !== ']') this.#at += this.#text[this.#at] === '\\' ? 2 : 1;
    this.#at++;
    return null;
  }

  #group() {
    const [, looks] = /^\?<?([=!])/.exec(this.#text.slice(this.#at, this.#at + 3)) ?? [];
    if (this.#take('?') && !this.#take(':')) this.#skipTo(looks ?? '>');
    const words = this.alternatives();
    this.#at++;
    return looks === '!' ? null : words;
  }

  #times() {
    if (!'*?+{'.includes(this.#text[this.#at] ?? ' ')) return 'once';
    const [all, fewest] = /^(?:[*?+]|\{(\d+)(?:,\d*)?\})\??/.exec(this.#text.slice(this.#at)) ?? [];
    if (all === undefined) return 'once';
    this.#at += all.length;
    return '*?'.includes(all[0]) || Number(fewest ?? 1) === 0 ? 'perhaps' : 'repeated';
  }

  #skipTo(end) {
    this.#at = this.#text.indexOf(end, this.#at) + 1;
  }

  #take(character) {
    const isNext = this.#text[this.#at] === character;
    if (isNext) this.#at++;
    return isNext;
  }
}

/** Beyond ASCII, more than two letters can be one another's small and capital. Tabs and ends of lines stand between words. */
function letter(character) {
  if (character < ' ') return null;
  const [small, capital] = [character.toLowerCase(), character.toUpperCase()];
  return character > '\x7f' && small !== capital ? null : small;
}

/** How long the words are that an alternative offers at least. */
function leastOf(needed) {
  if (typeof needed === 'string') return needed.length;
  return Math.min(...needed.map((all) => Math.max(...all.map(leastOf))));
}
