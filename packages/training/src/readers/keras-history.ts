// A Keras History saved as JSON: an object of equally long lists of numbers, one value per epoch.
import { numberFromText } from './bytes/numbers.js';
import { JsonTokenizer } from './bytes/tolerant-json.js';
import type { FileRecord } from './collect/file-record.js';
import { defineReader, type Parser } from './reader.js';

export const kerasHistory = defineReader({
  id: 'keras-history',
  title: 'Keras history',
  fidelity: 7,
  rewritten: true,
  matches: ({ name, text }) =>
    name.endsWith('.json') &&
    /^\s*\{\s*(?:"history"\s*:\s*\{\s*)?"[\w/ -]+"\s*:\s*\[\s*(?:-?[\d.]|NaN|-?Infinity)/.test(text),
  open: (record) => new HistoryParser(record),
});

class HistoryParser implements Parser {
  private readonly tokenizer: JsonTokenizer;
  private key = '';
  private depth = 0;
  private index = 0;
  private inList = false;

  constructor(private readonly record: FileRecord) {
    this.tokenizer = new JsonTokenizer({
      key: (name) => {
        this.key = name;
      },
      open: (kind) => {
        this.depth++;
        this.inList = kind === 'array';
        this.index = 0;
      },
      close: () => {
        this.depth--;
        this.inList = false;
      },
      value: (value, _offset, line) => {
        const number =
          typeof value === 'number' ? value : typeof value === 'string' ? numberFromText(value) : undefined;
        if (this.inList && this.depth <= 3) {
          this.index++;
          if (number !== undefined) this.record.point(this.key, this.index, number, line);
        }
      },
    });
  }

  write(chunk: Buffer): void {
    this.tokenizer.write(chunk);
  }

  end(): void {
    this.tokenizer.end();
    if (this.tokenizer.failedAt !== null) {
      this.record.note('corrupt', `not JSON from byte ${this.tokenizer.failedAt} on`, this.tokenizer.line);
    } else if (!this.tokenizer.complete) {
      this.record.note(
        'truncated',
        'the file ends in the middle: its writer was stopped',
        this.tokenizer.line,
      );
    }
  }
}
