// Stands for a regular expression in the bundle. It is compiled when a text has the words that it needs: of some thousand patterns,
// a short log needs a few dozen. Without the flags y and d, so that one object can serve all calls.

/** Of more texts than this, a compiled pattern is quicker than its words. */
const fewTexts = 100;

/** So much of the texts is kept together, to look for the words of a pattern once: most texts are lines of one that came before. */
const kept = 2 ** 14;

let all = '';
const parts = new Set();

export class LaterPattern {
  /** `needs`: what words-of-pattern.mjs found, or nothing: a line for each alternative, tabs between words that must all be there. */
  constructor(source, flags, needs) {
    this.source = source;
    this.flags = flags;
    this.needs = needs;
    this.words = null;
    /** Of the words, what the texts have that are kept, as far as they were looked through. */
    this.found = null;
    this.looked = 0;
    this.tried = 0;
    this.compiled = null;
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
    if (this.needs !== '' && typeof text === 'string' && this.tried++ < fewTexts) {
      this.words ??= this.needs.split('\n');
      if (!hasOneOf(isPart(text) ? this.wordsFound() : this.words, text)) return false;
    }
    this.compile();
    return true;
  }

  wordsFound() {
    this.found ??= [];
    if (this.looked < all.length) {
      const fresh = all.slice(this.looked);
      this.looked = all.length;
      for (const words of this.words)
        if (hasAll(words, fresh) && !this.found.includes(words)) this.found.push(words);
    }
    return this.found;
  }

  compile() {
    this.compiled ??= new RegExp(this.source, this.flags);
    return this.compiled;
  }
}

/** Whether what the kept texts have tells what this one may have. */
function isPart(text) {
  if (parts.has(text)) return true;
  if (all.length + text.length > kept) return false;
  parts.add(text);
  const lower = text.toLowerCase();
  // Lines that came one by one may have been looked through apart: a text of several counts as a new one.
  if (lower.includes('\n') || !all.includes(lower)) all += `\n${lower}`;
  return true;
}

function hasOneOf(alternatives, text) {
  if (alternatives.length === 0) return false;
  const lower = text.toLowerCase();
  return alternatives.some((words) => hasAll(words, lower));
}

function hasAll(words, lower) {
  return words.includes('\t')
    ? words.split('\t').every((word) => lower.includes(word))
    : lower.includes(words);
}
