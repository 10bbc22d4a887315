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

  const count = children.length;
  const next = new Uint32Array(count * width);
  const failure = new Uint32Array(count);
  const queue: number[] = [];
  for (const [symbol, child] of children[0]!) {
    next[symbol] = child;
    queue.push(child);
  }
  for (let head = 0; head < queue.length; head++) {
    const state = queue[head]!;
    const fallback = failure[state]!;
    flags[state] = flags[state]! | flags[fallback]!;
    for (let symbol = 0; symbol < width; symbol++) {
      const child = children[state]!.get(symbol);
      if (child === undefined) {
        next[state * width + symbol] = next[fallback * width + symbol]!;
      } else {
        failure[child] = next[fallback * width + symbol]!;
        next[state * width + symbol] = child;
        queue.push(child);
      }
    }
  }
  // State 1 stands for "just read a separator": it behaves like the root.
  for (let symbol = 0; symbol < width; symbol++) next[width + symbol] = next[symbol]!;
  for (let state = 0; state < count; state++) next[state * width + 1] = 1;
  const output = new Uint32Array(count);
  for (let state = 0; state < count; state++) output[state] = flags[state]! >>> 0;
  for (let index = 0; index < next.length; index++) {
    const target = next[index]!;
    next[index] = target * width + (output[target] === 0 ? 0 : hasOutput);
  }
  return { classes, next, output, width };
}
