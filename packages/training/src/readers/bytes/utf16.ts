// UTF-16 in, UTF-8 out, chunk by chunk.
import { TextDecoder } from 'node:util';

export class Utf16Decoder {
  private readonly decoder: TextDecoder;

  constructor(encoding: 'utf-16le' | 'utf-16be') {
    this.decoder = new TextDecoder(encoding);
  }

  decode(chunk: Buffer): Buffer {
    return Buffer.from(this.decoder.decode(chunk, { stream: true }));
  }
}
