// CRC-32C (Castagnoli), which TensorBoard's record framing uses; Node offers only the other CRC-32. Slices eight
// bytes at a time: event files are mostly small records, and every byte of them is checked.

const tables = Array.from({ length: 8 }, () => new Int32Array(256));
for (let index = 0; index < 256; index++) {
  let crc = index;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  tables[0]![index] = crc;
}
for (let index = 0; index < 256; index++) {
  for (let slice = 1; slice < 8; slice++) {
    const previous = tables[slice - 1]![index]!;
    tables[slice]![index] = (previous >>> 8) ^ tables[0]![previous & 0xff]!;
  }
}
const [t0, t1, t2, t3, t4, t5, t6, t7] = tables as [
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
];

/** Continues a running value: pass the previous result, 0 to begin. */
export function crc32c(bytes: Uint8Array, start: number, end: number, previous = 0): number {
  let crc = ~previous;
  let at = start;
  for (; at + 8 <= end; at += 8) {
    crc ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    crc =
      t7[crc & 0xff]! ^
      t6[(crc >>> 8) & 0xff]! ^
      t5[(crc >>> 16) & 0xff]! ^
      t4[crc >>> 24]! ^
      t3[bytes[at + 4]!]! ^
      t2[bytes[at + 5]!]! ^
      t1[bytes[at + 6]!]! ^
      t0[bytes[at + 7]!]!;
  }
  for (; at < end; at++) crc = (crc >>> 8) ^ t0[(crc ^ bytes[at]!) & 0xff]!;
  return ~crc >>> 0;
}

/** The masked form TensorBoard stores. */
export function maskCrc(crc: number): number {
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}
