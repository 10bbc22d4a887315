// Joins chunks into frames: a record may straddle chunks. One buffer is reused for the joins, because a fresh one per
// chunk costs more than reading it.

export class FrameBuffer {
  bytes: Buffer = Buffer.alloc(0);
  /** Position inside `bytes`. */
  at = 0;
  /** Offset in the file of `bytes[0]`. */
  base = 0;
  private storage: Buffer = Buffer.alloc(0);

  get available(): number {
    return this.bytes.length - this.at;
  }

  get offset(): number {
    return this.base + this.at;
  }

  /** The chunk is copied behind the unread rest: the caller may reuse it at once. */
  append(chunk: Buffer): void {
    const rest = this.available;
    const size = rest + chunk.length;
    const target = size <= this.storage.length ? this.storage : Buffer.allocUnsafeSlow(size * 2);
    if (rest > 0) this.bytes.copy(target, 0, this.at);
    chunk.copy(target, rest);
    this.storage = target;
    this.base += this.at;
    this.bytes = target.subarray(0, size);
    this.at = 0;
  }
}
