// TensorProto, as far as scalars and short texts need it: TensorFlow writes the value by dtype either into a
// repeated field or as raw little-endian content.
import { view, WireCursor } from '../bytes/wire.js';

/** The single number of a scalar tensor; null when its dtype is no number or it is not a scalar. */
export function scalarFromTensor(bytes: Buffer, start: number, end: number): number | null {
  let dtype = 0;
  let value: number | null = null;
  let contentStart = -1;
  let contentEnd = -1;
  const tensor = new WireCursor(bytes, start, end);
  while (tensor.next()) {
    switch (tensor.field) {
      case 1:
        dtype = tensor.varint();
        break;
      case 4:
        contentStart = tensor.start;
        contentEnd = tensor.end;
        break;
      case 5:
        if (tensor.end - tensor.start >= 4) value = view(bytes).getFloat32(tensor.start, true);
        break;
      case 6:
        if (tensor.end - tensor.start >= 8) value = view(bytes).getFloat64(tensor.start, true);
        break;
      case 7:
      case 10:
      case 11:
      case 16:
      case 17:
        value = tensor.varint();
        break;
      case 13:
        value = dtype === 14 ? bfloat16(tensor.varint()) : float16(tensor.varint());
        break;
    }
  }
  if (contentStart < 0) return value;
  return fromContent(view(bytes), dtype, contentStart, contentEnd - contentStart) ?? value;
}

function fromContent(data: DataView, dtype: number, at: number, length: number): number | null {
  switch (dtype) {
    case 1:
      return length >= 4 ? data.getFloat32(at, true) : null;
    case 2:
      return length >= 8 ? data.getFloat64(at, true) : null;
    case 3:
      return length >= 4 ? data.getInt32(at, true) : null;
    case 4:
      return length >= 1 ? data.getUint8(at) : null;
    case 9:
      return length >= 8 ? Number(data.getBigInt64(at, true)) : null;
    case 14:
      return length >= 2 ? bfloat16(data.getUint16(at, true)) : null;
    case 19:
      return length >= 2 ? float16(data.getUint16(at, true)) : null;
    case 22:
      return length >= 4 ? data.getUint32(at, true) : null;
    default:
      return null;
  }
}

function float16(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

function bfloat16(bits: number): number {
  const data = new DataView(new ArrayBuffer(4));
  data.setUint32(0, (bits & 0xffff) << 16);
  return data.getFloat32(0);
}

/** The first string of a text tensor. */
export function tensorText(bytes: Buffer, start: number, end: number): string | null {
  const tensor = new WireCursor(bytes, start, end);
  while (tensor.next()) {
    if (tensor.field === 8 && tensor.wireType === 2) return tensor.text().slice(0, 200_000);
  }
  return null;
}
