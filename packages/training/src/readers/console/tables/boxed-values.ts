// Boxes of one name and one number a line, as reinforcement learning prints them: `|    ep_rew_mean    | 21.3    |` between lines of dashes. A box
// is one point of every curve in it; a box without a counter is a table of something else.
import { numberFromText } from '../../bytes/numbers.js';
import type { FileRecord } from '../../collect/file-record.js';
import { RowReader } from '../../rows/rows.js';

const row = /^\s*[|│┃]\s*([A-Za-z][\w/ @.-]*?)\s*[|│┃]\s*(\S*)\s*[|│┃]\s*$/;
const border = /^\s*[-=+─━┌┐└┘├┤┼]{5,}\s*$/;
const mostRows = 100;

export class BoxedValues {
  private readonly values = new Map<string, number>();
  private readonly readers = new Map<string, RowReader>();
  /** Between two borders. */
  active = false;
  /** `train/`: what the rows below it are of. */
  private part = '';

  constructor(private readonly record: FileRecord) {}

  /** True when the line is part of a box. */
  consume(bytes: Buffer, from: number, to: number, line: number): boolean {
    const first = bytes[from]!;
    if (
      to - from > 200 ||
      !(first === 0x20 || first === 0x7c || first === 0x2d || first >= 0x80 || this.active)
    )
      return false;
    const text = bytes.toString('utf8', from, to);
    if (border.test(text)) {
      // The border that ends a box may begin the next one.
      if (this.values.size > 0) this.close(line);
      this.active = true;
      this.part = '';
      return false;
    }
    if (!this.active) return false;
    const cells = row.exec(text);
    const value = cells?.[2] ? numberFromText(cells[2]) : undefined;
    if (cells === null || this.values.size >= mostRows) this.leave();
    else if (value !== undefined) this.values.set(this.part + cells[1]!, value);
    else if (cells[2] === '' && cells[1]!.endsWith('/')) this.part = cells[1]!;
    return cells !== null;
  }

  private close(line: number): void {
    const names = RowReader.namesFrom([...this.values.keys()]);
    const step = names.step ?? names.epoch;
    if (step !== null) {
      let reader = this.readers.get(step);
      if (reader === undefined) {
        reader = new RowReader(this.record, { ...RowReader.namesFrom([]), step });
        this.readers.set(step, reader);
      }
      reader.row(this.values, line);
    }
    this.values.clear();
  }

  private leave(): void {
    this.values.clear();
    this.active = false;
  }
}
