// Tables printed to a console: a line of names, mostly with the counter first, then rows of numbers without names, as skorch, fastai,
// scikit-learn's boosting and detectors of objects print them.
import { identifyMetric } from '../../record/metrics.js';
import { numberFromText } from '../bytes/numbers.js';
import type { FileRecord } from '../collect/file-record.js';
import { ofWhichSplit, RowReader } from '../rows.js';
import type { PartOfData } from './part-of-data.js';

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
/** Detectors of objects judge each class, and all of them in a row of its own, under names of their own. */
const judged = /^(?:class|category)$/i;
const precise = /^m?ap(?:@|\d|$)/i;
const ofAll = /^(?:all|overall|total|mean|avg|average)$/i;
/** The parts of their loss, whose columns are called after what each looks at. */
const lossParts = new Set(['box', 'obj', 'cls', 'dfl', 'total']);
const leastParts = 3;
const cellName = /^(?:[A-Za-z_(][\w/@.():#% -]*|#)$/;

interface Table {
  readonly names: readonly string[];
  /** Whether a cell says of which class a row is. */
  readonly isJudged: boolean;
  readonly reader: RowReader;
  /** Whether a row had a cell for each name: then longer ones have more at their end, which nobody named. */
  fitted: boolean;
  /** Columns that only ever held a mark, such as the `+` of a row that was saved: other rows leave them empty. */
  readonly marked: Set<string>;
}

export class TableRows {
  private table: Table | null = null;
  /** Tables come back, one after the other: of each epoch one of its batches and one of its scores. */
  private readonly tables = new Map<string, Table>();
  private idle = 0;
  /** Behind as many headings of parts stood the last row. */
  private rowsUnder = -1;
  /** The cells of a header that may go on in the next line, or whose only row stands there. */
  private upper: {
    readonly cells: readonly string[];
    readonly line: number;
    readonly isBordered: boolean;
  } | null = null;

  /** `part`: of which data a heading above says that what follows is. */
  constructor(
    private readonly record: FileRecord,
    private readonly part: PartOfData,
  ) {}

  /** Whether rows may follow: such lines have no names, so nothing else may pass over them. */
  get active(): boolean {
    return this.table !== null || this.upper !== null;
  }

  /** True when the line was a header or a row of a table. */
  consume(bytes: Buffer, from: number, to: number, line: number): boolean {
    const first = firstByte(bytes, from, to);
    const isNumber = (first >= 0x30 && first <= 0x39) || first === minus;
    if (isNumber) {
      const text = bytes.toString('utf8', from, to);
      if (this.upper?.line === line - 1 && this.onlyRow(text, line)) return true;
      if (this.table !== null && this.row(text, line)) return true;
    } else if ((isLetter(first) || first === parenthesis) && to - from <= maxHeader) {
      const text = bytes.toString('utf8', from, to);
      if (this.table?.isJudged && this.row(text, line)) return true;
      if (this.header(text, line)) return true;
    }
    if (this.upper !== null && this.upper.line < line) this.upper = null;
    if (this.table !== null && ++this.idle > patience) this.table = null;
    return false;
  }

  /** The same of a row behind whose cells a progress bar is drawn, which would pass for a line of the bar alone. */
  consumeDrawn(bytes: Buffer, from: number, to: number, line: number): boolean {
    if (this.table === null) return false;
    const first = firstByte(bytes, from, to);
    const isNumber = first >= 0x30 && first <= 0x39;
    if (!isNumber && !isLetter(first)) return false;
    const text = bytes.toString('utf8', from, to);
    if (!drawnBar.test(text)) return false;
    return isNumber ? this.row(text, line) : to - from <= maxHeader && this.header(text, line);
  }

  private header(text: string, line: number): boolean {
    const isBordered = bordered.test(text);
    const told = isBordered ? cellsBetween(text) : text.replace(drawnBar, '').split(/\s{2,}|[\t,|│┃]/);
    let cells = told.map((cell) => cell.trim());
    if (!isBordered) cells = cells.filter((cell) => cell !== '');
    if (cells.length < 2 || !cells.every((cell) => cellName.test(cell) || (isBordered && cell === '')))
      return false;
    // A header of several lines: `|  Mini-batch  |` and below `|   Accuracy   |`.
    const { upper } = this;
    if (isBordered && upper?.isBordered && upper.line === line - 1 && upper.cells.length === cells.length)
      cells = cells.map((cell, at) => `${upper.cells[at]} ${cell}`.trim());
    if (isBordered || mayStandAlone.test(text)) this.upper = { cells, line, isBordered };
    const parts = cells.filter((cell) => lossParts.has(cell.toLowerCase())).length >= leastParts;
    if (parts) cells = cells.map((cell) => (lossParts.has(cell.toLowerCase()) ? `${cell} loss` : cell));
    const tells = (cell: string): boolean => telling.has(identifyMetric(cell).metric);
    const isJudged = judged.test(cells[0]!) && cells.some((cell) => precise.test(cell));
    // Without a counter every name must be a measure; the rows are counted.
    const isCounted = counters.test(cells[0]!);
    if (isCounted ? !cells.some(tells) : !isJudged && !cells.every(tells)) return false;
    this.open(cells, isCounted, isJudged);
    if (!isBordered) this.upper = null;
    return true;
  }

  private open(cells: readonly string[], isCounted: boolean, isJudged: boolean): void {
    // A header that comes again behind its rows begins what no heading spoke of.
    if (this.rowsUnder === this.part.headings) this.part.close();
    const part = this.part.open;
    const names = isJudged
      ? cells.map((cell) => `val ${cell}`)
      : part === null
        ? ofWhichSplit(cells)
        : cells.map((cell) => (measures.has(identifyMetric(cell).metric) ? `${part} ${cell}` : cell));
    const key = names.join('\0');
    this.idle = 0;
    let table = this.tables.get(key);
    if (table === undefined) {
      const step = isCounted ? (names[1] === '#' ? '#' : names[0]!) : null;
      const reader = new RowReader(this.record, { ...RowReader.namesFrom([]), step });
      table = { names, isJudged, reader, fitted: false, marked: new Set() };
      if (this.tables.size < mostTables) this.tables.set(key, table);
    }
    this.table = table;
  }

  /** A header that tells a loss beside much else, and right below it as many numbers: a table of one row, which comes again and again. */
  private onlyRow(text: string, line: number): boolean {
    const { cells } = this.upper!;
    const values = text
      .trim()
      .split(/[\s|│┃]+/)
      .filter((cell) => cell !== '');
    if (cells.length < leastAlone || values.length !== cells.length) return false;
    if (!values.every((value) => numberFromText(value) !== undefined)) return false;
    if (!cells.some((cell) => identifyMetric(cell).metric === 'loss')) return false;
    this.open(cells, false, false);
    return this.row(text, line);
  }

  private row(text: string, line: number): boolean {
    const { names: header, reader, isJudged, marked } = this.table!;
    const told = text.replace(drawnBar, '');
    const cells = bordered.test(told)
      ? cellsBetween(told).map((cell) => cell.trim())
      : told.split(/[\s,|│┃]+/).filter((cell) => cell !== '');
    if (isJudged && !ofAll.test(cells[0] ?? '')) return false;
    const isUnmarked = marked.size > 0 && cells.length === header.length - marked.size;
    const names = isUnmarked ? header.filter((name) => !marked.has(name)) : header;
    if (cells.length !== names.length && !(this.table!.fitted && cells.length > names.length)) return false;
    const values = new Map<string, number>();
    const all = [...names, ...this.unnamed(cells.length - names.length)];
    for (const [index, cell] of cells.slice(0, all.length).entries()) {
      const [count, total] = index === 0 ? cell.split('/') : [cell];
      const value = numberFromText(count!.replace(/%$/, ''));
      if (value === undefined) {
        if (!this.table!.fitted) marked.add(all[index]!);
        continue;
      }
      marked.delete(all[index]!);
      values.set(all[index]!, value);
      if (total !== undefined && Number(total) > 1) this.record.plannedSteps = Number(total);
    }
    if (values.size < 2 || (!isJudged && !values.has(names[0]!))) return false;
    this.idle = 0;
    this.rowsUnder = this.part.headings;
    this.table!.fitted = true;
    reader.row(values, line);
    return true;
  }

  /** Some rows go on behind the last name, with as many numbers as there are losses and scores: the same, of held-out data. */
  private unnamed(count: number): string[] {
    const measured = this.table!.names.filter((name) => measures.has(identifyMetric(name).metric));
    const held = measured.some((name) => identifyMetric(name).split !== 'train');
    return count > 0 && count === measured.length && !held ? measured.map((name) => `val_${name}`) : [];
  }
}

const mayStandAlone = /loss/i;
const mostTables = 50;
const leastAlone = 3;
const minus = 0x2d;
const parenthesis = 0x28;
/** Between bars at both ends a cell may be empty. */
const bordered = /^\s*[|│┃].*[|│┃]\s*$/;

function cellsBetween(text: string): string[] {
  return text.trim().slice(1, -1).split(/[|│┃]/);
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
