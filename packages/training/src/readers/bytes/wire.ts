// The protobuf wire format, read in place. Event files hold tens of millions of tiny messages of which a handful
// of fields matter: a cursor that skips the rest beats decoding whole messages.

/** A position inside a message; `tag` fields are advanced by `next`. */
export class WireCursor {
  field = 0;
  wireType = 0;
  /** Bounds of the current length-delimited field. */
  start = 0;
  end = 0;

  constructor(
    readonly bytes: Uint8Array,
    private at: number,
    private readonly limit: number,
  ) {}

  /** Moves to the next field and past its value; false at the end or when the message is malformed. */
  next(): boolean {
    if (this.at >= this.limit) return false;
    const tag = this.readVarint();
    this.field = tag >>> 3;
    this.wireType = tag & 7;
    switch (this.wireType) {
      case 0:
        this.start = this.at;
        this.skipVarint();
        this.end = this.at;
        return this.at <= this.limit;
      case 1:
        this.start = this.at;
        this.at += 8;
        this.end = this.at;
        return this.at <= this.limit;
      case 2: {
        const length = this.readVarint();
        this.start = this.at;
        this.at += length;
        this.end = this.at;
        return length >= 0 && this.at <= this.limit;
      }
      case 5:
        this.start = this.at;
        this.at += 4;
        this.end = this.at;
        return this.at <= this.limit;
      default:
        return false;
    }
  }

  message(): WireCursor {
    return new WireCursor(this.bytes, this.start, this.end);
  }

  /** The current varint as a number; 64-bit values are signed and lose precision beyond 2^53. */
  varint(): number {
    return readVarint64(this.bytes, this.start, this.end);
  }

  double(): number {
    return view(this.bytes).getFloat64(this.start, true);
  }

  float(): number {
    return view(this.bytes).getFloat32(this.start, true);
  }

  text(): string {
    return Buffer.from(this.bytes.buffer, this.bytes.byteOffset + this.start, this.end - this.start).toString(
      'utf8',
    );
  }

  private readVarint(): number {
    let result = 0;
    let shift = 0;
    while (this.at < this.limit && shift < 35) {
      const byte = this.bytes[this.at++]!;
      result |= (byte & 0x7f) << shift;
      if (byte < 0x80) return result >>> 0;
      shift += 7;
    }
    this.at = this.limit + 1;
    return 0;
  }

  private skipVarint(): void {
    while (this.at < this.limit) {
      if (this.bytes[this.at++]! < 0x80) return;
    }
    this.at = this.limit + 1;
  }
}

export function readVarint64(bytes: Uint8Array, start: number, end: number): number {
  let low = 0;
  let high = 0;
  let shift = 0;
  for (let at = start; at < end && shift < 70; at++) {
    const byte = bytes[at]!;
    const part = byte & 0x7f;
    if (shift < 28) low += part * 2 ** shift;
    else high += part * 2 ** (shift - 28);
    if (byte < 0x80) break;
    shift += 7;
  }
  const unsigned = high * 2 ** 28 + low;
  return unsigned >= 2 ** 63 ? Number(BigInt.asIntN(64, exactVarint(bytes, start, end))) : unsigned;
}

function exactVarint(bytes: Uint8Array, start: number, end: number): bigint {
  let value = 0n;
  let shift = 0n;
  for (let at = start; at < end && shift < 70n; at++) {
    const byte = bytes[at]!;
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) break;
    shift += 7n;
  }
  return value;
}

let viewed: Uint8Array | null = null;
let lastView: DataView = new DataView(new ArrayBuffer(0));

/** The view of the bytes asked for last is kept: messages of one chunk are read one after the other. */
export function view(bytes: Uint8Array): DataView {
  if (bytes !== viewed) {
    viewed = bytes;
    lastView = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  return lastView;
}
