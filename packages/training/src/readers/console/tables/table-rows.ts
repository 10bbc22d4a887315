// Tables printed to a console: a line of names, mostly with the counter first, then rows of numbers without names, as skorch, fastai,
// scikit-learn's boosting and detectors of objects print them.

import { splitWords } from '../../../record/metric-words.js';
import { identifyMetric } from '../../../record/metrics.js';
import type { Split } from '../../../record/split.js';
import { isDigit } from '../../bytes/characters.js';
import { numberFromText } from '../../bytes/numbers.js';
import type { FileRecord } from '../../collect/file-record.js';
import { partNamed } from '../../rows/row-words.js';
import { nameInPart, ofWhichSplit, RowReader } from '../../rows/rows.js';
import type { PartOfData } from '../parts/part-of-data.js';

export const counters =
  /^(?:epochs?|ep|e|iter|itn|iters|iteration|iterations|steps?|round|batch|minibatch|updates?|kimg|(?:number_of_)?trees|global_step|it|#)$/i;
/** A counter stands within these first columns. */
const leading = 4;
/** What a curve of the table must mean for its header to be believed. */
const telling = new Set(['loss', 'accuracy', 'error_metric', 'perplexity', 'f1']);
/** What is measured on held-out data as well. */
const measures = new Set([...telling, 'explained_variance']);
const maxHeader = 400;
/** A progress bar behind the last cell: `640: 100%|███| 26/26 [00:09<00:00]`. */
const drawnBar = /:?\s*\d+%\|.*$/;
/** What stands before the cells: the sign of a comment, how far training is, in brackets. */
const front = /^\s*(?:[#%]+(?=\s*[A-Za-z])|\/\/|\[[^\]]{1,24}\](?=\s)|!)?\s*/;
/** A column of counts without a name comes first: `,loss,acc,val_loss,val_acc`. */
const withoutName = /^,(?=[A-Za-z])/;
/** Lines that are no rows, after which the table is over. */
const patience = 20;
/** Detectors of objects judge each class, and all of them in a row of its own, under names of their own. */
const judged = /^(?:class|category)$/i;
const precise = /^m?ap(?:@|\d|$)/i;
const ofAll = /^(?:all|overall|total|mean|avg|average)$/i;
/** The column that says of which part of the data a row is. */
const ofParts = /^(?:set|split|subset|phase|mode|data|dataset|part|stage)$/i;
/** The parts of their loss, whose columns are called after what each looks at. */
const lossPart = /^(?:box|obj|cls|dfl|total)(?:_[a-z]{1,3})?$/i;
const leastParts = 3;
const cellName = /^(?:[A-Za-z_(][\w/@.():#%[\] -]*|#)$/;

interface Table {
  readonly names: readonly string[];
  /** The same, parted by single blanks. */
  readonly narrow: readonly string[];
  /** How many names stand between one bar and the next, where bars set some of them apart. */
  readonly groups: readonly number[];
  /** Whether a cell says of which class or of which part of the data a row is. */
  readonly says: 'class' | 'part' | null;
  readonly counter: string | null;
  /** Of names parted by single blanks, as words are: it ends with the first line that is no row. */
  readonly isNarrow: boolean;
  readonly readers: Map<Split | null, RowReader>;
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
  /** Rows of training without a counter. */
  private trained = 0;
  /** The cells of a header that may go on in the next line, or whose only row stands there. */
  private upper: {
    readonly cells: readonly string[];
    readonly text: string;
    readonly line: number;
    readonly isBordered: boolean;
  } | null = null;
  /** Words between bars above a header: `|--- VALID ---|--- TRAIN ---`. */
  private above: { readonly cells: readonly string[]; readonly line: number } | null = null;

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
    // A progress bar leaves any number of blank lines behind.
    if (first < 0) return false;
    const isNumber = isDigit(first) || first === minus;
    const isName = isLetter(first) || first === parenthesis;
    if (this.table === null && !isNumber && !isName && !fronts.has(first)) return this.pass(line);
    const text = bytes.toString('utf8', from, to).replace(front, '').replace(withoutName, '#,');
    if (startsRow.test(text)) {
      if (this.upper?.line === line - 1 && this.onlyRow(text, line)) return true;
      if (this.table !== null && this.row(text, line)) return true;
    } else if (to - from <= maxHeader) {
      if (this.table?.says && this.row(text, line)) return true;
      if (this.header(text, line)) return true;
      if (bars.test(text)) this.above = { cells: text.split(bars), line };
    }
    return this.pass(line);
  }

  private pass(line: number): false {
    if (this.upper !== null && this.upper.line < line) this.upper = null;
    if (this.table !== null && (++this.idle > patience || (this.table.isNarrow && this.table.fitted)))
      this.table = null;
    return false;
  }

  /** The same of a row behind whose cells a progress bar is drawn, which would pass for a line of the bar alone. */
  consumeDrawn(bytes: Buffer, from: number, to: number, line: number): boolean {
    const first = firstByte(bytes, from, to);
    const isNumber = isDigit(first) && this.table !== null;
    if (!isNumber && !(this.table === null ? first === capital : isLetter(first))) return false;
    const text = bytes.toString('utf8', from, to);
    if (!drawnBar.test(text)) return false;
    return isNumber ? this.row(text, line) : to - from <= maxHeader && this.header(text, line);
  }

  private header(drawn: string, line: number): boolean {
    const text = drawn.replace(drawnBar, '');
    const isBordered = bordered.test(text);
    const told = isBordered ? cellsBetween(text) : text.split(wide);
    let cells = told.map((cell) => cell.trim());
    if (!isBordered) cells = cells.filter((cell) => cell !== '');
    // `Epoch batch     loss`: counters stand together.
    const together = (cells[0] ?? '').split(' ');
    if (together.every((cell) => counters.test(cell))) cells = [...together, ...cells.slice(1)];
    if (cells.length === 1 && !isBordered) return this.mayBeNarrow(text, line);
    if (cells.length < 2 || !cells.every((cell) => cellName.test(cell) || (isBordered && cell === '')))
      return false;
    // A header of several lines: `|  Mini-batch  |` and below `|   Accuracy   |`.
    const { upper, above } = this;
    if (isBordered && upper?.isBordered && upper.line === line - 1 && upper.cells.length === cells.length)
      cells = cells.map((cell, at) => `${upper.cells[at]} ${cell}`.trim());
    if (isBordered || mayStandAlone.test(text)) this.upper = { cells, text, line, isBordered };
    if (cells.filter((cell) => lossPart.test(cell)).length >= leastParts)
      cells = cells.map((cell) => (lossPart.test(cell) ? `${cell} loss` : cell));
    const groups = isBordered ? [] : text.split(bars).map((group) => cellsOf(group).length);
    if (above?.line === line - 1 && above.cells.length <= groups.length)
      cells = ofGroups(cells, groups, above.cells);
    const tells = (cell: string): boolean => telling.has(identifyMetric(cell).metric);
    const isJudged = judged.test(cells[0]!) && cells.some((cell) => precise.test(cell));
    const hasParts =
      (ofParts.test(cells[0]!) || Object.hasOwn(splitWords, cells[0]!.toLowerCase())) && cells.some(tells);
    // Without a counter every name must be a measure; the rows are counted.
    const counter = cells.slice(0, leading).find((cell) => counters.test(cell)) ?? null;
    if (counter === null ? !isJudged && !hasParts && !cells.every(tells) : !cells.some(tells)) return false;
    this.open(cells, text, counter, groups, isJudged ? 'class' : hasParts ? 'part' : null);
    if (!isBordered) this.upper = null;
    return true;
  }

  private open(
    cells: readonly string[],
    text: string,
    counter: string | null,
    groups: readonly number[],
    says: Table['says'],
  ): void {
    // A header that comes again behind its rows begins what no heading spoke of.
    if (this.rowsUnder === this.part.headings) this.part.close();
    const part = this.part.open;
    const named = (told: readonly string[]): string[] => {
      if (says === 'class') return told.map((cell) => `val ${cell}`);
      if (part === null) return ofWhichSplit(told);
      return told.map((cell) => (measures.has(identifyMetric(cell).metric) ? `${part} ${cell}` : cell));
    };
    const names = named(cells);
    const key = names.join('\0');
    this.idle = 0;
    let table = this.tables.get(key);
    if (table === undefined) {
      const step = counter === null ? null : names[1] === '#' ? '#' : names[cells.indexOf(counter)]!;
      const narrow = text.trim().split(/[\s,|│┃]+/);
      const apart = {
        narrow: narrow.length > names.length ? named(narrow) : [],
        groups: groups.length > 1 ? groups : [],
      };
      const isNarrow = !bars.test(text) && text.trim() === names.join(' ');
      table = {
        names,
        ...apart,
        says,
        counter: step,
        isNarrow,
        readers: new Map(),
        fitted: false,
        marked: new Set(),
      };
      if (this.tables.size < mostTables) this.tables.set(key, table);
    }
    this.table = table;
  }

  /** `epoch train_loss acc`: words parted by one blank are a header if as many numbers stand right below it. */
  private mayBeNarrow(text: string, line: number): boolean {
    const trimmed = text.trim();
    // Any line of prose comes here: most are done with their first word.
    if (!counters.test(trimmed.slice(0, Math.max(0, trimmed.indexOf(' '))))) return false;
    const cells = trimmed.split(' ');
    if (cells.length >= leastAlone && cells.every((cell) => cellName.test(cell)))
      this.upper = { cells, text, line, isBordered: false };
    return false;
  }

  /** A header that tells a loss beside much else, and right below it as many numbers: a table of one row, which comes again and again. */
  private onlyRow(text: string, line: number): boolean {
    const { cells, text: header } = this.upper!;
    const values = text
      .trim()
      .split(/[\s|│┃]+/)
      .filter((cell) => cell !== '');
    if (cells.length < leastAlone || values.length !== cells.length) return false;
    if (!values.every((value) => numberFromText(value) !== undefined)) return false;
    if (!cells.some((cell) => identifyMetric(cell).metric === 'loss')) return false;
    this.open(cells, header, counters.test(cells[0]!) ? cells[0]! : null, [], null);
    return this.row(text, line);
  }

  private row(text: string, line: number): boolean {
    const { names: header, narrow, says, marked, counter, groups } = this.table!;
    const told = text.replace(drawnBar, '');
    const isBordered = bordered.test(told);
    let cells = isBordered
      ? cellsBetween(told).map((cell) => cell.trim())
      : told.split(apart).filter((cell) => cell !== '');
    // The rows of a data frame are counted in a column that its header leaves out.
    if (says === null && counter === null && cells.length === header.length + 1 && isCount.test(cells[0]!))
      cells = cells.slice(1);
    const broad = isBordered ? cells : cellsOf(told);
    if (says === 'class' && !ofAll.test(cells[0] ?? '')) return false;
    const part = says === 'part' ? partNamed(cells[0] ?? '') : null;
    if (says === 'part' && part === null) return false;
    const isUnmarked = marked.size > 0 && cells.length === header.length - marked.size;
    let names = isUnmarked ? header.filter((name) => !marked.has(name)) : header;
    // A label stands before the numbers, which are set flush right.
    if (part !== null && cells.length < names.length && cells.length > leastAlone)
      names = [names[0]!, ...names.slice(1 - cells.length)];
    if (cells.length !== names.length) {
      const rows = told.split(bars);
      if (broad.length === header.length) [cells, names] = [broad, header];
      else if (cells.length === narrow.length) names = narrow;
      else if (groups.length > 0 && rows.length === groups.length) {
        cells = rows.flatMap((group, at) => cellsOf(group).slice(0, groups[at]));
        if (cells.length !== header.length) return false;
      } else if (!(this.table!.fitted && cells.length > names.length)) return false;
    }
    const values = new Map<string, number>();
    const all = [...names, ...this.unnamed(cells.length - names.length)];
    for (const [index, cell] of cells.slice(0, all.length).entries()) {
      const [count, total] = index === 0 ? cell.split('/') : [cell];
      const value = numberFromText(count!.replace(/[%*]$/, ''));
      if (value === undefined) {
        if (!this.table!.fitted) marked.add(all[index]!);
        continue;
      }
      marked.delete(all[index]!);
      values.set(nameInPart(all[index]!, part), value);
      if (total !== undefined && Number(total) > 1) this.record.plannedSteps = Number(total);
    }
    if (values.size < (says === 'part' ? 1 : 2) || (says === null && !values.has(counter ?? names[0]!)))
      return false;
    this.idle = 0;
    this.rowsUnder = this.part.headings;
    this.table!.fitted = true;
    const reader = this.readerOf(part);
    // Without a counter what is held out is measured after as many rows as training has.
    const isHeld = [part, this.part.open].some((split) => split === 'eval' || split === 'test');
    if (counter === null && isHeld) reader.rows = Math.max(reader.rows, this.trained - 1);
    reader.row(values, line);
    if (counter === null && !isHeld) this.trained = reader.rows;
    return true;
  }

  private readerOf(part: Split | null): RowReader {
    const { readers, counter } = this.table!;
    const known = readers.get(part);
    if (known !== undefined) return known;
    const made = new RowReader(this.record, { ...RowReader.namesFrom([]), step: counter });
    readers.set(part, made);
    return made;
  }

  /** Some rows go on behind the last name, with as many numbers as there are losses and scores: the same, of held-out data. */
  private unnamed(count: number): string[] {
    const measured = this.table!.names.filter((name) => measures.has(identifyMetric(name).metric));
    const held = measured.some((name) => identifyMetric(name).split !== 'train');
    return count > 0 && count === measured.length && !held ? measured.map((name) => `val_${name}`) : [];
  }
}

/** The names below words for parts of the data: `|--- VALID ---|` above `| loss  acc |`. */
function ofGroups(cells: readonly string[], groups: readonly number[], above: readonly string[]): string[] {
  const parts = groups.flatMap((count, at) =>
    new Array<Split | null>(count).fill(partNamed(/[A-Za-z]+/.exec(above[at]!)?.[0] ?? '')),
  );
  return cells.map((cell, at) => nameInPart(cell, parts[at] ?? null));
}

function cellsOf(text: string): string[] {
  return text
    .split(wide)
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '');
}

const mayStandAlone = /loss/i;
const mostTables = 50;
const leastAlone = 3;
const minus = 0x2d;
/** Of `Class`, which begins the header above the scores of each, below which a bar is drawn. */
const capital = 0x43;
const parenthesis = 0x28;
const bar = 0x7c;
/** `#`, `%`, `[`, `!`, `/` and `,`. */
const fronts = new Set([0x23, 0x25, 0x5b, 0x21, 0x2f, 0x2c]);
const bars = /[|│┃]/;
/** A number, a border before it or not. */
const startsRow = /^[\s|│┃]*-?\d/;
const isCount = /^\d+$/;
const wide = /\s{2,}|[\t,|│┃]/;
const apart = /[\s,|│┃]+/;
/** Between bars at both ends a cell may be empty. */
const bordered = /^\s*[|│┃].*[|│┃]\s*$/;

function cellsBetween(text: string): string[] {
  return text.trim().slice(1, -1).split(bars);
}

/** The first byte that is neither blank nor the border of a table; -1 without one. */
function firstByte(bytes: Buffer, from: number, to: number): number {
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!;
    if (byte === 0xe2 && bytes[at + 1] === 0x94) at += 2;
    else if (byte !== 0x20 && byte !== 0x09 && byte !== bar) return byte;
  }
  return -1;
}

function isLetter(byte: number): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
}
