// CRC-32C (Castagnoli), which TensorBoard's record framing uses; Node offers only the other CRC-32. Slices eight
// bytes at a time: event files are mostly small records, and every byte of them is checked.

/** Eight tables of 256, one behind the other; made when the first event file is read. */
let slices: Int32Array | null = null;

function makeSlices(): Int32Array {
  const table = new Int32Array(8 * 256);
  for (let index = 0; index < 256; index++) {
    let crc = index;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
    table[index] = crc;
  }
  for (let index = 256; index < table.length; index++) {
    const previous = table[index - 256]!;
    table[index] = (previous >>> 8) ^ table[previous & 0xff]!;
  }
  return table;
}

/** Continues a running value: pass the previous result, 0 to begin. */
export function crc32c(bytes: Uint8Array, start: number, end: number, previous = 0): number {
  slices ??= makeSlices();
  const t = slices;
  let crc = ~previous;
  let at = start;
  for (; at + 8 <= end; at += 8) {
    crc ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    crc =
      t[0x700 | (crc & 0xff)]! ^
      t[0x600 | ((crc >>> 8) & 0xff)]! ^
      t[0x500 | ((crc >>> 16) & 0xff)]! ^
      t[0x400 | (crc >>> 24)]! ^
      t[0x300 | bytes[at + 4]!]! ^
      t[0x200 | bytes[at + 5]!]! ^
      t[0x100 | bytes[at + 6]!]! ^
      t[bytes[at + 7]!]!;
  }
  for (; at < end; at++) crc = (crc >>> 8) ^ t[(crc ^ bytes[at]!) & 0xff]!;
  return ~crc >>> 0;
}

/** The masked form TensorBoard stores. */
export function maskCrc(crc: number): number {
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}
