// W&B's local run file: a LevelDB log of protobuf records behind a header of its own. The documentation says
// CRC-32C; the writers use the plain CRC-32. History, system statistics, console and exit code are all inside.
import { identifyMetric } from '../../record/metrics.js';
import { FrameBuffer } from '../bytes/frame-buffer.js';
import { numberFromText } from '../bytes/numbers.js';
import { type JsonValue, parseTolerantJson } from '../bytes/tolerant-json.js';
import { WireCursor } from '../bytes/wire.js';
import { FileRecord } from '../collect/file-record.js';
import { endingOfCode } from '../console/failures/ending.js';
import { ConsoleParser } from '../console.js';
import { defineReader, type Parser } from '../reader.js';
import { systemMetric } from './wandb-system.js';

/** zlib is loaded for the first such file: starting must be quick. */
function checksumOf(bytes: Uint8Array): number {
  return process.getBuiltinModule('node:zlib').crc32(bytes);
}

const blockSize = 32 * 1024;
const headerSize = 7;
const maxRecord = 64 * 1024 * 1024;

export const wandb = defineReader({
  id: 'wandb',
  title: 'W&B run file',
  place: 'offset',
  fidelity: 9,
  matches: ({ bytes }) => bytes.subarray(0, 4).equals(Buffer.from(':W&B')),
  open: (record) => new WandbParser(record),
});

class WandbParser implements Parser {
  private readonly frames = new FrameBuffer();
  private started = false;
  private stopped = false;
  private parts: Buffer[] = [];
  private partsSize = 0;
  private partsAt = 0;
  private exited = false;
  private rows = 0;
  private readonly console: ConsoleParser;

  constructor(private readonly record: FileRecord) {
    const output = new FileRecord(`${record.file}!output`, 'console', record.budget);
    record.children.push(output);
    this.console = new ConsoleParser(output, { bytes: Buffer.alloc(0) });
  }

  write(chunk: Buffer): void {
    if (this.stopped) return;
    this.frames.append(chunk);
    if (!this.started) {
      if (this.frames.available < headerSize) return;
      this.frames.at += headerSize;
      this.started = true;
    }
    while (!this.stopped && this.readChunk());
  }

  settle(): void {
    this.console.settle();
  }

  end(): void {
    this.console.end();
    const { record, frames } = this;
    if (this.stopped) return;
    if (frames.available > 0 || this.parts.length > 0) {
      record.note(
        'truncated',
        `the last record is cut at byte ${frames.offset}: the writer was stopped`,
        frames.offset,
      );
    }
    if (!this.exited) {
      record.note('truncated', 'no exit record: the process was killed, or is still running', frames.offset);
    }
  }

  /** One chunk of the log: checksum, length, kind, data; chunks never cross a block. */
  private readChunk(): boolean {
    const { frames } = this;
    const left = blockSize - (frames.offset % blockSize);
    if (left < headerSize) {
      if (frames.available < left) return false;
      frames.at += left;
      return true;
    }
    if (frames.available < headerSize) return false;
    const { bytes, at } = frames;
    const checksum = bytes.readUInt32LE(at);
    const length = bytes.readUInt16LE(at + 4);
    const kind = bytes[at + 6]!;
    if (kind === 0 && length === 0 && checksum === 0) {
      if (frames.available < left) return false;
      frames.at += left;
      return true;
    }
    if (frames.available < headerSize + length) return false;
    const data = bytes.subarray(at + headerSize, at + headerSize + length);
    if (kind < 1 || kind > 4 || checksumOf(bytes.subarray(at + 6, at + headerSize + length)) !== checksum) {
      this.stopped = true;
      this.record.note(
        'corrupt',
        `a record does not match its checksum at byte ${frames.offset}: the rest is not read`,
        frames.offset,
      );
      return false;
    }
    this.take(kind, data, frames.offset);
    frames.at += headerSize + length;
    return true;
  }

  private take(kind: number, data: Buffer, offset: number): void {
    if (kind === 1) {
      this.readRecord(data, offset);
      return;
    }
    if (kind === 2) {
      this.parts = [];
      this.partsSize = 0;
      this.partsAt = offset;
    }
    this.partsSize += data.length;
    if (this.partsSize <= maxRecord) this.parts.push(Buffer.from(data));
    if (kind === 4) {
      if (this.partsSize <= maxRecord) this.readRecord(Buffer.concat(this.parts), this.partsAt);
      this.parts = [];
    }
  }

  private readRecord(data: Buffer, offset: number): void {
    const record = new WireCursor(data, 0, data.length);
    while (record.next()) {
      if (record.wireType !== 2) continue;
      switch (record.field) {
        case 2:
          this.readHistory(record.message(), offset);
          break;
        case 5:
          this.readConfig(record.message(), offset);
          break;
        case 7:
          this.readStats(record.message(), offset);
          break;
        case 13:
          this.readOutput(record.message());
          break;
        case 17:
          this.readRun(record.message(), offset);
          break;
        case 18:
          this.readExit(record.message(), offset);
          break;
      }
    }
  }

  private readHistory(history: WireCursor, offset: number): void {
    const values: [string, JsonValue][] = [];
    let step = this.rows++;
    while (history.next()) {
      if (history.field === 1 && history.wireType === 2) values.push(readItem(history.message()));
      else if (history.field === 2 && history.wireType === 2) {
        const inner = history.message();
        while (inner.next()) if (inner.field === 1) step = inner.varint();
      }
    }
    const found = new Map(values);
    const logged = found.get('_step');
    if (typeof logged === 'number') step = logged;
    for (const key of ['trainer/global_step', 'train/global_step', 'global_step']) {
      const own = found.get(key);
      if (typeof own === 'number') step = own;
    }
    const timestamp = found.get('_timestamp');
    const time = typeof timestamp === 'number' ? timestamp * 1000 : Number.NaN;
    for (const [key, value] of values) {
      if (key.startsWith('_') || key.endsWith('global_step')) continue;
      this.number(key, value, (name, number) => {
        this.record.point(name, step, number, offset, time);
      });
    }
  }

  private number(key: string, value: JsonValue, use: (key: string, value: number) => void): void {
    if (typeof value === 'number') use(key, value);
    else if (typeof value === 'string') {
      const number = numberFromText(value);
      if (number !== undefined) use(key, number);
    } else if (value !== null && typeof value === 'object' && !Array.isArray(value) && !('_type' in value)) {
      for (const [inner, item] of Object.entries(value)) this.number(`${key}.${inner}`, item, use);
    }
  }

  private readStats(stats: WireCursor, offset: number): void {
    let time = Number.NaN;
    while (stats.next()) {
      if (stats.field === 2 && stats.wireType === 2) time = readTimestamp(stats.message());
      else if (stats.field === 3 && stats.wireType === 2) {
        const [key, value] = readItem(stats.message());
        this.number(key, value, (name, number) => {
          const identity = systemMetric(name) ?? {
            ...identifyMetric(name),
            metric: 'other' as const,
            split: 'system' as const,
          };
          const curve = this.record.curve(`system/${name}`, { identity, hasSteps: false });
          curve?.push(curve.seen + 1, number * identity.scale, time, offset);
        });
      }
    }
  }

  private readConfig(config: WireCursor, offset: number): void {
    while (config.next()) {
      if (config.field !== 1 || config.wireType !== 2) continue;
      const [key, value] = readItem(config.message());
      if (!key.startsWith('_wandb')) this.record.settingTree(key, value, offset);
    }
  }

  private readRun(run: WireCursor, offset: number): void {
    while (run.next()) {
      if (run.field === 4 && run.wireType === 2) this.readConfig(run.message(), offset);
      else if (run.field === 13 && run.wireType === 2) this.record.hosts.add(run.text().slice(0, 200));
      else if (run.field === 17 && run.wireType === 2) this.record.startTime = readTimestamp(run.message());
    }
  }

  private readOutput(output: WireCursor): void {
    while (output.next()) {
      if (output.field === 3 && output.wireType === 2) {
        this.console.write(Buffer.from(output.bytes.subarray(output.start, output.end)));
      }
    }
  }

  private readExit(exit: WireCursor, offset: number): void {
    let code = 0;
    while (exit.next()) if (exit.field === 1 && exit.wireType === 0) code = exit.varint();
    this.exited = true;
    const ending = endingOfCode('wandb', code);
    this.record.exit({
      source: 'wandb',
      reason: ending.reason,
      code,
      signal: ending.signal ?? null,
      rank: null,
      text: `exit code ${code}`,
      at: this.record.at(offset),
      time: null,
      step: this.record.lastStep,
    });
  }
}

/** `{key, nested_key[], value_json}` of history, config and statistics alike. */
function readItem(item: WireCursor): [string, JsonValue] {
  let key = '';
  const nested: string[] = [];
  let value: JsonValue = null;
  while (item.next()) {
    if (item.wireType !== 2) continue;
    if (item.field === 1) key = item.text();
    else if (item.field === 2) nested.push(item.text());
    else if (item.field === 16) value = parseTolerantJson(item.text()) ?? null;
  }
  return [key !== '' ? key : nested.join('.'), value];
}

function readTimestamp(timestamp: WireCursor): number {
  let time = Number.NaN;
  while (timestamp.next()) {
    if (timestamp.field === 1) time = timestamp.varint() * 1000;
    else if (timestamp.field === 2) time = (Number.isNaN(time) ? 0 : time) + timestamp.varint() / 1e6;
  }
  return time;
}
