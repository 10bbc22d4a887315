// Numbers without names. Rows whose first number counts, and whose others are measured: `12 4.81 122.7 0.0006`, `17:\t-4.43`,
// `(3, tensor(0.81, device='cuda:0'), 0.64)`; what each column means shows in how it goes (collect/nameless.ts). And lists of what was measured,
// printed when all is over: `val_loss_hist = [1.9, 1.2, 0.9, …]`.

import { identifyMetric, scores } from '../../../record/metrics.js';
import { isDigit } from '../../bytes/characters.js';
import { numberFromText } from '../../bytes/numbers.js';
import type { FileRecord } from '../../collect/file-record.js';
import { inColumns, mayBeLoss } from '../../collect/nameless.js';
import { counters } from './table-rows.js';

const wrapped = /\b(?:np\.)?(?:tensor|array|float\d*)\(([^(),]*)(?:,[^()]*)?\)/gi;
const row = /^\s*[([]?\s*(\d+)(?:[:,;\t]\s*|\s+)(\S.*?)[\])]?,?\s*$/;
const moment = /^(?:\d{4}-\d\d-\d\d.*|\d{1,2}:\d\d(?::\d\d.*)?)$/;
const longest = 300;
/** Names alone. */
const heading = /^\s*[A-Za-z_][\w.%/()#-]*(?:\s+[A-Za-z_][\w.%/()#-]*)*\s*\\?\s*$/;
/** As many rows of one kind tell that it is one; of as many that do not count, nothing is expected any more. */
const fewest = 5;
const mostVain = 1000;

interface Row {
  readonly count: number;
  readonly values: readonly number[];
  readonly line: number;
}

export class BareRows {
  private held: Row[] = [];
  private by = Number.NaN;
  private vain = 0;
  /** The names above the line at hand. */
  private above: readonly string[] = [];
  /** Where the row of data stands that was passed over last. */
  private passed = Number.NaN;
  private list: { readonly name: string; text: string; readonly line: number } | null = null;
  private readonly lists = new Map<string, number>();

  constructor(private readonly record: FileRecord) {}

  /** Whether more may follow: such lines are all looked into. */
  get active(): boolean {
    return this.held.length > 0 || this.list !== null;
  }

  /** True when the line was a row or part of a list. */
  consume(bytes: Buffer, from: number, to: number, line: number): boolean {
    if (this.vain > mostVain) return false;
    if (this.list === null && !mayBe(bytes, from, to)) {
      this.heads(bytes, from, to);
      return false;
    }
    const text = bytes.toString('latin1', from, Math.min(to, from + longestList));
    return this.list !== null ? this.goOn(text) : this.opens(text, line) || this.row(text, line);
  }

  private row(text: string, line: number): boolean {
    if (text.length > longest) return false;
    const [, count, rest] = row.exec(text.replace(wrapped, '$1')) ?? [];
    const cells = rest?.split(/[\s,;]+/).filter((cell) => !moment.test(cell)) ?? [];
    const values = cells.map((cell) => numberFromText(cell));
    if (cells.length === 0 || values.some((value) => value === undefined)) return false;
    if (this.isOfData(cells.length, line)) {
      this.passed = line;
      return true;
    }
    this.see({ count: Number(count), values: values as number[], line });
    return true;
  }

  /** Rows below names of which none tells of a training: the beginning of a data set. */
  private isOfData(values: number, line: number): boolean {
    if (this.passed === line - 1) return true;
    const { above } = this;
    this.above = [];
    return (above.length === values || above.length === values + 1) && !tellsTraining(above);
  }

  private heads(bytes: Buffer, from: number, to: number): void {
    const text = to - from <= longest ? bytes.toString('latin1', from, to) : '';
    const names = heading.test(text) ? text.replace('\\', '').trim().split(/\s+/) : [];
    // The name of the rows' own numbers stands below those of the columns.
    if (names.length !== 1 || this.above.length === 0) this.above = names;
  }

  private see(next: Row): void {
    const { held } = this;
    const last = held.at(-1);
    const by = last === undefined ? Number.NaN : next.count - last.count;
    const goesOn =
      last !== undefined &&
      next.values.length === last.values.length &&
      by > 0 &&
      (Number.isNaN(this.by) || by === this.by);
    if (!goesOn) {
      this.vain += held.length;
      this.held = [next];
      this.by = Number.NaN;
      return;
    }
    this.by = by;
    held.push(next);
    if (held.length < fewest) return;
    for (const told of held.length === fewest ? held : [next])
      for (const [column, value] of told.values.entries()) {
        const name = `column ${column + 2}`;
        const identity = { metric: 'other', split: 'train', subject: inColumns, unit: '', scale: 1 } as const;
        this.record.curve(name, { identity })?.push(told.count, value, Number.NaN, told.line);
        this.record.points++;
      }
    this.vain = 0;
    this.record.reachStep(next.count);
  }

  private opens(text: string, line: number): boolean {
    const found = [...text.matchAll(listed)];
    for (const [, name, numbers] of found) this.keep(name!, numbers!, line);
    if (found.length > 0) return true;
    const name = begun.exec(text)?.[1];
    if (name === undefined || !isTold(name)) return false;
    this.list = { name, text: text.slice(text.indexOf('[') < 0 ? text.length : text.indexOf('[') + 1), line };
    return true;
  }

  private goOn(text: string): boolean {
    const { name, line } = this.list!;
    const end = text.indexOf(']');
    this.list!.text += ` ${text.slice(0, end < 0 ? undefined : end).replace('[', '')}`;
    if (end < 0 && !/[A-DF-Zb-df-hj-mo-z]/.test(text) && this.list!.text.length < longestList) return true;
    this.keep(name, this.list!.text, line);
    this.list = null;
    return true;
  }

  /** What comes more than once is no history, but of a moment each time. */
  private keep(name: string, numbers: string, line: number): void {
    if (!isTold(name)) return;
    const values = numbers
      .split(/[\s,]+/)
      .filter((cell) => cell !== '')
      .map(numberFromText);
    const times = (this.lists.get(name) ?? 0) + 1;
    this.lists.set(name, times);
    const bare = measured(name);
    const { metric, split } = identifyMetric(bare);
    const known = [...this.record.series.values()].some(
      ({ key: { identity, rawName }, seen }) =>
        rawName !== bare && identity.metric === metric && identity.split === split && seen > 1,
    );
    if (values.length < fewest || values.some((value) => value === undefined) || known) return;
    const curve = this.record.curve(bare, { hasSteps: false });
    if (curve === null) return;
    if (times > 1) curve.length = 0;
    else
      for (const [at, value] of values.entries())
        curve.push(at + 1, value! * curve.key.identity.scale, Number.NaN, line);
  }
}

/** A measure beside a counter or another measure. */
function tellsTraining(names: readonly string[]): boolean {
  const measures = names.filter((name) => telling.has(identifyMetric(name).metric)).length;
  return (
    measures > 1 ||
    (names.some((name) => counters.test(name)) &&
      (measures > 0 || names.some((name) => mayBeLoss.test(name))))
  );
}

const longestList = 60_000;
const number = String.raw`(?:[-+]?(?:\d[\d.]*(?:e[-+]?\d+)?|nan|inf))`;
const listed = new RegExp(
  String.raw`['"]?([A-Za-z_][\w ./-]{0,40}?)['"]?\s*[:=]\s*(?:\w+\()?\[\s*(${number}(?:[\s,]+${number}){4,})\s*,?\s*\]`,
  'gi',
);
const begun = /^\s*['"]?([A-Za-z_][\w ./-]{0,40}?)['"]?\s*[:=]\s*(?:\w+\(\s*)?(?:\[[-+\d.,\s\naif]*)?$/i;
const lists = /_?(?:hist(?:ory)?|list|curve|log|values)$/i;
const told: ReadonlySet<string> = new Set(['loss', ...scores]);
const telling: ReadonlySet<string> = new Set([...told, 'reward', 'kl', 'grad_norm', 'learning_rate']);

function measured(name: string): string {
  const bare = name.trim().replace(lists, '');
  return bare.replace(/(loss|acc|accurac)(?:es|s|ies)$/i, (_, word: string) =>
    word.toLowerCase() === 'accurac' ? 'accuracy' : word,
  );
}

function isTold(name: string): boolean {
  return told.has(identifyMetric(measured(name)).metric);
}

/** A digit or a bracket and one begin the line; or a name, and a bracket or a sign ends it. */
function mayBe(bytes: Buffer, from: number, to: number): boolean {
  let at = from;
  while (at < to && (bytes[at] === 0x20 || bytes[at] === 0x09)) at++;
  const first = bytes[at]!;
  if (first === 0x28 || first === 0x5b) return isDigit(bytes[at + 1]!);
  if (isDigit(first)) return to - at <= longest;
  const last = bytes[to - 1]!;
  return (
    last === 0x3d ||
    last === 0x5d ||
    last === 0x7d ||
    (last === 0x2c && bytes.subarray(at, Math.min(to, at + 60)).includes(0x5b))
  );
}
