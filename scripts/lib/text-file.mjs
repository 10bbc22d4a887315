// Stands for a long string in the bundle, a file in Latin-1 of which only what is asked for is read.
import { openSync, readSync } from 'node:fs';

const size = 2 ** 12;

export class TextFile {
  constructor(path) {
    this.file = openSync(path);
    this.blocks = new Map();
  }

  /** Shorter at the end of the file, and empty behind it. */
  block(number) {
    let text = this.blocks.get(number);
    if (text === undefined) {
      const bytes = Buffer.allocUnsafe(size);
      text = bytes.latin1Slice(0, readSync(this.file, bytes, 0, size, number * size));
      this.blocks.set(number, text);
    }
    return text;
  }

  slice(start, end) {
    let text = '';
    for (let number = Math.floor(start / size); number * size < end; number++) {
      const block = this.block(number);
      if (block === '') break;
      text += block.slice(Math.max(0, start - number * size), end - number * size);
    }
    return text;
  }

  lastIndexOf(character, from) {
    for (let number = Math.floor(from / size); number >= 0; number--) {
      const found = this.block(number).lastIndexOf(character, from - number * size);
      if (found >= 0) return number * size + found;
    }
    return -1;
  }
}
