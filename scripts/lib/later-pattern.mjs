// Stand for the regular expressions of the bundle. One is compiled when a text has the words that it needs: of some thousand patterns,
// a short log needs a few dozen. Without the flags y and d, so that one object can serve all calls.

/** Of more texts than this, a compiled pattern is quicker than its words. */
const fewTexts = 100;

/** So much of the texts is looked through once for all patterns: most texts are lines of one that came before. */
const kept = 2 ** 14;

/** Three neighbouring letters, as they are numbered in a table. Small and capital ones are the same. */
export const trios = 2 ** 15;
export const next = (trio, letter) => ((trio << 5) | (letter & 31)) & (trios - 1);

/** What makes the patterns of a table, which pattern-table.mjs wrote, by their numbers. It is read when the first is tried. */
export function patternsOf(read) {
  const table = new Table(read);
  return (number) => new LaterPattern(table, number);
}

class Table {
  constructor(read) {
    this.read = read;
    this.rows = [];
    /** By pattern: whether a text was seen that it may match. Null before the table was read. */
    this.possible = null;
    /** The texts that were looked through, apart and together. */
    this.texts = new Set();
    this.all = '';
    /** Most patterns are tried on the same text as the one before. */
    this.last = null;
  }

  open() {
    this.bytes = this.read();
    const lengths = new Uint32Array(this.bytes.buffer, 0, 7);
    let at = lengths.byteLength;
    const part = (index, Numbers) => {
      const numbers = new Numbers(this.bytes.buffer, at, lengths[index]);
      at += numbers.byteLength;
      return numbers;
    };
    this.rowEnds = part(0, Uint32Array);
    this.wordEnds = part(1, Uint32Array);
    this.wordsWith = part(2, Uint16Array);
    this.placeIn = part(3, Uint16Array);
    this.patternsWith = part(4, Uint16Array);
    this.lists = part(5, Uint16Array);
    this.rowsAt = at + lengths[6];
    this.words = this.bytes.toString('utf8', at, this.rowsAt);
    this.found = new Uint8Array(this.wordEnds.length);
    this.possible = new Uint8Array(this.rowEnds.length);
    this.mark(0);
  }

  /** `[source, flags, needs, beginnings]` of a pattern. */
  row(number) {
    if (this.possible === null) this.open();
    const start = number === 0 ? 0 : this.rowEnds[number - 1];
    this.rows[number] ??= JSON.parse(
      this.bytes.utf8Slice(this.rowsAt + start, this.rowsAt + this.rowEnds[number]),
    );
    return this.rows[number];
  }

  /** False where what was seen so far tells that the text is none for the pattern. */
  isPossible(number, text) {
    if (this.possible === null) this.open();
    if (this.possible[number] === 1) return true;
    if (text === this.last) return false;
    if (!this.texts.has(text)) {
      if (this.all.length + text.length > kept) return true;
      this.lookThrough(text);
    }
    this.last = text;
    return this.possible[number] === 1;
  }

  lookThrough(text) {
    this.texts.add(text);
    const lower = text.toLowerCase();
    if (this.all.includes(lower)) return;
    this.all += `\n${lower}`;
    let trio = 0;
    for (let at = 0; at < lower.length; at++) {
      trio = next(trio, lower.charCodeAt(at));
      const list = this.wordsWith[trio];
      if (list !== 0) this.find(list, lower, at);
    }
  }

  /** Which of the words stand here, and have not been found before. */
  find(list, lower, place) {
    for (let at = list; this.lists[at] !== 0; at++) {
      const word = this.lists[at] - 1;
      if (this.found[word] === 1) continue;
      const text = this.words.slice(word === 0 ? 0 : this.wordEnds[word - 1], this.wordEnds[word]);
      if (!lower.startsWith(text, place - this.placeIn[word])) continue;
      this.found[word] = 1;
      this.mark(this.patternsWith[word]);
    }
  }

  mark(list) {
    for (let at = list; this.lists[at] !== 0; at++) this.possible[this.lists[at] - 1] = 1;
  }
}

class LaterPattern {
  constructor(table, number) {
    this.table = table;
    this.number = number;
    this.tried = 0;
    this.compiled = null;
  }

  get source() {
    return this.table.row(this.number)[0];
  }

  test(text) {
    return this.isWorthTrying(text) && this.compiled.test(text);
  }

  exec(text) {
    return this.isWorthTrying(text) ? this.compiled.exec(text) : null;
  }

  get lastIndex() {
    return this.compiled === null ? 0 : this.compiled.lastIndex;
  }

  set lastIndex(place) {
    this.compile().lastIndex = place;
  }

  get flags() {
    return this.table.row(this.number)[1];
  }

  [Symbol.match](text) {
    return this.isWorthTrying(text) ? text.match(this.compiled) : null;
  }

  [Symbol.matchAll](text) {
    return this.isWorthTrying(text) ? text.matchAll(this.compiled) : [].values();
  }

  [Symbol.search](text) {
    return this.isWorthTrying(text) ? text.search(this.compiled) : -1;
  }

  [Symbol.replace](text, by) {
    return this.isWorthTrying(text) ? text.replace(this.compiled, by) : text;
  }

  [Symbol.split](text, limit) {
    return this.isWorthTrying(text) ? text.split(this.compiled, limit) : [text].slice(0, limit);
  }

  /** Compiles it then. */
  isWorthTrying(text) {
    if (this.compiled !== null) return true;
    if (typeof text === 'string' && this.tried++ < fewTexts) {
      if (!this.table.isPossible(this.number, text)) return false;
      const [, , needs, beginnings] = this.table.row(this.number);
      if (beginnings !== null && text.charCodeAt(0) < 128 && !beginnings.includes(text[0])) return false;
      if (needs !== null && !hasOneOf(needs, text.toLowerCase())) return false;
    }
    this.compile();
    return true;
  }

  compile() {
    if (this.compiled === null) {
      const [source, flags] = this.table.row(this.number);
      this.compiled = new RegExp(source, flags);
    }
    return this.compiled;
  }
}

/** Of alternatives, each of which is words that must all be there, and choices among more of them. */
function hasOneOf(alternatives, lower) {
  return alternatives.some((all) =>
    all.every((one) => (typeof one === 'string' ? lower.includes(one) : hasOneOf(one, lower))),
  );
}
