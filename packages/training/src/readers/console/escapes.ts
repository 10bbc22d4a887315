// Colours and cursor movements are no part of what a line says.

const escapes = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;
const controls = /[\u0000-\u0008\u000b-\u001f\u007f]/g;
const escapeByte = 0x1b;

export function stripEscapes(text: string): string {
  return text.replace(escapes, '').replace(controls, '');
}

/** The same of bytes, in a place that the next line is written to. */
export class Unescaped {
  private out = Buffer.alloc(0);

  of(bytes: Buffer, from: number, to: number): Buffer {
    if (this.out.length < to - from) this.out = Buffer.alloc(Math.max(to - from, 4096));
    const { out } = this;
    let size = 0;
    for (let at = from; at < to; at++) {
      const byte = bytes[at]!;
      if (byte !== escapeByte) {
        out[size++] = byte;
        continue;
      }
      if (bytes[at + 1] === 0x5b) {
        at += 2;
        while (at < to && (bytes[at]! < 0x40 || bytes[at]! > 0x7e)) at++;
      } else at++;
    }
    return out.subarray(0, size);
  }
}
