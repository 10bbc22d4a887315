// Settings as people paste them in front of a log: one a line, as a table of two columns, as flags of a command, inside a printed dictionary or
// a quoted call (`SGD(model.parameters(), lr=0.1)`). Only names that every tool means alike are taken, and no line that tells a step.
import type { FileRecord } from '../../collect/file-record.js';
import { pythonValue } from './settings-lines.js';

const numeric = new Set(
  `lr learning_rate learning_rate_init base_lr init_lr initial_lr lr0 eta eta0 weight_decay wd momentum batch_size bs train_batch_size
  per_device_train_batch_size epochs num_epochs n_epochs max_epochs num_train_epochs num_classes n_classes num_labels max_grad_norm grad_clip
  clip_grad gradient_clip_val warmup_steps dropout vocab_size`.split(/\s+/),
);
const named = new Set([
  'optimizer',
  'optim',
  'precision',
  'mixed_precision',
  'criterion',
  'loss_fn',
  'activation',
]);

const optimizers =
  /\b(SGD|Adam|AdamW|Adamax|NAdam|Nadam|RAdam|Adagrad|Adadelta|Adafactor|RMSprop|Lion|LAMB)\(([^\n]*)/;
const pair =
  /["']?\b([A-Za-z][\w-]*(?: (?:rate|size|decay|epochs|classes))?)["']?\s*[:=]\s*["']?([\w.+-]+)["']?(?=[\s,;)}\]|]|$)/g;
const row = /^\s*\|\s*["'`]?([A-Za-z][\w -]*?)["'`]?\s*\|\s*["'`]?([\w.+-]+)["'`]?\s*\|\s*$/;
const flag = /--([A-Za-z][\w-]*)(?:=|\s+)([^\s-]\S*)/g;
/** A point of a curve repeats settings; its numbers are the curve's. */
const point =
  /\bloss\w*\W{1,4}[-+]?\d|\bacc(?:uracy)?\w*\W{1,4}\d|\b(?:epoch|step|iter(?:ation)?)\b\W{0,4}\d|\d+%\|/i;
const longest = 1000;
/** More words than this beside the pairs, and the line is somebody's prose about settings that were tried. */
const mostWords = 6;

/** `model.width: 48`: a name without spaces, and one value. */
const single = /^([A-Za-z_][\w.-]*)\s*[:=]\s+?(\S.*)$/;
/** A list of values that people print before training: as many lines in a row, each with a name of its own, are no prose. */
const fewestInBlock = 5;

/** `------------ Options -------------`, `Hyperparameters:`: words of settings alone in their line. */
const heading =
  /^[\s\-=*#]*(?:[\w-]+ ){0,2}(?:options|arguments|args|config(?:uration)?s?|settings|hyper-?parameters|hparams)\s*(?:[-=*#]{3,}|:)\s*$/i;
/** What follows a heading, though it may give no value; and what is measured, which no heading makes a setting. */
const underHeading = /^\s*['"]?([A-Za-z_][\w.-]*)['"]?\s*(?::(?:\s+(.*))?|=\s*(.*))$/;
const measured = /^(?:[a-z]+[_ ])?(?:loss|acc(?:uracy)?|epoch|step|iter(?:ation)?|perplexity|ppl)$/i;
/** A line of several values is a point where it counts, or tells a loss or a score. */
const severalOf =
  /(?:loss|acc(?:uracy)?)\w*\W{1,4}[-+]?(?:\d|nan)|(?:epoch|step|iter(?:ation)?)\W{0,4}\d|\d+%\|/i;
/** What argument parsers print behind a value. */
const usual = /\s+\[default: .*$/;

/** Lines of one setting each, in a row. */
export class SettingsBlock {
  /** Below a heading that says so. */
  isOpen = false;
  private readonly keys = new Set<string>();

  /** True for a heading of settings and the lines below it: their numbers are no points of a curve. */
  consume(record: FileRecord, bytes: Buffer, from: number, to: number, line: number): boolean {
    if (to - from > longest || !(this.isOpen || mayHead(bytes, from, to))) return false;
    const text = bytes.toString('utf8', from, to);
    if (heading.test(text)) {
      this.isOpen = true;
      this.keys.clear();
      return true;
    }
    const match = this.isOpen ? underHeading.exec(text) : null;
    const value = (match?.[2] ?? match?.[3] ?? '').replace(usual, '').trim();
    const isNumber = typeof pythonValue(value) === 'number';
    this.isOpen =
      match !== null &&
      !this.keys.has(match[1]!) &&
      !(isNumber ? measured.test(match[1]!) : severalOf.test(text));
    if (match !== null) this.keys.add(match[1]!);
    if (this.isOpen && value !== '') record.setting(match![1]!, pythonValue(value), line);
    return this.isOpen;
  }

  private held: { readonly key: string; readonly value: string; readonly line: number }[] = [];

  read(record: FileRecord, text: string, line: number): void {
    const match = text.length > longest || point.test(text) ? null : single.exec(text);
    const key = match?.[1] ?? '';
    if (match === null || this.held.some((one) => one.key === key)) {
      this.held = [];
      return;
    }
    this.held.push({ key, value: match[2]!.trim(), line });
    if (this.held.length < fewestInBlock) return;
    const told = this.held.length === fewestInBlock ? this.held : this.held.slice(-1);
    for (const one of told) record.setting(one.key, pythonValue(one.value), one.line);
  }
}

/** `text` is a line near the beginning of a log. */
export function readStatedSettings(record: FileRecord, text: string, line: number): void {
  if (text.length > longest || point.test(text)) return;
  const cells = row.exec(text);
  if (cells) {
    take(record, cells[1]!, cells[2]!, line);
    return;
  }
  const call = optimizers.exec(text);
  if (call) {
    record.setting('optimizer', call[1]!, line);
    const first = /^\s*([\d.]+(?:e-?\d+)?)\s*[,)]/.exec(call[2]!);
    if (first) take(record, 'lr', first[1]!, line);
  }
  for (const [, name, value] of text.matchAll(flag)) take(record, name!, value!, line);
  const pairs = [...text.matchAll(pair)];
  if (!call && (text.replace(pair, ' ').match(/[A-Za-z]{2,}/g)?.length ?? 0) > mostWords) return;
  for (const [, name, value] of pairs) take(record, name!, value!, line);
}

function take(record: FileRecord, name: string, text: string, line: number): void {
  const key = name.toLowerCase().replace(/[^a-z0-9]+/g, '_');
  const value = pythonValue(text);
  if (numeric.has(key) ? typeof value === 'number' : named.has(key) && typeof value === 'string')
    record.setting(key, value, line);
}

/** A rule or a colon ends the line. */
function mayHead(bytes: Buffer, from: number, to: number): boolean {
  const last = bytes[to - 1];
  return (
    to - from < 120 && (last === 0x2d || last === 0x3d || last === 0x2a || last === 0x23 || last === 0x3a)
  );
}
