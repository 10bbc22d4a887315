// Curves in a JSON document that is written when training ends, in any of the shapes that people save them in: rows (`[{"step": 0, "loss": 2.3}, …]`)
// at the top or below any key, lists of numbers by name (Keras' History), points (`[[0, 2.3], …]`), or an object for each epoch. What stands
// around them are settings.
import { identifyMetric, type MetricName, scores } from '../../record/metrics.js';
import { numberFromText } from '../bytes/numbers.js';
import { JsonTokenizer } from '../bytes/tolerant-json.js';
import { FileRecord } from '../collect/file-record.js';
import { PointBudget } from '../collect/series-builder.js';
import { defineReader, endJson, type Parser } from '../reader.js';
import { longestWord, partNamed } from './row-words.js';
import { epochMilliseconds, MixedRows, settingsKeys } from './rows.js';

export const jsonDocument = defineReader({
  id: 'json-document',
  title: 'JSON document of measurements',
  fidelity: 8,
  rewritten: true,
  matches: ({ name, text }) =>
    name.endsWith('.json') && (/^\s*\[\s*\{\s*"/.test(text) || (/^\s*[[{]/.test(text) && holdsCurves(text))),
  open: (record) => new DocumentParser(record),
});

/** What no file of settings holds a list of. */
const telling: ReadonlySet<MetricName> = new Set(['loss', 'reward', ...scores]);

/** Reads what another notation was parsed into, of which no lines are known; false where it holds no curves. */
export function readCurves(record: FileRecord, value: unknown): boolean {
  // What is no number has no notation in JSON; a text that says so is read as one.
  const text = JSON.stringify(value, (_key, item) =>
    typeof item === 'number' && !Number.isFinite(item) ? String(item) : item,
  );
  if (text === undefined || !/^[[{]/.test(text) || !holdsCurves(text, fewestOfCurve)) return false;
  new DocumentParser(record, false).write(Buffer.from(text));
  return true;
}

/** Such notations are for settings in the first place, which hold short lists too, such as a weight for each loss. */
const fewestOfCurve = 5;

function holdsCurves(text: string, fewestPoints = 1): boolean {
  const record = new FileRecord('', 'json-document', new PointBudget());
  const parser = new DocumentParser(record);
  parser.write(Buffer.from(text));
  return [...record.series.values()].some(
    ({ key, hasSteps, length }) =>
      telling.has(key.identity.metric) &&
      hasSteps &&
      length >= fewestPoints &&
      (fewestPoints === 1 || key.identity.subject === null),
  );
}

interface Frame {
  readonly kind: 'object' | 'array';
  /** Empty for what stands in a list. */
  readonly key: string;
  readonly isSettings: boolean;
  /** Numbers of a list: all of a point, of a curve those that were not told yet. */
  readonly numbers: { readonly value: number; readonly line: number }[];
  items: number;
}

interface Row {
  readonly depth: number;
  readonly values: Map<string, number>;
  readonly words: Map<string, string>;
}

/** Shorter lists of numbers whose name says nothing are settings, such as the betas of Adam. */
const fewest = 3;
/** `{"epoch_3": {"loss": 0.4}, …}` and `{"3": …}`. */
const counted = /^(?:(epoch|ep|step|iter(?:ation)?)[_ -]?)?(\d{1,9})$/i;

class DocumentParser implements Parser {
  private readonly tokenizer: JsonTokenizer;
  private readonly rows: MixedRows;
  private readonly frames: Frame[] = [];
  private key = '';
  private row: Row | null = null;

  constructor(
    private readonly record: FileRecord,
    hasLines = true,
  ) {
    const place = (line: number): number => (hasLines ? line : -1);
    this.rows = new MixedRows(record);
    this.tokenizer = new JsonTokenizer({
      key: (name) => {
        this.key = name;
      },
      open: (kind) => this.open(kind),
      close: (_kind, _offset, line) => this.close(place(line)),
      value: (value, _offset, line) => this.value(value, place(line)),
    });
  }

  write(chunk: Buffer): void {
    this.tokenizer.write(chunk);
  }

  end(): void {
    endJson(this.tokenizer, this.record);
  }

  private open(kind: 'object' | 'array'): void {
    const { frames } = this;
    const parent = frames.at(-1);
    const key = parent?.kind === 'object' ? this.key : '';
    const isSettings = parent?.isSettings === true || settingsKeys.has(key.toLowerCase());
    if (parent) parent.items++;
    if (this.row === null && kind === 'object' && !isSettings && parent !== undefined) {
      const [whole, unit = 'epoch', count] = counted.exec(key) ?? [];
      if (parent.kind === 'array' || whole !== undefined) {
        const part = frames.map((frame) => frame.key).findLast((name) => partNamed(name) !== null);
        this.row = {
          depth: frames.length,
          values: new Map(count === undefined ? [] : [[unit.toLowerCase(), Number(count)]]),
          words: new Map(part === undefined ? [] : [['split', part]]),
        };
      }
    }
    frames.push({ kind, key, isSettings, numbers: [], items: 0 });
  }

  private close(line: number): void {
    const { frames, row } = this;
    const frame = frames.pop();
    if (row !== null && row.depth === frames.length) {
      this.row = null;
      this.rows.row(row.values, line, undefined, row.words);
    } else if (frame?.kind === 'array' && row === null) {
      if (frames.at(-1)?.kind === 'array') this.point(frame);
      else if (frame.items > 0 && frame.items === frame.numbers.length)
        this.record.setting(this.dotted(frame.key), frame.numbers.map(({ value }) => value).join(', '), line);
    }
    this.key = frame?.key ?? '';
  }

  private value(value: string | number | boolean | null, line: number): void {
    const { frames, row, key } = this;
    const frame = frames.at(-1);
    if (frame === undefined) return;
    const number =
      typeof value === 'number' ? value : typeof value === 'string' ? numberFromText(value) : undefined;
    if (row !== null) {
      if (frame.kind === 'array') return;
      const name = [...frames.slice(row.depth + 1).map((inner) => inner.key), key].join('/');
      if (number !== undefined) row.values.set(name, number);
      else if (typeof value === 'string' && value.length <= longestWord) row.words.set(name, value);
    } else if (frame.kind === 'object') this.record.setting(this.dotted(key), value, line);
    else this.item(frame, number, line);
  }

  /** One of a list: of a curve, of a point or of settings. */
  private item(frame: Frame, number: number | undefined, line: number): void {
    const index = ++frame.items;
    if (number === undefined) return;
    frame.numbers.push({ value: number, line });
    if (frame.isSettings || this.frames.at(-2)?.kind === 'array') return;
    const name = this.curveName(this.frames.map(({ key }) => key));
    if (index < fewest && identifyMetric(name).metric === 'other') return;
    const from = index - frame.numbers.length + 1;
    for (const [at, { value, line: place }] of frame.numbers.entries())
      this.record.point(name, from + at, value, place);
    frame.numbers.length = 0;
  }

  /** `[step, value]`, or `[time, step, value]` as TensorBoard saves a curve. */
  private point({ numbers, items, isSettings }: Frame): void {
    const [first, second, third] = numbers;
    if (isSettings || items !== numbers.length || second === undefined || items > 3) return;
    const name = this.curveName(this.frames.map(({ key }) => key));
    if (third === undefined) this.record.point(name, first!.value, second.value, second.line);
    else {
      const time = epochMilliseconds(first!.value);
      if (!Number.isNaN(time)) this.record.point(name, second.value, third.value, third.line, time);
    }
  }

  /** What a list is called, with what stands above it that tells its part of the data. */
  private curveName(path: readonly string[]): string {
    const keys = path.filter((key) => key !== '');
    const last = keys.at(-1) ?? '';
    const above = keys.slice(0, -1);
    // {"loss": {"train": […], "val": […]}}
    if (partNamed(last) !== null && identifyMetric(last).metric === 'other')
      return [...above.slice(-1), last].join('/');
    return [...above.filter((key) => partNamed(key) !== null).slice(-1), last].join('/');
  }

  private dotted(key: string): string {
    return [...this.frames.map((frame) => frame.key), key].filter((part) => part !== '').join('.');
  }
}
