// Inputs of any size: time grows with the bytes, and what a text holds no line break to end is not kept.
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readFiles } from '../../src/readers/index.js';

const megabyte = 1024 * 1024;

async function read(chunks: Iterable<Buffer>) {
  const file = { path: 'stdin', absolute: '-', size: 0, modified: 0, stream: Readable.from(chunks) };
  return readFiles({ path: '-', files: [file] }, { single: true });
}

function* times(count: number, chunk: Buffer): Generator<Buffer> {
  for (let at = 0; at < count; at++) yield chunk;
}

describe('large input', () => {
  it.each([
    ['one line without an end', Buffer.alloc(megabyte, 'a')],
    ['a quoted line without an end', Buffer.from(`> ${'a'.repeat(megabyte)}`)],
    ['capitals that could be an error', Buffer.alloc(megabyte, 'AError')],
    ['brackets', Buffer.alloc(megabyte, '[')],
    ['returns', Buffer.alloc(megabyte, 'x\r')],
  ])('%s is read, and its memory given back', async (_name, chunk) => {
    const before = process.memoryUsage().heapUsed;
    const record = await read(times(24, chunk));
    expect(record.text.lines.length).toBeLessThan(3000);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(250 * megabyte);
  });

  it('keeps the first error and the last lines of a long log', async () => {
    const steps = Buffer.from(
      Array.from({ length: 20_000 }, (_, step) => `step ${step} loss 1.0\n`).join(''),
    );
    const error = Buffer.from('[rank0]: RuntimeError: CUDA error: device-side assert triggered\n');
    const record = await read([error, ...times(60, steps), Buffer.from('the end\n')]);
    expect(record.tracebacks[0]?.chain[0]?.type).toBe('RuntimeError');
    expect(record.text.lines.at(-1)?.text).toBe('the end');
    expect(record.text.files[0]?.lines).toBe(2 + 60 * 20_000);
  });
});
