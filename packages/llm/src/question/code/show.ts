// A cell as it may be told: the tokens of its code, names that are plain, literals that are permitted. Comments and
// docstrings, magics and cells of other languages are told by their kind. Lines keep their numbers.
import { type Disclosure, kindOfText } from '@grus/core';
import { type Magic, type ParsedCell, parseCell } from '@grus/python';
import { lex, type StringToken, type Token } from './lexer.js';
import { type Permits, permitsOf } from './permits.js';

/** Something that was replaced, so that an edit that repeats the replacement can be undone. */
export interface Withheld {
  readonly line: number;
  readonly shown: string;
  readonly original: string;
}

export interface ShownCode {
  readonly lines: readonly string[];
  readonly withheld: readonly Withheld[];
}

const keywords = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global if ' +
    'import in is lambda nonlocal not or pass raise return try while with yield match case type self cls print'
  ).split(' '),
);
const widestIndent = 60;

/** `keys`: keys of live dicts, which a literal may name. */
export function showCode(source: string, disclosure: Disclosure, keys?: ReadonlySet<string>): ShownCode {
  const cell = parseCell(source);
  if (cell.foreign) return { lines: showForeign(cell), withheld: [] };
  return new Writer(cell, disclosure, permitsOf(cell, disclosure, keys)).write();
}

/** The identifiers that a cell's code holds; none of a text that is no Python. */
export function identifiersOf(source: string): string[] {
  const cell = parseCell(source);
  if (cell.foreign || cell.problem) return [];
  return [...lex(cell.python)].flatMap(({ kind, text }) => (kind === 'name' ? [text] : []));
}

function showForeign({ cellMagic, lines }: ParsedCell): string[] {
  const shown = lines.map(() => '');
  const first = (cellMagic?.line ?? 1) - 1;
  shown[first] =
    `%%${magicName(cellMagic)} <${Math.max(0, lines.length - first - 1)} lines of another language>`;
  return shown;
}

/** Names of magics that come with IPython; others were made by somebody. */
function magicName(magic: Magic | null): string {
  const known =
    /^(?:bash|sh|script|html|HTML|javascript|js|latex|markdown|svg|SVG|time|timeit|capture|env|set_env|matplotlib|pip|conda|cd|ls|load_ext|autoreload|writefile|file|run|sql|perl|ruby|python|python3|cython|R|prun|config|reset|who|whos|alias|system|sx)$/;
  return magic !== null && known.test(magic.name) ? magic.name : '<magic>';
}

function showMagic(magic: Magic): string {
  switch (magic.form) {
    case 'shell':
      return '!<command>';
    case 'help':
      return '?<name>';
    case 'autocall':
      return '<call>';
    default:
      return `${magic.form === 'cell' ? '%%' : '%'}${magicName(magic)}${magic.argument === '' ? '' : ' <argument>'}`;
  }
}

class Writer {
  readonly #withheld: Withheld[] = [];
  readonly #magics = new Map<string, Magic>();
  readonly #starts: readonly number[];
  /** Line of the token that is being written, counted from 1. */
  #line = 1;

  constructor(
    private readonly cell: ParsedCell,
    private readonly disclosure: Disclosure,
    private readonly permits: Permits,
  ) {
    for (const magic of cell.magics) this.#magics.set(`${magic.line}:${magic.column}`, magic);
    this.#starts = lineStarts(cell.python);
  }

  write(): ShownCode {
    const text = this.#tokens(0, this.cell.python.length);
    const lines = text.split('\n').map((line) => line.trimEnd());
    const { cellMagic } = this.cell;
    if (cellMagic) lines[cellMagic.line - 1] = showMagic(cellMagic);
    return { lines, withheld: this.#withheld };
  }

  #tokens(from: number, to: number): string {
    let shown = '';
    for (const token of lex(this.cell.python, from, to)) shown += this.#token(token);
    return shown;
  }

  #token(token: Token): string {
    const { line, column } = this.#placeOf(token.at);
    this.#line = line;
    switch (token.kind) {
      case 'space':
        return token.text === '\n' ? '\n' : this.#blank(token);
      case 'comment':
        return '';
      case 'operator':
        return token.text;
      case 'other':
        return '?';
      case 'name':
        return this.#name(token.text);
      case 'number': {
        const magic = this.#magics.get(`${line}:${column}`);
        return magic && token.text === '0' ? showMagic(magic) : this.#number(token.text, line, column);
      }
      case 'string':
        return this.#string(token, line, column);
    }
  }

  /** Indentation counts; between tokens a blank is a blank. */
  #blank({ text, at }: Token): string {
    const indent = at === 0 || this.cell.python[at - 1] === '\n';
    return indent ? text.replace(/\t/g, '        ').slice(0, widestIndent) : ' ';
  }

  #name(name: string): string {
    if (keywords.has(name)) return name;
    const strange = this.cell.problem !== null && !this.disclosure.isPublic(name);
    return this.#kept(strange ? this.disclosure.hiddenName(name) : this.disclosure.name(name), name);
  }

  #number(text: string, line: number, column: number): string {
    const value = numeric(text);
    if (value !== null && this.permits.number(line, column, value)) return text.slice(0, 40);
    return this.#kept('<number>', text);
  }

  #string(token: StringToken, line: number, column: number): string {
    const breaks = '\n'.repeat(token.text.split('\n').length - 1);
    const permitted = this.permits.text(line, column);
    if (permitted !== undefined && !/[bft]/.test(token.prefix))
      return this.#kept(permitted, token.text) + breaks;
    if (!/[ft]/.test(token.prefix) || token.parts.every(({ kind }) => kind === 'text')) {
      const length = token.parts.reduce((sum, { from, to }) => sum + to - from, 0);
      if (length === 0) return `''${breaks}`;
      const [part] = token.parts;
      const text = this.cell.python.slice(part!.from, part!.to);
      const kind = token.prefix.includes('b') ? `<bytes ${length}>` : kindOfText(text);
      return this.#kept(kind, token.text) + breaks;
    }
    return this.#formatted(token) + breaks;
  }

  /** The expressions of an f-string are code; the texts between them are literals. */
  #formatted(token: StringToken): string {
    const { line } = this.#placeOf(token.at);
    const parts = token.parts.map(({ kind, from, to }) => {
      if (kind === 'text') {
        const text = this.cell.python.slice(from, to);
        return text.trim().length <= 1 ? text.replace(/\s+/g, ' ') : `<str ${to - from}>`;
      }
      const colon = this.#formatAt(from, to);
      const format = this.cell.python.slice(colon + 1, to);
      const shownFormat = /^[<>^=+ ,#]{0,2}\d{0,3}(?:\.\d{1,2})?[a-zA-Z%]?$/.test(format)
        ? format
        : '<format>';
      return `{${this.#tokens(from, colon).replace(/\n/g, ' ')}${colon < to ? `:${shownFormat}` : ''}}`;
    });
    this.#line = line;
    return this.#kept(`f'${parts.join('')}'`, token.text);
  }

  /** Where the format of an expression starts, or its end. */
  #formatAt(from: number, to: number): number {
    let depth = 0;
    for (const { kind, text, at } of lex(this.cell.python, from, to)) {
      if (kind !== 'operator') continue;
      if ('([{'.includes(text)) depth += 1;
      else if (')]}'.includes(text)) depth -= 1;
      else if (text === ':' && depth === 0) return at;
    }
    return to;
  }

  #kept(shown: string, original: string): string {
    if (shown !== original) this.#withheld.push({ line: this.#line, shown, original });
    return shown;
  }

  /** Line and column in the cell itself, whose prompts and common indent `python` lacks. */
  #placeOf(at: number): { line: number; column: number } {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle]! <= at) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: at - this.#starts[low]! + (this.cell.shifts[low] ?? 0) };
  }
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function numeric(text: string): number | bigint | null {
  const digits = text
    .replaceAll('_', '')
    .replace(/[jJlL]$/, '')
    .toLowerCase();
  if (/^\d{16,}$/.test(digits)) return BigInt(digits.slice(0, 400));
  const value = Number(digits);
  return Number.isNaN(value) ? null : value;
}
