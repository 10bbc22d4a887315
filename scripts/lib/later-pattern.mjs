// Stands for a regular expression in the bundle. It is compiled when a text has the words that it needs: of some thousand patterns,
// a short log needs a few dozen. Without flags that keep a place in the text (g, y), so that one object can serve all calls.

/** Of more texts than this, a compiled pattern is quicker than its words. */
const fewTexts = 100;

let last = '';
let lower = '';

export class LaterPattern {
  /** `needs`: JSON of what words-of-pattern.mjs found, or nothing. */
  constructor(source, flags, needs) {
    this.source = source;
    this.flags = flags;
    this.needs = needs;
    this.words = null;
    this.tried = 0;
    this.compiled = null;
  }

  test(text) {
    return this.isWorthTrying(text) && this.compiled.test(text);
  }

  exec(text) {
    return this.isWorthTrying(text) ? this.compiled.exec(text) : null;
  }

  [Symbol.match](text) {
    return this.exec(text);
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
      if (text !== last) {
        last = text;
        lower = text.toLowerCase();
      }
      this.words ??= JSON.parse(this.needs);
      if (!hasOneOf(this.words)) return false;
    }
    this.compiled = new RegExp(this.source, this.flags);
    return true;
  }
}

function hasOneOf(alternatives) {
  for (const all of alternatives) if (hasAll(all)) return true;
  return false;
}

function hasAll(needed) {
  for (const one of needed) if (typeof one === 'string' ? !lower.includes(one) : !hasOneOf(one)) return false;
  return true;
}
