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

  const children: Map<number, number>[] = [new Map(), new Map()];
  const flags: number[] = [0, lineEnd];
  for (const { bytes, flag } of encoded) {
    let state = 0;
    for (const byte of bytes) {
      const symbol = classes[byte]!;
      let child = children[state]!.get(symbol);
      if (child === undefined) {
        child = children.length;
        children.push(new Map());
        flags.push(0);
        children[state]!.set(symbol, child);
      }
      state = child;
    }
    flags[state] = flags[state]! | flag;
  }

  const next = new Uint32Array(children.length * width);
  const failure = new Uint32Array(children.length);
  const queue: number[] = [];
  /** A word that ends in a state also ends where a longer one passes: what was found on the way is taken along. */
  const enter = (child: number, shorter: number): number => {
    failure[child] = shorter;
    flags[child] = flags[child]! | flags[shorter]!;
    queue.push(child);
    return child * width + (flags[child] === 0 ? 0 : hasOutput);
  };
  next[1] = width + hasOutput;
  for (const [symbol, child] of children[0]!) next[symbol] = enter(child, 0);
  for (let head = 0; head < queue.length; head++) {
    const state = queue[head]!;
    const fallback = failure[state]! * width;
    next.copyWithin(state * width, fallback, fallback + width);
    for (const [symbol, child] of children[state]!)
      next[state * width + symbol] = enter(child, (next[fallback + symbol]! & ~hasOutput) / width);
  }
  // State 1 stands for "just read a separator": it behaves like the root.
  next.copyWithin(width, 0, width);
  return { classes, next, output: Uint32Array.from(flags), width };
}
