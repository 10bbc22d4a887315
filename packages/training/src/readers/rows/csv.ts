// Tables of numbers: Lightning's metrics.csv, Keras' CSVLogger, `nvidia-smi --format=csv` and plain CSV. An empty
// cell was not logged; "nan" is a value.
import { identifyMetric, type MetricIdentity } from '../../record/metrics.js';
import { digestFromText } from '../bytes/digest.js';
import { numberFromText } from '../bytes/numbers.js';
import type { FileRecord } from '../collect/file-record.js';
import { LineParser, LineSplitter } from '../lines.js';
import { defineReader, type FileHead, type Parser } from '../reader.js';
import { longestWord, RowWords } from './row-words.js';
import { epochMilliseconds, ofWhichSplit, RowReader } from './rows.js';

export const csv = defineReader({
  id: 'csv',
  title: 'table of metrics',
  fidelity: 7,
  rewritten: true,
  matches: (head) => /\.(csv|tsv)$/.test(head.name) || isNvidiaSmi(head) || isUnnamedTable(head),
  open: (record, head) => {
    const lines = head.text.split(/\r?\n/);
    const remarks = remarksAbove(lines);
    const header = lines[remarks] ?? '';
    const separator = [',', '\t', ';'].sort((a, b) => header.split(b).length - header.split(a).length)[0]!;
    return isNvidiaSmi(head)
      ? new GpuTableParser(record)
      : new CsvParser(record, separator, lines.slice(remarks, -1), remarks);
  },
});

/** How many lines above the header are remarks: `# lr=0.1`. A header that begins so as well has as many cells as the row below it. */
function remarksAbove(lines: readonly string[]): number {
  let count = 0;
  const cells = (at: number): number => (lines[at] ?? '').split(/[,;\t]/).length;
  while (
    lines[count]?.startsWith('#') &&
    (lines[count + 1]?.startsWith('#') || cells(count) !== cells(count + 1))
  )
    count++;
  return count;
}

/** A table under another name (Keras' users call it `training.log`): names joined by commas, semicolons or tabs, then rows of as many cells, most of them numbers. */
function isUnnamedTable({ text }: FileHead): boolean {
  const [header = '', ...rows] = text.split(/\r?\n/, 4).filter((line) => line !== '');
  const separator = ['\t', ';'].find((sign) => header.includes(sign)) ?? ',';
  const [first = '', ...others] = splitCells(header, separator);
  // Who writes a table with the numbers of its rows leaves their column without a name.
  const names = first === '' ? others : [first, ...others];
  const complete = rows.slice(0, 2).map((row) => splitCells(row, separator));
  const numbered = first === '' && complete.every(([cell], at) => cell === String(at));
  // Beside many numbers a word or two may say of what they are, and a date when.
  const numberIn = (cell: string): number | undefined => numberFromCell(cell, separator);
  const words = names.length >= 6 ? names.length / 4 : 0;
  const isWord = (cell: string): boolean =>
    cell !== '' && numberIn(cell) === undefined && !/^"?\d{4}-\d\d-\d\d[ T]/.test(cell);
  return (
    names.length >= (numbered ? 1 : 2) &&
    complete.length > 0 &&
    names.every((name) => /^\s*[A-Za-z_][\w/@.()[\]%:# -]{0,60}$/.test(name)) &&
    complete.every((cells) => cells.length === others.length + 1 && cells.filter(isWord).length <= words)
  );
}

function isNvidiaSmi({ text }: FileHead): boolean {
  return /^[^\n]*(?:utilization\.gpu|memory\.used) \[/.test(text);
}

class CsvParser implements Parser {
  private readonly lines: LineSplitter;
  private columns: string[] | null = null;
  private reader: RowReader | null = null;
  private readonly words = new RowWords();
  private ragged = 0;

  constructor(
    private readonly record: FileRecord,
    private readonly separator: string,
    /** The header and the rows of the beginning. */
    private readonly first: readonly string[],
    remarks: number,
  ) {
    this.lines = new LineSplitter(record, (text, line) => {
      if (line > remarks) this.line(text, line);
    });
  }

  write(chunk: Buffer): void {
    this.lines.write(chunk);
  }

  end(): void {
    this.lines.end();
    if (this.ragged > 0) {
      this.record.note('truncated', `${this.ragged} rows have another number of cells than the header`, -1);
    }
  }

  /** Whether the first rows go up in a column, but for where it begins anew; of a row or two nobody can tell. */
  private counts(index: number): boolean {
    const values = this.first
      .map((row) => numberFromCell(splitCells(row, this.separator)[index] ?? '', this.separator))
      .filter((value) => value !== undefined);
    const least = Math.min(...values);
    const moves = values.slice(1).map((value, at) => ({ to: value, by: value - values[at]! }));
    const falls = moves.filter(({ by, to }) => by < 0 && to > least).length;
    const rises = moves.filter(({ by }) => by > 0).length;
    return values.length < 3 || rises > 2 * falls;
  }

  private line(text: string, line: number): void {
    const cells = splitCells(text, this.separator);
    if (this.columns === null || cells.join() === this.columns.join()) {
      this.columns = ofWhichSplit(cells.map((cell) => cell.replace(/^#+/, '').trim()));
      const { columns } = this;
      this.reader = new RowReader(
        this.record,
        RowReader.namesFrom(columns, (column) => this.counts(columns.indexOf(column))),
      );
      return;
    }
    if (cells.length !== this.columns.length) this.ragged++;
    const values = new Map<string, number>();
    const digests = new Set<string>();
    const words = new Map<string, string>();
    for (const [index, name] of this.columns.entries()) {
      const cell = cells[index];
      if (cell === undefined || cell === '' || name === '') continue;
      const value = numberFromCell(cell, this.separator) ?? timeFromText(name, cell);
      const digest = value === undefined ? digestFromText(cell.trim()) : undefined;
      if (digest !== undefined) digests.add(name);
      if (value !== undefined || digest !== undefined) values.set(name, (value ?? digest)!);
      else if (cell.length <= longestWord) words.set(name, cell.trim());
    }
    const says = this.words.of(words, values);
    if (values.size > 0)
      this.reader!.row(values, line, digests, (column) => this.words.curveName(column, says));
  }
}

/** Where semicolons part the cells, a comma is that of a fraction. */
function numberFromCell(cell: string, separator: string): number | undefined {
  return numberFromText(separator === ';' ? cell.replace(/^("?[-+]?\d*),(?=\d)/, '$1.') : cell);
}

function timeFromText(name: string, cell: string): number | undefined {
  if (!/time|date/i.test(name)) return undefined;
  const time = Date.parse(cell);
  return Number.isNaN(time) ? undefined : time;
}

export function splitCells(text: string, separator: string): string[] {
  if (!text.includes('"')) return text.split(separator);
  const cells: string[] = [];
  let cell = '';
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (quoted) {
      if (char !== '"') cell += char;
      else if (text[at + 1] === '"') {
        cell += '"';
        at++;
      } else quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === separator) {
      cells.push(cell);
      cell = '';
    } else cell += char;
  }
  cells.push(cell);
  return cells;
}

const gpuColumns: Readonly<Record<string, MetricIdentity['metric']>> = {
  'utilization.gpu': 'gpu_utilization',
  'memory.used': 'memory_used',
  'memory.total': 'memory_total',
  'temperature.gpu': 'gpu_temperature',
  'power.draw': 'gpu_power',
};

/** `nvidia-smi --query-gpu=… --format=csv -l`: one row per device and moment, with units in the cells. */
class GpuTableParser extends LineParser {
  private columns: string[] = [];
  private rows = 0;

  protected line(text: string, line: number): void {
    const cells = text.split(',').map((cell) => cell.trim());
    if (/\[(?:MiB|%|W)\]/.test(text) || this.columns.length === 0) {
      this.columns = cells.map((cell) => cell.replace(/ \[.*\]$/, ''));
      return;
    }
    this.rows++;
    const at = (name: string): string | undefined => cells[this.columns.indexOf(name)];
    const index = Number(at('index') ?? 0);
    const time = Date.parse(`${at('timestamp')?.replaceAll('/', '-').replace(' ', 'T') ?? ''}Z`);
    for (const [column, metric] of Object.entries(gpuColumns)) {
      const value = Number.parseFloat(at(column) ?? '');
      if (Number.isNaN(value)) continue;
      const isMemory = metric.startsWith('memory');
      const identity = {
        ...identifyMetric(metric),
        metric,
        split: 'system' as const,
        subject: `gpu.${index}`,
        unit: isMemory ? 'bytes' : metric === 'gpu_utilization' ? 'percent' : '',
      };
      const curve = this.record.curve(column, { identity, hasSteps: false });
      curve?.push(this.rows, value * (isMemory ? 2 ** 20 : 1), epochMilliseconds(time), line);
      this.record.points++;
    }
    const total = Number.parseFloat(at('memory.total') ?? '');
    if (!this.record.gpus.some((gpu) => gpu.index === index)) {
      this.record.gpus.push({
        index,
        name: at('name') ?? null,
        memoryTotal: Number.isNaN(total) ? null : total * 2 ** 20,
        at: this.record.at(line),
      });
    }
  }
}
