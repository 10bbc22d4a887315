// Compressed logs, recognised by their first bytes whatever they are called. Unpacked as they stream: nothing is held whole, and what a
// cut or damaged file still gave is kept.

export type Compression = 'gzip' | 'zstd';

export function compressionOf(head: Buffer): Compression | null {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
  if (head.length >= 4 && head.readUInt32LE(0) === 0xfd2fb528) return 'zstd';
  return null;
}

/** What is left of a name once the suffix of its compression is off: "train.log.gz" is read as "train.log". */
export function uncompressedName(path: string): string {
  return path.replace(/\.(?:gz|zst)$/i, '');
}

/** The unpacked bytes; `onBroken` is told when the end of the file cannot be unpacked. */
export async function* unpacked(
  chunks: AsyncIterable<Buffer>,
  compression: Compression,
  onBroken: (reason: string) => void,
): AsyncGenerator<Buffer> {
  try {
    yield* compression === 'gzip' ? gunzipped(chunks) : zstdUnpacked(chunks);
  } catch (error) {
    onBroken((error as Error).message);
  }
}

async function* gunzipped(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  // Loaded for the first such file: most runs have none, and starting must be quick.
  const [{ Readable }, { createGunzip }] = await Promise.all([import('node:stream'), import('node:zlib')]);
  const packed = Readable.from(copies(chunks), { objectMode: false });
  const gunzip = createGunzip({ chunkSize: 256 * 1024 });
  packed.on('error', (error) => gunzip.destroy(error));
  for await (const chunk of packed.pipe(gunzip)) yield chunk as Buffer;
}

async function* zstdUnpacked(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const { Decompress } = await import('fzstd');
  let ready: Buffer[] = [];
  const decompress = new Decompress((data) => ready.push(Buffer.from(data)));
  for await (const chunk of chunks) {
    // Small pieces, so that what one piece unpacks to stays small as well.
    for (let at = 0; at < chunk.length; at += 64 * 1024) {
      decompress.push(Buffer.from(chunk.subarray(at, at + 64 * 1024)));
      yield* ready;
      ready = [];
    }
  }
  decompress.push(new Uint8Array(0), true);
  yield* ready;
}

/** Readers reuse their buffers; a stream that reads ahead needs its own. */
async function* copies(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield Buffer.from(chunk);
}
