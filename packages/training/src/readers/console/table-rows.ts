// Tables printed to a console: a line of names, mostly with the counter first, then rows of numbers without names, as skorch, fastai,
// scikit-learn's boosting and detectors of objects print them.
import { identifyMetric } from '../../record/metrics.js';
import { numberFromText } from '../bytes/numbers.js';
import type { FileRecord } from '../collect/file-record.js';
import { ofWhichSplit, RowReader } from '../rows.js';

const counters = /^(epochs?|ep?|iter|iteration|iters|step|round|batch|it)$/i;
/** What a curve of the table must mean for its header to be believed. */
const telling = new Set(['loss', 'accuracy', 'error_metric', 'perplexity', 'f1']);
/** What is measured on held-out data as well. */
const measures = new Set([...telling, 'explained_variance']);
const maxHeader = 400;
/** A progress bar behind the last cell: `640: 100%|███| 26/26 [00:09<00:00]`. */
const drawnBar = /:?\s*\d+%\|.*$/;
/** Lines that are no rows, after which the table is over. */
const patience = 20;

export class TableRows {
  private columns: string[] | null = null;
  private reader: RowReader | null = null;
  private idle = 0;
  /** Whether a row had a cell for each name: then longer ones have more at their end, which nobody named. */
  private fitted = false;

  constructor(private readonly record: FileRecord) {}

  /** Whether rows may follow: such lines have no names, so nothing else may pass over them. */
  get active(): boolean {
    return this.columns !== null;
  }

  /** True when the line was a header or a row of a table. */
  consume(bytes: Buffer, from: number, to: number, line: number): boolean {
    const first = firstByte(bytes, from, to);
    if (first >= 0x30 && first <= 0x39) {
      if (this.columns !== null && this.row(bytes.toString('utf8', from, to), line)) return true;
    } else if (isLetter(first) && to - from <= maxHeader && this.header(bytes, from, to)) return true;
    if (this.columns !== null && ++this.idle > patience) this.columns = null;
    return false;
  }

  /** The same of a row behind whose cells a progress bar is drawn, which would pass for a line of the bar alone. */
  consumeDrawn(bytes: Buffer, from: number, to: number, line: number): boolean {
    const first = this.columns === null ? -1 : firstByte(bytes, from, to);
    if (first < 0x30 || first > 0x39) return false;
    const text = bytes.toString('utf8', from, to);
    return drawnBar.test(text) && this.row(text, line);
  }

  private header(bytes: Buffer, from: number, to: number): boolean {
    const cells = bytes
      .toString('utf8', from, to)
      .split(/\s{2,}|[\t,|│┃]/)
      .map((cell) => cell.trim())
      .filter((cell) => cell !== '');
    if (cells.length < 2) return false;
    if (!cells.every((cell) => /^(?:[A-Za-z_][\w/@.()#% -]*|#)$/.test(cell))) return false;
    const tells = (cell: string): boolean => telling.has(identifyMetric(cell).metric);
    // Without a counter every name must be a measure; the rows are counted.
    const isCounted = counters.test(cells[0]!);
    if (isCounted ? !cells.some(tells) : !cells.every(tells)) return false;
    const names = ofWhichSplit(cells);
    this.idle = 0;
    if (this.columns?.join('\0') === names.join('\0')) return true;
    this.columns = names;
    this.fitted = false;
    this.reader = new RowReader(this.record, {
      ...RowReader.namesFrom([]),
      step: isCounted ? (names[1] === '#' ? '#' : names[0]!) : null,
    });
    return true;
  }

  private row(text: string, line: number): boolean {
    const cells = text
      .replace(drawnBar, '')
      .split(/[\s,|│┃]+/)
      .filter((cell) => cell !== '');
    const names = this.columns!;
    if (cells.length !== names.length && !(this.fitted && cells.length > names.length)) return false;
    const values = new Map<string, number>();
    const all = [...names, ...this.unnamed(cells.length - names.length)];
    for (const [index, cell] of cells.slice(0, all.length).entries()) {
      const [count, total] = index === 0 ? cell.split('/') : [cell];
      const value = numberFromText(count!);
      if (value === undefined) continue;
      values.set(all[index]!, value);
      if (total !== undefined && Number(total) > 1) this.record.plannedSteps = Number(total);
    }
    if (!values.has(names[0]!) || values.size < 2) return false;
    this.idle = 0;
    this.fitted = true;
    this.reader!.row(values, line);
    return true;
  }

  /** Some rows go on behind the last name, with as many numbers as there are losses and scores: the same, of held-out data. */
  private unnamed(count: number): string[] {
    const measured = this.columns!.filter((name) => measures.has(identifyMetric(name).metric));
    const held = measured.some((name) => identifyMetric(name).split !== 'train');
    return count > 0 && count === measured.length && !held ? measured.map((name) => `val_${name}`) : [];
  }
}

/** The first byte that is neither blank nor the border of a table; -1 without one. */
function firstByte(bytes: Buffer, from: number, to: number): number {
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!;
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x7c && byte !== 0xe2 && byte !== 0x94 && byte !== 0x82)
      return byte;
  }
  return -1;
}

function isLetter(byte: number): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
}
