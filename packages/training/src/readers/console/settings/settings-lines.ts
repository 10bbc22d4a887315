// Settings, sizes, versions and hardware that a run prints about itself: argument dumps, trainer headers,
// `nvidia-smi` tables, version lines.
import type { SettingValue } from '../../../record/configuration.js';
import { parseTolerantJson } from '../../bytes/tolerant-json.js';
import type { FileRecord } from '../../collect/file-record.js';
import type { DecodedLine } from '../context.js';

const facts: readonly (readonly [RegExp, string])[] = [
  [/^\W*Num examples\s*[=:]\s*([\d,]+)/i, 'num_examples'],
  [/^\W*Num Epochs\s*[=:]\s*([\d,]+)/i, 'num_train_epochs'],
  [/^\W*Instantaneous batch size per device\s*[=:]\s*([\d,]+)/i, 'per_device_train_batch_size'],
  [/^\W*Total train batch size.*?[=:]\s*([\d,]+)\s*$/i, 'total_train_batch_size'],
  [/^\W*Gradient Accumulation steps\s*[=:]\s*([\d,]+)/i, 'gradient_accumulation_steps'],
  [/^\W*Total optimization steps\s*[=:]\s*([\d,]+)/i, 'max_steps'],
  [
    /(?:Number of trainable parameters|(?<!non-)trainable params)\s*[=:]\s*([\d,.]+ ?[KMBG]?)(?![\w.])/i,
    'trainable_parameters',
  ],
  [/number of parameters(?: on .*)?:\s*([\d,.]+ ?[KMBG]?)\b/i, 'num_parameters'],
  [/tokens per iteration will be:\s*([\d,]+)/i, 'tokens_per_iteration'],
  [/(?<!local[ -])\bworld[_ -]?size\W{1,4}(?:is |of )?(\d+)\b(?![.\w])/i, 'world_size'],
  [/\b(?:with|on|across|over|all) (\d+) (?:ranks|replicas)\b/i, 'world_size'],
  // Data are prepared by several processes too.
  [/\bdistributed\b.*\bwith (\d+) processes\b/i, 'world_size'],
  [/\bvocab_size(?:\s*[=:]\s*|\s+)(\d[\d,]*)/i, 'vocab_size'],
  [/\bnum_classes(?:\s*[=:]\s*|\s+)(\d+)/i, 'num_classes'],
];

const libraries =
  'pytorch|torch|transformers|cuda|python|lightning|accelerate|deepspeed|tensorflow|keras|nccl|cudnn|numpy|driver|datasets|peft|trl|jax|triton';
const versionPhrase = new RegExp(
  `\\b(${libraries})(?: runtime)? version:?\\s*(?:is\\s*|=\\s*)?v?(\\d[\\w.+-]*)`,
  'gi',
);
const versionPin = new RegExp(`\\b(${libraries})==(\\d[\\w.+-]*)`, 'gi');

export function readSettingsLine(record: FileRecord, { text, line }: DecodedLine): void {
  for (const [pattern, key] of facts) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const value = plainNumber(match[1]!);
    if (value === null) continue;
    record.setting(key, value, line, 'fact');
    if (key === 'max_steps') record.plannedSteps = value;
    if (key === 'world_size') record.worldSize = value;
  }
  const namespace = /\b(?:Namespace|TrainingArguments|Config|Args)\((.*)\)/.exec(text);
  if (namespace) for (const [key, value] of pythonArguments(namespace[1]!)) record.setting(key, value, line);
  const tree = printedTree(text);
  if (tree !== null) record.settingTree('', tree, line);
  else for (const [key, value] of printedPairs(text)) record.setting(key, value, line);
  const dotted = /^\s*([A-Za-z_][\w-]*) \.{4,}\s*(.*)$/.exec(text);
  if (dotted) record.setting(dotted[1]!, pythonValue(dotted[2]!.trim()), line);
  const overriding = /^Overriding: (\w+) = (.*)$/.exec(text);
  if (overriding) record.setting(overriding[1]!, pythonValue(overriding[2]!.trim()), line);
  for (const match of text.matchAll(versionPhrase)) record.version(libraryName(match[1]!), match[2]!, line);
  for (const match of text.matchAll(versionPin)) record.version(libraryName(match[1]!), match[2]!, line);
  readGpu(record, text, line);
}

const longestTree = 100_000;
const announced =
  /^.{0,80}?\b(?:args|arguments|config(?:uration)?|hparams|hyper-?param(?:eter)?s|settings)\s*[:=]\s*/i;
const pair = /['"]?\b([A-Za-z_][\w.-]*)['"]?\s*[:=]\s*('[^']*'|"[^"]*"|[^\s,;|:={}()[\]'"]+)/g;
/** Between two pairs something must stand: else a long line could be divided in more ways than can be tried. */
const onlyPairs =
  /^[A-Za-z_][\w.-]*\s*[:=]\s*[^\s,;|:=]+(?:[\s,;|]+[A-Za-z_][\w.-]*\s*[:=]\s*[^\s,;|:=]+){1,39}[\s,;|]*$/;

/** `config: {"optim": {"lr": 0.1}}`, with what stands inside of what. */
function printedTree(text: string): object | null {
  const head = announced.exec(text);
  const rest = head ? text.slice(head[0].length).trim() : '';
  if (!rest.startsWith('{') || !rest.endsWith('}') || rest.length > longestTree) return null;
  const value = parseTolerantJson(rest);
  return value !== null && typeof value === 'object' ? value : null;
}

/** `config: {'lr': 0.1, 'optimizer': 'sgd'}`, `args: lr=0.1, epochs=3`, or a line of nothing but such pairs. */
function printedPairs(text: string): [string, SettingValue][] {
  if (text.length > 4000) return [];
  const head = announced.exec(text);
  const rest = head ? text.slice(head[0].length) : onlyPairs.test(text.trim()) ? text : '';
  return Array.from(rest.matchAll(pair), (match) => [match[1]!, pythonValue(match[2]!)]);
}

function readGpu(record: FileRecord, text: string, line: number): void {
  const named =
    /^GPU (\d+): (.+?)(?: \(UUID.*)?$/.exec(text) ??
    /^\|\s+(\d+)\s+((?:NVIDIA|Tesla|GeForce|Quadro|AMD)\S*(?: \S+)*?)\s+(?:On|Off)\s+\|/.exec(text);
  if (named && record.gpus.length < 64) {
    record.gpus.push({ index: Number(named[1]), name: named[2]!, memoryTotal: null, at: record.at(line) });
  }
  const memory = /(\d+)MiB \/ +(\d+)MiB/.exec(text);
  const last = record.gpus.at(-1);
  if (memory && last && last.memoryTotal === null) {
    record.gpus[record.gpus.length - 1] = { ...last, memoryTotal: Number(memory[2]) * 2 ** 20 };
  }
}

function libraryName(name: string): string {
  return name.toLowerCase() === 'pytorch' ? 'torch' : name.toLowerCase();
}

function plainNumber(text: string): number | null {
  const match = /^([\d,.]+?) ?([KMBG])?$/i.exec(text.trim());
  if (match === null) return null;
  const value = Number(match[1]!.replaceAll(',', ''));
  const scale = { k: 1e3, m: 1e6, b: 1e9, g: 1e9 }[match[2]?.toLowerCase() ?? ''] ?? 1;
  return Number.isFinite(value) ? value * scale : null;
}

/** `lr=0.1, betas=(0.9, 0.95), name='a, b'` at the top level of parentheses and quotes. */
export function pythonArguments(text: string): [string, SettingValue][] {
  const pairs: [string, SettingValue][] = [];
  let depth = 0;
  let quote = '';
  let start = 0;
  const take = (end: number): void => {
    const match = /^\s*([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/s.exec(text.slice(start, end));
    if (match && pairs.length < 2000) pairs.push([match[1]!, pythonValue(match[2]!)]);
  };
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (quote !== '') {
      if (char === '\\') at++;
      else if (char === quote) quote = '';
    } else if (char === "'" || char === '"') quote = char;
    else if ('([{'.includes(char)) depth++;
    else if (')]}'.includes(char)) depth--;
    else if (char === ',' && depth === 0) {
      take(at);
      start = at + 1;
    }
  }
  take(text.length);
  return pairs;
}

/** A Python literal as a setting's value. */
export function pythonValue(written: string): SettingValue {
  const text = written.replace(/^([^'"#]*?)\s+#.*$/, '$1');
  if (text === 'None' || text === 'null' || text === '') return null;
  if (text === 'True' || text === 'true') return true;
  if (text === 'False' || text === 'false') return false;
  const number = Number(text);
  // The commit 4e315551 reads like a number, too large for one.
  if (Number.isFinite(number) || /^[+-]?Infinity$/.test(text)) return number;
  return text.replace(/^(['"])(.*)\1$/s, '$2').slice(0, 2000);
}
