// A tolerant reader of Python's pprint output. It accepts every literal, adjacent string pieces, calls such as
// `torch.Size([3])`, reprs in angle brackets, bare names, ellipses and a text that stops half-way; it never throws.
import { readEscapes, unquotePrefix } from './strings.js';
import type { PyDict, PyInt, PyValue } from './value.js';

const number = /[+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?j?/y;
const name = /[A-Za-z_][\w.]*/y;
const stringStart = /([rRbBuUfF]{0,2})('''|"""|'|")/y;

const words = new Map<string, PyValue>([
  ['None', null],
  ['True', true],
  ['False', false],
  ['nan', { type: 'float', value: Number.NaN }],
  ['inf', { type: 'float', value: Number.POSITIVE_INFINITY }],
]);

export function readPprint(text: string): PyValue {
  return new Reader(text).value();
}

class Reader {
  private at = 0;

  constructor(private readonly text: string) {}

  value(): PyValue {
    this.space();
    const next = this.text[this.at];
    if (next === '{') return this.braces();
    if (next === '[' || next === '(') return this.sequence(next);
    if (next === '<') return { type: 'opaque', text: this.angles() };
    if (this.looksAt(stringStart)) return this.strings();
    const digits = this.take(number);
    if (digits !== undefined) return this.number(digits);
    if (this.text.startsWith('-inf', this.at)) {
      this.at += 4;
      return { type: 'float', value: Number.NEGATIVE_INFINITY };
    }
    const word = this.take(name);
    if (word !== undefined) return this.word(word);
    return { type: 'opaque', text: this.rest() };
  }

  private word(word: string): PyValue {
    if (this.text[this.at] === '(') return this.call(word);
    const known = words.get(word);
    return known !== undefined ? known : { type: 'opaque', text: word };
  }

  private number(digits: string): PyValue {
    const plain = digits.replaceAll('_', '');
    if (/^[+-]?\d+$/.test(plain)) return { type: 'int', value: Number(plain), digits: plain } satisfies PyInt;
    return { type: 'float', value: Number(plain.replace(/j$/, '')) };
  }

  /** Adjacent literals are one string, as in Python; pprint breaks long ones that way. */
  private strings(): string {
    let joined = '';
    while (this.looksAt(stringStart)) {
      const { raw, quote, length } = unquotePrefix(this.text, this.at);
      this.at += length;
      const end = this.closing(quote);
      const body = this.text.slice(this.at, end);
      joined += raw ? body : readEscapes(body);
      this.at = Math.min(this.text.length, end + quote.length);
      this.space();
    }
    return joined;
  }

  private closing(quote: string): number {
    for (let i = this.at; i < this.text.length; i++) {
      if (this.text[i] === '\\') i++;
      else if (this.text.startsWith(quote, i)) return i;
    }
    return this.text.length;
  }

  private sequence(open: '[' | '('): PyValue {
    this.at++;
    const close = open === '[' ? ']' : ')';
    const { items, cut, commas } = this.items(close);
    if (open === '(' && items.length === 1 && commas === 0 && !cut) return items[0]!;
    return { type: open === '[' ? 'list' : 'tuple', items, cut };
  }

  private items(close: string): { items: PyValue[]; cut: boolean; commas: number } {
    const items: PyValue[] = [];
    let cut = false;
    let commas = 0;
    for (;;) {
      this.space();
      if (this.at >= this.text.length) return { items, cut: true, commas };
      if (this.text[this.at] === close) {
        this.at++;
        return { items, cut, commas };
      }
      if (this.ellipsis()) cut = true;
      else if (this.text[this.at] === ',') {
        this.at++;
        commas++;
      } else items.push(this.element(close));
    }
  }

  /** A value, or, where the text goes on in a way no literal does, everything up to the next comma as one repr. */
  private element(close: string): PyValue {
    const start = this.at;
    const value = this.value();
    this.space();
    const next = this.text[this.at];
    if (next === undefined || next === ',' || next === close || next === ':') return value;
    this.at = start;
    return { type: 'opaque', text: this.rest() };
  }

  private braces(): PyValue {
    this.at++;
    const entries: [PyValue, PyValue][] = [];
    const members: PyValue[] = [];
    let cut = false;
    for (;;) {
      this.space();
      const next = this.text[this.at];
      if (next === undefined) {
        cut = true;
        break;
      }
      if (next === '}') {
        this.at++;
        break;
      }
      if (next === ',') this.at++;
      else if (this.ellipsis()) cut = true;
      else {
        const key = this.element('}');
        this.space();
        if (this.text[this.at] !== ':') members.push(key);
        else {
          this.at++;
          this.space();
          entries.push([key, this.element('}')]);
        }
      }
    }
    if (members.length > 0 && entries.length === 0) return { type: 'set', items: members, cut };
    return { type: 'dict', entries, cut } satisfies PyDict;
  }

  private call(callee: string): PyValue {
    this.at++;
    const args: PyValue[] = [];
    const keywords: Record<string, PyValue> = {};
    for (;;) {
      this.space();
      const next = this.text[this.at];
      if (next === undefined || next === ')') {
        this.at++;
        break;
      }
      if (next === ',') this.at++;
      else if (!this.ellipsis()) this.argument(args, keywords);
    }
    if (callee === 'set' && args.length === 0) return { type: 'set', items: [], cut: false };
    return { type: 'call', name: callee, args, keywords };
  }

  private argument(args: PyValue[], keywords: Record<string, PyValue>): void {
    const start = this.at;
    const keyword = this.take(name);
    if (keyword !== undefined && this.text[this.at] === '=') {
      this.at++;
      keywords[keyword] = this.element(')');
      return;
    }
    this.at = start;
    args.push(this.element(')'));
  }

  private angles(): string {
    const start = this.at;
    let depth = 0;
    for (; this.at < this.text.length; this.at++) {
      if (this.text[this.at] === '<') depth++;
      else if (this.text[this.at] === '>' && this.text[this.at - 1] !== '-' && --depth === 0) break;
    }
    this.at = Math.min(this.text.length, this.at + 1);
    return this.text.slice(start, this.at);
  }

  /** Everything up to a comma or a bracket that closes what surrounds it; always moves on. */
  private rest(): string {
    const start = this.at;
    let depth = 0;
    for (; this.at < this.text.length; this.at++) {
      const next = this.text[this.at]!;
      if ('([{'.includes(next)) depth++;
      else if (')]}'.includes(next) && --depth < 0) break;
      else if (next === ',' && depth === 0) break;
    }
    if (this.at === start) this.at++;
    return this.text.slice(start, this.at).trim();
  }

  private ellipsis(): boolean {
    if (!this.text.startsWith('...', this.at)) return false;
    this.at += 3;
    return true;
  }

  private space(): void {
    while (this.at < this.text.length && /\s/.test(this.text[this.at]!)) this.at++;
  }

  private looksAt(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    return pattern.test(this.text);
  }

  private take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (match === null) return undefined;
    this.at += match[0].length;
    return match[0];
  }
}
