// Follows a run while it is written: reads only what was added, starts a rewritten file again, finds new files.
// Memory stays bounded for as long as the run lasts.
import { open, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunRecord } from '../record/run-record.js';
import { assembleRecord } from './collect/assemble.js';
import { FileRecord } from './collect/file-record.js';
import { PointBudget } from './collect/series-builder.js';
import { fidelityOf, filesOf, readerFor, readHead } from './read-run.js';
import type { Parser, Reader } from './reader.js';
import type { FoundFile } from './walk.js';

const chunkBytes = 1024 * 1024;

export interface FollowRunOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds between looks; 1000 by default. */
  readonly intervalMs?: number;
}

interface Followed {
  readonly record: FileRecord;
  readonly reader: Reader;
  readonly parser: Parser | null;
  offset: number;
  modified: number;
}

/** Keeps what was read of a run's files between looks. */
export class RunFollower {
  private readonly followed = new Map<string, Followed>();
  private readonly budget = new PointBudget();

  constructor(private readonly path: string) {}

  /** Reads what is new; the record when anything was, else null. */
  async poll(signal?: AbortSignal): Promise<RunRecord | null> {
    let changed = false;
    const files = await filesOf(this.path, signal);
    const present = new Set(files.map((file) => file.path));
    for (const path of this.followed.keys()) {
      if (!present.has(path)) changed = this.followed.delete(path) || changed;
    }
    for (const file of files) {
      signal?.throwIfAborted();
      if (await this.advance(file).catch(() => false)) changed = true;
    }
    return changed ? this.record() : null;
  }

  record(): RunRecord {
    const all = [...this.followed.values()];
    for (const { parser } of all) parser?.settle?.();
    return assembleRecord(
      this.path,
      all.map(({ record }) => record),
      fidelityOf,
    );
  }

  /** Call once the run has ended: closes what waits for more (the last line, the last traceback). */
  finish(): RunRecord {
    for (const { parser, reader } of this.followed.values()) if (!reader.rewritten) parser?.end();
    return this.record();
  }

  private async advance(file: FoundFile): Promise<boolean> {
    const known = this.followed.get(file.path);
    const isFresh = known === undefined;
    if (!isFresh && known.offset === file.size && known.modified === file.modified) return false;
    const restarts = !isFresh && (known.reader.rewritten || file.size < known.offset);
    const followed = isFresh || restarts ? await this.start(file) : known;
    if (followed === null) return false;
    followed.modified = file.modified;
    if (followed.parser === null) {
      followed.offset = file.size;
      return true;
    }
    await this.read(file, followed, followed.parser);
    if (followed.reader.rewritten) followed.parser.end();
    return true;
  }

  private async start(file: FoundFile): Promise<Followed | null> {
    if (file.size === 0) return null;
    const head = await readHead(file);
    const reader = readerFor(head);
    if (reader === null) return null;
    const record = new FileRecord(file.path, reader.id, this.budget, reader.place);
    if (reader.readPath) await reader.readPath(record, file.absolute);
    const parser = reader.readPath ? null : await reader.open!(record, head);
    const followed: Followed = { record, reader, parser, offset: 0, modified: 0 };
    this.followed.set(file.path, followed);
    return followed;
  }

  private async read(file: FoundFile, followed: Followed, parser: Parser): Promise<void> {
    const handle = await open(file.absolute, 'r');
    try {
      const buffer = Buffer.allocUnsafeSlow(
        Math.min(chunkBytes, Math.max(file.size - followed.offset, 4096)),
      );
      for (;;) {
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, followed.offset);
        if (bytesRead === 0) break;
        parser.write(buffer.subarray(0, bytesRead));
        followed.offset += bytesRead;
      }
      followed.record.bytes = followed.offset;
    } finally {
      await handle.close();
    }
  }
}

/** Yields the record whenever something was added, until the signal aborts. The path may not exist yet. */
export async function* followRun(path: string, options: FollowRunOptions = {}): AsyncGenerator<RunRecord> {
  const follower = new RunFollower(path);
  const { signal, intervalMs = 1000 } = options;
  while (!signal?.aborted) {
    const exists = await stat(path).then(
      () => true,
      () => false,
    );
    if (exists) {
      const record = await follower.poll(signal);
      if (record !== null) yield record;
    }
    await sleep(intervalMs, undefined, signal ? { signal } : {}).catch(() => undefined);
  }
}
