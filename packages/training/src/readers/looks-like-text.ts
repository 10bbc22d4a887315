// Tells text from binary by its first bytes, and UTF-16 from the rest: PowerShell redirects write UTF-16.

export function textEncoding(head: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const size = Math.min(head.length, 512) & ~1;
  if (size < 8) return 'utf-8';
  let evenZeros = 0;
  let oddZeros = 0;
  for (let at = 0; at < size; at += 2) {
    if (head[at] === 0) evenZeros++;
    if (head[at + 1] === 0) oddZeros++;
  }
  const half = size / 2;
  if (oddZeros > half * 0.7 && evenZeros < half * 0.1) return 'utf-16le';
  if (evenZeros > half * 0.7 && oddZeros < half * 0.1) return 'utf-16be';
  return 'utf-8';
}

/** An empty file is text. A few control characters are too; many, or zeros, are not. */
export function looksLikeText(head: Buffer): boolean {
  if (textEncoding(head) !== 'utf-8') return true;
  const size = Math.min(head.length, 8192);
  let odd = 0;
  for (let at = 0; at < size; at++) {
    const byte = head[at]!;
    if (byte === 0) odd += 8;
    else if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d && byte !== 0x08 && byte !== 0x1b)
      odd++;
  }
  return odd <= size * 0.1;
}
