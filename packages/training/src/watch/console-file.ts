// Keeps what a command prints in the run's directory, whole lines of one stream at a time, bounded: the beginning and the
// newest parts stay.
import { createReadStream, createWriteStream, renameSync, rmSync } from 'node:fs';
import { type FileHandle, mkdir, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

const consoleName = 'grus-console.log';
const partBytes = 64 * 2 ** 20;
const longestPending = 16 * 1024;
const newline = 0x0a;
const carriageReturn = 0x0d;

/** Puts the console of an earlier run in the same directory aside, compressed, so that it is not taken for this one's. */
async function archiveConsole(folder: string): Promise<void> {
  const path = join(folder, consoleName);
  const stats = await stat(path).catch(() => null);
  if (stats !== null && stats.size > 0) {
    const archive = `${path}.${Math.round(stats.mtimeMs / 1000)}.gz`;
    await pipeline(createReadStream(path), createGzip({ level: 1 }), createWriteStream(archive));
  }
  for (const old of [consoleName, partName(1), partName(2), partName(3)])
    await rm(join(folder, old), { force: true });
}

function partName(part: number): string {
  return consoleName.replace('.log', `.${part}.log`);
}

export class ConsoleFile {
  private pending: Record<'stdout' | 'stderr', Buffer> = {
    stdout: Buffer.alloc(0),
    stderr: Buffer.alloc(0),
  };
  private bytes = 0;
  private parts = 0;
  private queue: Promise<void> = Promise.resolve();

  private constructor(
    private readonly folder: string,
    private handle: FileHandle,
    private readonly limit: number,
  ) {}

  static async create(folder: string, limit = partBytes): Promise<ConsoleFile> {
    await mkdir(folder, { recursive: true });
    await archiveConsole(folder);
    return new ConsoleFile(folder, await open(join(folder, consoleName), 'a'), limit);
  }

  /** Lines of two streams never mix: a line waits for its end. */
  write(stream: 'stdout' | 'stderr', chunk: Buffer): void {
    const all = Buffer.concat([this.pending[stream], chunk]);
    const end = Math.max(all.lastIndexOf(newline), all.lastIndexOf(carriageReturn)) + 1;
    const cut = end === 0 && all.length > longestPending ? all.length : end;
    this.pending[stream] = Buffer.from(all.subarray(cut));
    if (cut > 0) this.append(Buffer.from(all.subarray(0, cut)));
  }

  async close(): Promise<void> {
    for (const stream of ['stdout', 'stderr'] as const) {
      const rest = this.pending[stream];
      if (rest.length > 0) this.append(Buffer.concat([rest, Buffer.from('\n')]));
    }
    await this.queue;
    await this.handle.close();
  }

  private append(bytes: Buffer): void {
    this.queue = this.queue.then(async () => {
      // A full disk must not end the run that is being watched.
      await this.handle.write(bytes).catch(() => undefined);
      this.bytes += bytes.length;
      if (this.bytes > this.limit) await this.turnPage();
    });
  }

  /** The first part is kept for good, the second and later ones make room for the newest. */
  private async turnPage(): Promise<void> {
    await this.handle.close();
    this.parts++;
    const current = join(this.folder, consoleName);
    if (this.parts <= 2) renameSync(current, join(this.folder, partName(this.parts)));
    else {
      rmSync(join(this.folder, partName(2)), { force: true });
      renameSync(current, join(this.folder, partName(2)));
    }
    this.handle = await open(current, 'a');
    this.bytes = 0;
  }
}
