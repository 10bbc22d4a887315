// A list of rows saved as one JSON array when training ends: `[{"step": 0, "loss": 2.3}, …]`, such as a dumped log history.
import { numberFromText } from './bytes/numbers.js';
import { JsonTokenizer } from './bytes/tolerant-json.js';
import type { FileRecord } from './collect/file-record.js';
import { defineReader, type Parser } from './reader.js';
import { MixedRows } from './rows.js';

export const jsonRows = defineReader({
  id: 'json-rows',
  title: 'JSON array of rows',
  fidelity: 8,
  rewritten: true,
  matches: ({ name, text }) => name.endsWith('.json') && /^\s*\[\s*\{\s*"/.test(text),
  open: (record) => new RowsParser(record),
});

class RowsParser implements Parser {
  private readonly tokenizer: JsonTokenizer;
  private readonly rows: MixedRows;
  private readonly path: string[] = [];
  private values = new Map<string, number>();
  private key = '';
  private depth = 0;

  constructor(private readonly record: FileRecord) {
    this.rows = new MixedRows(record);
    this.tokenizer = new JsonTokenizer({
      key: (name) => {
        this.key = name;
      },
      open: () => {
        this.depth++;
        if (this.depth > 2) this.path.push(this.key);
      },
      close: () => {
        if (this.depth === 2) this.row();
        if (this.depth > 2) this.path.pop();
        this.depth--;
      },
      value: (value, _offset, line) => {
        this.line = line;
        const number =
          typeof value === 'number' ? value : typeof value === 'string' ? numberFromText(value) : undefined;
        if (number !== undefined && this.depth >= 2 && this.depth <= 4)
          this.values.set([...this.path, this.key].join('/'), number);
      },
    });
  }

  private line = 1;

  write(chunk: Buffer): void {
    this.tokenizer.write(chunk);
  }

  end(): void {
    this.tokenizer.end();
    if (this.tokenizer.failedAt !== null)
      this.record.note('corrupt', `not JSON from byte ${this.tokenizer.failedAt} on`, this.tokenizer.line);
    else if (!this.tokenizer.complete)
      this.record.note('truncated', 'the array is cut: its writer was stopped', this.tokenizer.line);
  }

  private row(): void {
    const { values } = this;
    this.values = new Map();
    this.rows.row(values, this.line);
  }
}
