// Figures of every rank that one of them prints for all: a table with a row for each, or a list below a heading.
//   worker      | data ms | sync ms          forward-compute (ms):
//   host-0/gpu0 |     6.6 |    38.2             rank  0: 1005.92
//   host-0/gpu1 |     6.0 |    39.4             rank  1: 1004.11
import { isTimeName } from '../../../record/phase-names.js';
import { numberFromText } from '../../bytes/numbers.js';
import type { FileRecord } from '../../collect/file-record.js';

const longest = 240;
const ofRanks = /^(?:(?:global|world)[ _]?)?(?:rank|worker|process|replica|gpu|device)s?(?: ?id)?$/i;
const place = /^(?<host>[A-Za-z][\w.-]*)[/:](?:gpu|cuda:?)?(?<device>\d{1,3})$/i;
const counted = /^(?:rank|worker|gpu|process|replica)?[ _:#-]{0,2}(\d{1,5})$/i;
const listed = /^\s*rank\s*[:=#]?\s*(\d{1,5})\s*[:=|]\s*(-?\d\S*)\s*([a-zµ]{1,7})?\s*$/i;
const heading = /^\s*([A-Za-z][^:]{0,60}?)(?:\s*\(([a-zµ]{1,7})\))?\s*:\s*$/;

interface Row {
  readonly label: string;
  readonly cells: readonly (readonly [name: string, value: number])[];
  readonly line: number;
}

export class RankRows {
  private columns: readonly string[] | null = null;
  private heading: { readonly name: string; readonly line: number } | null = null;
  private rows: Row[] = [];
  private blocks = 0;
  /** The ranks of labels that are no numbers, in the order in which they came first. */
  private readonly known = new Map<string, number>();

  constructor(private readonly record: FileRecord) {}

  /** True when the line belongs to such a table or list. */
  consume(bytes: Buffer, from: number, to: number, line: number, step: number | null): boolean {
    if (to - from > longest) return false;
    if (this.columns === null && this.rows.length === 0 && !mayBegin(bytes, from, to)) return false;
    const text = bytes.toString('utf8', from, to);
    if (this.columns !== null || this.rows.length > 0) {
      if (/^[\s\p{P}\p{S}]*$/u.test(text)) return true;
      const row = this.rowOf(text, line);
      if (row) {
        this.rows.push(row);
        return true;
      }
      this.close(step);
    }
    return this.begins(text, line);
  }

  /** What was read so far is whole. */
  close(step: number | null): void {
    const ranks = this.rows.map(({ label }) => this.rankOf(label));
    // Places in a contest are called ranks too: what ranks of a job print of each other is how long they took.
    const isOfAll =
      this.rows.length > 1 &&
      ranks.every((rank, at) => rank === at) &&
      this.rows[0]!.cells.some(([name]) => isTimeName(name));
    for (const [rank, { cells, label, line }] of isOfAll ? this.rows.entries() : []) {
      const { host = null, device } = place.exec(label)?.groups ?? {};
      if (host !== null) this.record.seat({ rank, host, device: Number(device), pid: null });
      for (const [name, value] of cells) {
        const curve = this.record.curve(name, { rank });
        curve?.push(step ?? this.blocks, value * curve.key.identity.scale, Number.NaN, line);
        this.record.points++;
      }
    }
    if (isOfAll) this.blocks++;
    this.columns = null;
    this.heading = null;
    this.rows = [];
  }

  private begins(text: string, line: number): boolean {
    const cells = cellsOf(text);
    if (cells.length > 1 && ofRanks.test(cells[0]!) && cells.every((cell) => /[a-z]/i.test(cell))) {
      this.columns = cells;
      return true;
    }
    const found = heading.exec(text);
    if (found) this.heading = { name: [found[1], found[2]].filter(Boolean).join(' '), line };
    else if (this.heading?.line === line - 1) {
      const row = this.rowOf(text, line);
      if (row) this.rows.push(row);
      return row !== null;
    }
    return false;
  }

  private rowOf(text: string, line: number): Row | null {
    if (this.columns === null) {
      const [, rank, digits, unit = ''] = listed.exec(text) ?? [];
      const value = digits === undefined ? undefined : numberFromText(digits);
      if (value === undefined || this.heading === null) return null;
      return { label: rank!, cells: [[`${this.heading.name} ${unit}`.trim(), value]], line };
    }
    const [label = '', ...cells] = cellsOf(text);
    const names = this.columns.slice(1);
    if (cells.length !== names.length || !(counted.test(label) || place.test(label))) return null;
    const values = cells.flatMap((cell, at) => {
      const value = numberFromText(cell);
      return value === undefined ? [] : [[names[at]!, value] as const];
    });
    return values.length === 0 ? null : { label, cells: values, line };
  }

  private rankOf(label: string): number {
    const number = counted.exec(label)?.[1];
    if (number !== undefined) return Number(number);
    const rank = this.known.get(label) ?? this.known.size;
    this.known.set(label, rank);
    return rank;
  }
}

function cellsOf(text: string): string[] {
  return text
    .split(/\s{2,}|[\t|│┃]/)
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '');
}

/** Asked of every line: a name for ranks stands first, or a colon last. */
function mayBegin(bytes: Buffer, from: number, to: number): boolean {
  if (bytes[to - 1] === 0x3a) return true;
  let at = from;
  while (at < to && !isLetter(bytes[at]!)) at++;
  return firstLetters.has(bytes[at]! | 0x20);
}

const firstLetters: ReadonlySet<number> = new Set([...'grwpd'].map((letter) => letter.charCodeAt(0)));

function isLetter(byte: number): boolean {
  return (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
}
