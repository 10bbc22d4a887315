// On which line of the file each line of a cell stands: code hosts show a notebook's JSON, and that is where a finding is
// shown. The text is read once more for it, because a parsed document has forgotten its lines.

type Tree =
  | { readonly kind: 'object'; readonly entries: ReadonlyMap<string, Tree> }
  | { readonly kind: 'array'; readonly items: readonly Tree[] }
  | { readonly kind: 'string'; readonly value: string; readonly line: number }
  | { readonly kind: 'other' };

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gs;

/** For each cell of the notebook, code or not: the lines of the file that its source lines stand on, counted from 1. */
export function sourceLines(text: string): number[][] {
  const root = new TreeReader(text).value();
  const cells = root.kind === 'object' ? root.entries.get('cells') : undefined;
  if (cells?.kind !== 'array') return [];
  return cells.items.map((cell) => linesOf(cell.kind === 'object' ? cell.entries.get('source') : undefined));
}

function linesOf(source: Tree | undefined): number[] {
  const pieces = source?.kind === 'array' ? source.items : source ? [source] : [];
  const lines: number[] = [];
  let inside = false;
  for (const piece of pieces) {
    if (piece.kind !== 'string') continue;
    // A source line may stand in several pieces, and a piece may hold several lines: a line is where it begins.
    for (const part of piece.value.split(/(?<=\n)/)) {
      if (!inside && part !== '') lines.push(piece.line);
      inside = part !== '' && !part.endsWith('\n');
    }
  }
  return lines;
}

/** Reads JSON that is known to be well formed. */
class TreeReader {
  readonly #tokens: IterableIterator<RegExpExecArray>;
  #next: string | undefined;
  #at = 0;
  #line = 1;

  constructor(private readonly text: string) {
    this.#tokens = text.matchAll(token);
    this.#advance();
  }

  value(): Tree {
    const text = this.#next;
    const line = this.#line;
    this.#advance();
    if (text === '{') return { kind: 'object', entries: this.#entries() };
    if (text === '[') return { kind: 'array', items: this.#items() };
    return text?.startsWith('"') ? { kind: 'string', value: JSON.parse(text), line } : { kind: 'other' };
  }

  #entries(): Map<string, Tree> {
    const entries = new Map<string, Tree>();
    while (this.#next !== undefined && this.#next !== '}') {
      const key = JSON.parse(this.#next);
      this.#advance();
      this.#advance();
      entries.set(key, this.value());
      if (this.#next === ',') this.#advance();
    }
    this.#advance();
    return entries;
  }

  #items(): Tree[] {
    const items: Tree[] = [];
    while (this.#next !== undefined && this.#next !== ']') {
      items.push(this.value());
      if (this.#next === ',') this.#advance();
    }
    this.#advance();
    return items;
  }

  #advance(): void {
    const match = this.#tokens.next().value;
    this.#next = match?.[0];
    if (!match) return;
    for (let at = this.text.indexOf('\n', this.#at); at !== -1 && at < match.index; ) {
      this.#line += 1;
      at = this.text.indexOf('\n', at + 1);
    }
    this.#at = match.index;
  }
}
