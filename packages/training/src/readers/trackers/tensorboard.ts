// TensorBoard event files are recognised here; what reads them is loaded with the first one.

import { crc32c, maskCrc } from '../bytes/crc32c.js';
import { defineReader } from '../reader.js';

export const tensorboard = defineReader({
  id: 'tensorboard',
  title: 'TensorBoard event file',
  place: 'offset',
  fidelity: 10,
  matches: ({ name, bytes }) => name.includes('tfevents') || startsWithEvent(bytes),
  open: async (record) => new (await import('./event-file.js')).EventFileParser(record),
});

function startsWithEvent(bytes: Buffer): boolean {
  if (bytes.length < 24) return false;
  const length = bytes.readUInt32LE(0);
  return (
    bytes.readUInt32LE(4) === 0 &&
    length < 4096 &&
    maskCrc(crc32c(bytes, 0, 8)) === bytes.readUInt32LE(8) &&
    bytes.subarray(12, 12 + length).includes('brain.Event:')
  );
}
