// Joins chunks into frames: a record may straddle chunks, and only the unread rest of one is ever copied.

export class FrameBuffer {
  bytes: Buffer = Buffer.alloc(0);
  /** Position inside `bytes`. */
  at = 0;
  /** Offset in the file of `bytes[0]`. */
  base = 0;

  get available(): number {
    return this.bytes.length - this.at;
  }

  get offset(): number {
    return this.base + this.at;
  }

  /** The caller's chunk is borrowed until the next call. */
  append(chunk: Buffer): void {
    const rest = this.available;
    this.base += this.at;
    this.bytes = rest === 0 ? chunk : Buffer.concat([this.bytes.subarray(this.at), chunk]);
    this.at = 0;
  }

  /** Copies the unread rest, so that the caller may reuse its chunk. */
  release(): void {
    this.base += this.at;
    this.bytes = Buffer.from(this.bytes.subarray(this.at));
    this.at = 0;
  }
}
