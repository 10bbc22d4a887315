// One pass over bytes that finds any of many words (Aho-Corasick, ASCII letters without case) and, in the same
// pass, the ends of lines. Regular expressions per line would cost more than everything else together.

export interface KeywordAutomaton {
  readonly classes: Uint8Array;
  /** By state plus class. States are pre-multiplied by `width`; `hasOutput` is added where `output` is not 0. */
  readonly next: Uint32Array;
  /** By state divided by `width`: the flags of the words that end there; `lineEnd` where a separator was read. */
  readonly output: Uint32Array;
  readonly width: number;
}

export const lineEnd = 0x80000000;
export const hasOutput = 0x40000000;

/** `words`: each with its flag bits (below the top bit). `separators`: bytes that end a line and reset the search. */
export function buildAutomaton(
  words: ReadonlyMap<string, number>,
  separators: readonly number[],
): KeywordAutomaton {
  const encoded = [...words].map(([word, flag]) => ({ bytes: Buffer.from(word.toLowerCase()), flag }));
  const classes = new Uint8Array(256);
  let width = 2;
  for (const { bytes } of encoded) {
    for (const byte of bytes) {
      if (classes[byte] !== 0) continue;
      classes[byte] = width;
      if (byte >= 0x61 && byte <= 0x7a) classes[byte - 32] = width;
      width++;
    }
  }
  for (const separator of separators) classes[separator] = 1;

  // A tree in plain arrays: thousands of small maps take longer to make than to fill.
  const most = encoded.reduce((sum, { bytes }) => sum + bytes.length, 2);
  const [firstChild, sibling, symbols] = [new Uint32Array(most), new Uint32Array(most), new Uint8Array(most)];
  const flags: number[] = [0, lineEnd];
  for (const { bytes, flag } of encoded) {
    let state = 0;
    for (const byte of bytes) {
      const symbol = classes[byte]!;
      let child = firstChild[state]!;
      while (child !== 0 && symbols[child] !== symbol) child = sibling[child]!;
      if (child === 0) {
        child = flags.push(0) - 1;
        symbols[child] = symbol;
        sibling[child] = firstChild[state]!;
        firstChild[state] = child;
      }
      state = child;
    }
    flags[state] = flags[state]! | flag;
  }

  const next = new Uint32Array(flags.length * width);
  const failure = new Uint32Array(flags.length);
  const queue: number[] = [];
  /** A word that ends in a state also ends where a longer one passes: what was found on the way is taken along. */
  const enter = (child: number, shorter: number): number => {
    failure[child] = shorter;
    flags[child] = flags[child]! | flags[shorter]!;
    queue.push(child);
    return child * width + (flags[child] === 0 ? 0 : hasOutput);
  };
  next[1] = width + hasOutput;
  for (let child = firstChild[0]!; child !== 0; child = sibling[child]!)
    next[symbols[child]!] = enter(child, 0);
  for (let head = 0; head < queue.length; head++) {
    const state = queue[head]!;
    const fallback = failure[state]! * width;
    next.copyWithin(state * width, fallback, fallback + width);
    for (let child = firstChild[state]!; child !== 0; child = sibling[child]!) {
      const symbol = symbols[child]!;
      next[state * width + symbol] = enter(child, (next[fallback + symbol]! & ~hasOutput) / width);
    }
  }
  // State 1 stands for "just read a separator": it behaves like the root.
  next.copyWithin(width, 0, width);
  return { classes, next, output: Uint32Array.from(flags), width };
}
