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

/** Readable signs in a row that no binary holds by chance. */
const longRun = 24;

/**
 * An empty file is text. A few control characters are too; many, or zeros, are not, unless nearly everything else stands in long rows of
 * readable signs: a program that died while it wrote leaves some bytes of anything in its log.
 */
export function looksLikeText(head: Buffer): boolean {
  if (textEncoding(head) !== 'utf-8') return true;
  const size = Math.min(head.length, 8192);
  let odd = 0;
  let run = 0;
  let readable = 0;
  for (let at = 0; at < size; at++) {
    const byte = head[at]!;
    const isControl =
      byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d && byte !== 0x08 && byte !== 0x1b;
    if (isControl) odd += byte === 0 ? 8 : 1;
    run = isControl || byte >= 0x7f ? 0 : run + 1;
    if (run === longRun) readable += longRun;
    else if (run > longRun) readable++;
  }
  return odd <= size * 0.1 || readable >= size * 0.8;
}
