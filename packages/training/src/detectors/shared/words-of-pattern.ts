// Whether a pattern is worth trying. Most are tried on one short text, and compiling them takes far longer than matching: one that
// has none of its words in the text is not compiled.

/** Shorter ones are in every text. */
const shortest = 3;

const known = new Map<string, readonly string[] | null>();
let last = { text: '', lower: '' };

/** False only where the pattern matches nowhere in the text. */
export function mayMatch(pattern: RegExp, text: string): boolean {
  const words = known.has(pattern.source) ? (known.get(pattern.source) ?? null) : wordsOf(pattern);
  known.set(pattern.source, words);
  if (words === null) return true;
  if (last.text !== text) last = { text, lower: text.toLowerCase() };
  const { lower } = last;
  return words.some((word) => lower.includes(word));
}

/** Words in lower case, of which one is in every text that the pattern matches; null where none are certain. */
export function wordsOf({ source, flags }: RegExp): readonly string[] | null {
  // There, letters beyond ASCII can stand for those within.
  return /[uv]/.test(flags) ? null : new Source(source).alternatives();
}

/** A letter, the words of a group, or null for what says nothing about the text. */
type Part = string | readonly string[] | null;

class Source {
  #at = 0;

  constructor(private readonly text: string) {}

  /** Up to the end, or the bracket that closes the group. */
  alternatives(): readonly string[] | null {
    const words: string[] = [];
    let certain = true;
    for (let more = true; more; more = this.#take('|')) {
      const found = this.#sequence();
      words.push(...found);
      certain &&= found.length > 0;
    }
    return certain ? words : null;
  }

  /** The longest word of one alternative, or those of a group in it. */
  #sequence(): readonly string[] {
    let best: readonly string[] = [];
    let word = '';
    const offer = (words: readonly string[]) => {
      if (least(words) >= shortest && least(words) > least(best)) best = words;
    };
    const endWord = () => {
      offer([word]);
      word = '';
    };
    while (this.#at < this.text.length && !'|)'.includes(this.text[this.#at]!)) {
      const part = this.#part();
      const times = this.#times();
      const isLetter = typeof part === 'string';
      if (isLetter && times !== 'perhaps') word += part;
      if (!isLetter || times !== 'once') endWord();
      if (!isLetter && part !== null && times !== 'perhaps') offer(part);
    }
    endWord();
    return best;
  }

  #part(): Part {
    const character = this.text[this.#at++]!;
    if (character === '\\') return this.#escaped();
    if (character === '[') return this.#class();
    if (character === '(') return this.#group();
    return '.^$'.includes(character) || character > '\x7f' ? null : character.toLowerCase();
  }

  #escaped(): Part {
    const character = this.text[this.#at++]!;
    if (!/[a-z\d]/i.test(character)) return character > '\x7f' ? null : character;
    if (character === 'x') this.#at += 2;
    else if (character === 'u') this.#at += 4;
    else if (character === 'c') this.#at += 1;
    else if (character === 'k') this.#skipTo('>');
    else while (/\d/.test(character) && /\d/.test(this.text[this.#at] ?? '')) this.#at++;
    return null;
  }

  #class(): null {
    while (this.text[this.#at] !== ']') this.#at += this.text[this.#at] === '\\' ? 2 : 1;
    this.#at++;
    return null;
  }

  #group(): Part {
    const looks = /^\?<?[=!]/.test(this.text.slice(this.#at, this.#at + 3));
    if (this.#take('?') && !this.#take(':')) this.#skipTo(looks ? this.text[this.#at]! : '>');
    const words = this.alternatives();
    this.#at++;
    return looks ? null : words;
  }

  #times(): 'once' | 'perhaps' | 'repeated' {
    if (!'*?+{'.includes(this.text[this.#at] ?? ' ')) return 'once';
    const [all, least] = /^(?:[*?+]|\{(\d+)(?:,\d*)?\})\??/.exec(this.text.slice(this.#at)) ?? [];
    if (all === undefined) return 'once';
    this.#at += all.length;
    return '*?'.includes(all[0]!) || Number(least ?? 1) === 0 ? 'perhaps' : 'repeated';
  }

  #skipTo(end: string): void {
    this.#at = this.text.indexOf(end, this.#at) + 1;
  }

  #take(character: string): boolean {
    const isNext = this.text[this.#at] === character;
    if (isNext) this.#at++;
    return isNext;
  }
}

function least(words: readonly string[]): number {
  return words.length === 0 ? 0 : Math.min(...words.map(({ length }) => length));
}
