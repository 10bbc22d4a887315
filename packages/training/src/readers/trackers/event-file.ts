// TensorBoard event files: TFRecord frames of Event messages, checked by CRC-32C. Scalars come in two encodings:
// simple_value (PyTorch, tensorboardX) and a tensor marked by the "scalars" plugin (TensorFlow 2).

import { identifyMetric } from '../../record/metrics.js';
import { crc32c, maskCrc } from '../bytes/crc32c.js';
import { FrameBuffer } from '../bytes/frame-buffer.js';
import { readVarint64, view, WireCursor } from '../bytes/wire.js';
import type { FileRecord } from '../collect/file-record.js';
import type { SeriesBuilder } from '../collect/series-builder.js';
import type { Parser } from '../reader.js';
import { splitOfDirectory } from '../split-of-directory.js';
import { scalarFromTensor, tensorText } from './tensorboard-tensor.js';

/** Larger records hold images, graphs or checkpoints: checked and passed over, never held. */
const maxRecord = 16 * 1024 * 1024;

interface Tag {
  readonly name: string;
  readonly bytes: Buffer;
  readonly curve: SeriesBuilder | null;
  plugin: string | null;
  /** The tag that followed this one last time: loops log the same tags in the same order. */
  next: Tag | null;
}

export class EventFileParser implements Parser {
  private readonly frames = new FrameBuffer();
  private readonly tags = new Map<number, Tag[]>();
  private readonly directorySplit: ReturnType<typeof splitOfDirectory>;
  private lastTag: Tag | null = null;
  private data: DataView = new DataView(new ArrayBuffer(0));
  private stopped = false;
  private highest = -1;
  private skipping = 0;
  private skippedCrc = 0;
  private skippedAt = 0;

  constructor(private readonly record: FileRecord) {
    this.directorySplit = splitOfDirectory(record.file);
  }

  write(chunk: Buffer): void {
    if (this.stopped) return;
    this.frames.append(chunk);
    const { bytes } = this.frames;
    this.data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    while (!this.stopped && this.readFrame());
  }

  end(): void {
    if (this.stopped) return;
    if (this.frames.available > 0 || this.skipping > 0) {
      const offset = this.skipping > 0 ? this.skippedAt : this.frames.offset;
      this.record.note(
        'truncated',
        `the last record is cut at byte ${offset}: the writer was stopped`,
        offset,
      );
    }
  }

  private readFrame(): boolean {
    const { frames } = this;
    if (this.skipping > 0) return this.skipLargeRecord();
    if (frames.available < 12) return false;
    const { bytes, at } = frames;
    const { data } = this;
    const length = data.getUint32(at, true) + data.getUint32(at + 4, true) * 2 ** 32;
    if (maskCrc(crc32c(bytes, at, at + 8)) !== data.getUint32(at + 8, true)) {
      this.corrupt('the length of a record does not match its checksum');
      return false;
    }
    if (length > maxRecord) {
      this.skippedAt = frames.offset;
      this.skippedCrc = 0;
      this.skipping = length + 4;
      frames.at += 12;
      return true;
    }
    if (frames.available < length + 16) return false;
    const start = at + 12;
    const end = start + length;
    if (maskCrc(crc32c(bytes, start, end)) !== data.getUint32(end, true)) {
      this.corrupt('a record does not match its checksum');
      return false;
    }
    if (!this.readScalarEvent(bytes, data, start, end, frames.offset))
      this.readEvent(bytes, start, end, frames.offset);
    frames.at = end + 4;
    return true;
  }

  private skipLargeRecord(): boolean {
    const { frames } = this;
    if (this.skipping > 4) {
      const take = Math.min(this.skipping - 4, frames.available);
      this.skippedCrc = crc32c(frames.bytes, frames.at, frames.at + take, this.skippedCrc);
      frames.at += take;
      this.skipping -= take;
      if (this.skipping > 4) return false;
    }
    if (frames.available < 4) return false;
    if (maskCrc(this.skippedCrc) !== frames.bytes.readUInt32LE(frames.at)) {
      this.corrupt('a large record does not match its checksum');
      return false;
    }
    frames.at += 4;
    this.skipping = 0;
    return true;
  }

  private corrupt(what: string): void {
    this.stopped = true;
    const { offset } = this.frames;
    this.record.note('corrupt', `${what} at byte ${offset}: the rest of the file is not read`, offset);
  }

  /**
   * The shape nearly every record has: time, step, and a summary of one tag and one simple value, all of it short.
   * False for any other, which is then read field by field.
   */
  private readScalarEvent(
    bytes: Buffer,
    data: DataView,
    start: number,
    end: number,
    offset: number,
  ): boolean {
    if (bytes[start] !== 0x09) return false;
    let at = start + 9;
    let step = 0;
    if (bytes[at] === 0x10) {
      const from = ++at;
      while (at < end && bytes[at]! >= 0x80) at++;
      at++;
      if (at - from > 4) return false;
      for (let index = at - 1; index >= from; index--) step = (step << 7) | (bytes[index]! & 0x7f);
    }
    if (bytes[at] !== 0x2a || bytes[at + 1] !== end - at - 2) return false;
    if (bytes[at + 2] !== 0x0a || bytes[at + 3] !== end - at - 4 || bytes[at + 4] !== 0x0a) return false;
    const tagStart = at + 6;
    const tagEnd = tagStart + bytes[at + 5]!;
    if (tagEnd !== end - 5 || bytes[tagEnd] !== 0x15) return false;
    const tag = this.tagOf(bytes, tagStart, tagEnd);
    if (tag.curve === null) return true;
    const { curve } = tag;
    const time = data.getFloat64(start + 1, true) * 1000;
    curve.push(step, data.getFloat32(tagEnd + 1, true) * curve.key.identity.scale, time, offset);
    this.record.points++;
    if (step > this.highest) {
      this.highest = step;
      this.record.reachStep(step);
    }
    if (this.record.startTime === null) this.record.startTime = time;
    return true;
  }

  private readEvent(bytes: Buffer, start: number, end: number, offset: number): void {
    let time = Number.NaN;
    let step = 0;
    let at = start;
    while (at < end) {
      const tag = bytes[at]!;
      if (tag === 0x09) {
        time = view(bytes).getFloat64(at + 1, true) * 1000;
        at += 9;
      } else if (tag === 0x10) {
        const from = at + 1;
        at = from;
        while (at < end && bytes[at]! >= 0x80) at++;
        at++;
        step = at - from === 1 ? bytes[from]! : readVarint64(bytes, from, at);
      } else {
        const rest = new WireCursor(bytes, at, end);
        while (rest.next()) {
          if (rest.wireType === 2 && rest.field === 5)
            this.readSummary(bytes, rest.start, rest.end, step, time, offset);
          else if (rest.wireType === 0 && rest.field === 2) step = rest.varint();
          else if (rest.wireType === 1 && rest.field === 1) time = rest.double() * 1000;
          else if (rest.wireType === 2 && rest.field === 7) this.readSessionLog(rest.message(), step, offset);
        }
        break;
      }
    }
    if (this.record.startTime === null && !Number.isNaN(time)) this.record.startTime = time;
  }

  private readSessionLog(log: WireCursor, step: number, offset: number): void {
    while (log.next()) {
      if (log.field === 1 && log.varint() === 1 && step > 0) {
        this.record.setting('session_start_step', step, offset, 'fact');
      }
    }
  }

  private readSummary(
    bytes: Buffer,
    start: number,
    end: number,
    step: number,
    time: number,
    offset: number,
  ): void {
    const summary = new WireCursor(bytes, start, end);
    while (summary.next()) {
      if (summary.field === 1 && summary.wireType === 2) {
        this.readValue(bytes, summary.start, summary.end, step, time, offset);
      }
    }
  }

  private readValue(
    bytes: Buffer,
    start: number,
    end: number,
    step: number,
    time: number,
    offset: number,
  ): void {
    let tag: Tag | null = null;
    let value = Number.NaN;
    let hasValue = false;
    let tensorStart = -1;
    let tensorEnd = -1;
    const fields = new WireCursor(bytes, start, end);
    while (fields.next()) {
      switch (fields.field) {
        case 1:
          tag = this.tagOf(bytes, fields.start, fields.end);
          break;
        case 2:
          if (fields.wireType === 5) {
            value = fields.float();
            hasValue = true;
          }
          break;
        case 8:
          tensorStart = fields.start;
          tensorEnd = fields.end;
          break;
        case 9:
          if (tag !== null && tag.plugin === null) tag.plugin = pluginName(fields.message());
          break;
      }
    }
    if (tag === null) return;
    if (!hasValue && tensorStart >= 0) {
      if (tag.plugin === 'scalars') {
        const scalar = scalarFromTensor(bytes, tensorStart, tensorEnd);
        if (scalar === null) return;
        value = scalar;
        hasValue = true;
      } else if (tag.plugin === 'text') {
        this.readText(tag.name, bytes, tensorStart, tensorEnd, offset);
        return;
      } else return;
    }
    if (!hasValue || tag.curve === null) return;
    tag.curve.push(step, value * tag.curve.key.identity.scale, time, offset);
    this.record.points++;
    this.record.reachStep(step);
  }

  /** Trainer arguments and model configurations are logged as text: a JSON object under a text tag. */
  private readText(tag: string, bytes: Buffer, start: number, end: number, offset: number): void {
    const text = tensorText(bytes, start, end);
    if (text === null || !text.trimStart().startsWith('{')) return;
    try {
      this.record.settingTree(tag.replace(/\/text_summary$/, ''), JSON.parse(text), offset);
    } catch {
      this.record.setting(tag, text, offset);
    }
  }

  private tagOf(bytes: Buffer, start: number, end: number): Tag {
    const expected = this.lastTag?.next ?? null;
    const tag =
      expected !== null && sameBytes(expected.bytes, bytes, start, end)
        ? expected
        : this.lookUp(bytes, start, end);
    if (this.lastTag !== null) this.lastTag.next = tag;
    this.lastTag = tag;
    return tag;
  }

  private lookUp(bytes: Buffer, start: number, end: number): Tag {
    let hash = end - start;
    for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + bytes[at]!) | 0;
    let bucket = this.tags.get(hash);
    if (bucket === undefined) {
      bucket = [];
      this.tags.set(hash, bucket);
    }
    for (const tag of bucket) {
      if (sameBytes(tag.bytes, bytes, start, end)) return tag;
    }
    const name = bytes.toString('utf8', start, end);
    const identity = identifyMetric(name);
    const split =
      this.directorySplit !== null && identity.split === 'train' && !/train/i.test(name)
        ? this.directorySplit
        : identity.split;
    const tag: Tag = {
      name,
      bytes: Buffer.from(bytes.subarray(start, end)),
      curve: this.record.curve(name, { identity: { ...identity, split } }),
      plugin: null,
      next: null,
    };
    bucket.push(tag);
    return tag;
  }
}

function sameBytes(known: Buffer, bytes: Buffer, start: number, end: number): boolean {
  if (known.length !== end - start) return false;
  for (let at = 0; at < known.length; at++) if (known[at] !== bytes[start + at]) return false;
  return true;
}

function pluginName(metadata: WireCursor): string | null {
  while (metadata.next()) {
    if (metadata.field !== 1 || metadata.wireType !== 2) continue;
    const plugin = metadata.message();
    while (plugin.next()) if (plugin.field === 1 && plugin.wireType === 2) return plugin.text();
  }
  return null;
}
