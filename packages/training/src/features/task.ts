// What kind of run this is: the loss kind, the number of classes or words, the optimizer and the precision. Thresholds
// depend on them. Each comes with `null` when the artefacts do not say.
import { findSeries, type RunRecord, setting } from '../record/run-record.js';

export type LossKind = 'language_model' | 'classification' | 'regression' | 'reinforcement' | 'unknown';
export type OptimizerKind = 'adaptive' | 'sgd' | 'sign' | 'unknown';
export type PrecisionKind = 'fp16' | 'bf16' | 'fp32' | 'unknown';

export interface Task {
  readonly loss: LossKind;
  readonly optimizer: OptimizerKind;
  readonly optimizerName: string | null;
  /** Said by the run itself, not presumed of its tool. */
  readonly optimizerStated: boolean;
  readonly precision: PrecisionKind;
  /** Classes of a classifier or words of a language model. */
  readonly outcomes: number | null;
  /** Starts from trained weights, as far as the settings say. */
  readonly fineTuning: boolean;
}

const languageModels =
  /gpt|llama|mistral|qwen|gemma|phi|opt|bloom|falcon|t5|bart|causal|lm\b|mamba|rwkv|seq2seq|translation/i;
const classifiers = /classif|resnet|vit\b|vgg|efficientnet|convnext|mnist|cifar|imagenet|cross.?entropy/i;
const regressions = /regress|mse|l1loss|smooth.?l1|huber|mean.?squared|mae\b|diffusion|unet/i;

export function taskOf(record: RunRecord): Task {
  const stated = textSetting(record, 'optimizer') ?? printedOptimizer(record);
  const optimizerName = stated ?? defaultOptimizer(record);
  return {
    loss: lossKindOf(record),
    optimizer: optimizerKindOf(optimizerName),
    optimizerName,
    optimizerStated: stated !== null,
    precision: precisionOf(record),
    outcomes:
      numberSetting(record, 'num_classes') ?? countedFew(record) ?? numberSetting(record, 'vocab_size'),
    fineTuning: isFineTuning(record),
  };
}

export function numberSetting(record: RunRecord, name: string): number | null {
  const value = setting(record, name)?.value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string' || value.trim() === '') return null;
  const parsed = Number(value.replaceAll(',', ''));
  return Number.isFinite(parsed) ? parsed : null;
}

export function textSetting(record: RunRecord, name: string): string | null {
  const value = setting(record, name)?.value;
  return value === undefined || value === null ? null : String(value);
}

export function flagSetting(record: RunRecord, name: string): boolean | null {
  const value = setting(record, name)?.value;
  if (typeof value === 'boolean') return value;
  if (value === 'true' || value === 'True' || value === 1) return true;
  if (value === 'false' || value === 'False' || value === 0) return false;
  return null;
}

/** The labels that the hooks counted are far fewer than the words: texts go in, and classes come out. Null where they are not. */
function countedFew(record: RunRecord): number | null {
  const words = numberSetting(record, 'vocab_size');
  const highest = findSeries(record, 'label_max');
  const labels = highest ? 1 + Math.max(...highest.values) : null;
  return words !== null && labels !== null && labels >= 2 && labels < 0.5 * words ? labels : null;
}

function lossKindOf(record: RunRecord): LossKind {
  if (findSeries(record, 'reward') || hasTwoPlayers(record)) return 'reinforcement';
  const words = numberSetting(record, 'vocab_size') !== null && countedFew(record) === null;
  if (findSeries(record, 'perplexity') || words) return 'language_model';
  if (findSeries(record, 'accuracy') || findSeries(record, 'f1')) return 'classification';
  if (numberSetting(record, 'num_classes') !== null) return 'classification';
  const described = [
    textSetting(record, 'loss'),
    textSetting(record, 'model'),
    textSetting(record, 'task'),
  ].join(' ');
  if (regressions.test(described)) return 'regression';
  if (languageModels.test(described)) return 'language_model';
  if (classifiers.test(described)) return 'classification';
  if (findSeries(record, 'error_metric')) return 'regression';
  if (numberSetting(record, 'sequence_length') !== null) return 'language_model';
  return 'unknown';
}

/** A generator and a discriminator balance each other: like a policy's, their losses are not meant to fall. */
function hasTwoPlayers(record: RunRecord): boolean {
  const names = record.series
    .filter(({ metric }) => metric === 'loss')
    .map(({ rawName }) => rawName.toLowerCase());
  return (
    names.some((name) => /(^|[^a-z])(d|disc|discriminator|critic)($|[^a-z])/.test(name)) &&
    names.some((name) => /(^|[^a-z])(g|gen|generator|actor)($|[^a-z])/.test(name))
  );
}

/** `Adam (` above `Parameter Group 0`: an optimizer of PyTorch that was printed as it is; or `trained with Adam, lr 0.1`. */
function printedOptimizer({ text: { lines } }: RunRecord): string | null {
  const group = lines.findIndex(({ text }) => /^\s*Parameter Group 0\s*$/.test(text));
  const printed = (group > 0 && /(\w+) \(\s*$/.exec(lines[group - 1]!.text)?.[1]) || null;
  const told = lines.slice(0, mostSaid).find(({ text }) => text.length < 200 && besideRate.test(text));
  return printed ?? (told ? besideRate.exec(told.text)![1]! : null);
}

const mostSaid = 200;
const besideRate = /\b(SGD|Adam\w{0,3}|RMSprop|Nadam|Lion)\b[^\n]{0,40}\b(?:lr|learning[ _]rate)\b/i;

/** The Hugging Face Trainer uses AdamW unless its arguments say otherwise, and does not write down that it did. */
function defaultOptimizer(record: RunRecord): string | null {
  const isTrainer = record.sources.some(({ reader }) => reader === 'trainer-state');
  const speaksAsTrainer = record.exits.some(
    ({ reason, text }) => reason === 'completed' && /'train_runtime'.*'train_samples_per_second'/.test(text),
  );
  return isTrainer || speaksAsTrainer ? 'adamw' : null;
}

function optimizerKindOf(name: string | null): OptimizerKind {
  if (name === null) return 'unknown';
  if (/lion|sign/i.test(name)) return 'sign';
  // They divide by all gradients so far, and bear a hundred times the rate of the others: their rate tells little.
  if (/adagrad|adadelta/i.test(name)) return 'unknown';
  if (/adam|lamb|rmsprop|adafactor|novograd|muon|sophia|shampoo/i.test(name)) return 'adaptive';
  if (/sgd|momentum|nesterov/i.test(name)) return 'sgd';
  return 'unknown';
}

/** What loops print of the type they compute in; a choice that is only offered (`--fp16`, `fp16 or bf16`) says nothing. */
export const halfPrecision =
  /\b(dtype|precision|using|running in|mode)\W{1,3}(torch\.)?(fp16|float16|half)\b|\b(?:fp16|float16|half.precision) (?:fine-?tun|train)|\b(pure|true) half\b|model\.half\(\)|(?<!-)\b(amp|mixed.precision|autocast)\b\W{1,3}(\w+\W{1,3}){0,2}(torch\.)?(fp16|float16)\b(?! or|\/)/i;

function precisionOf(record: RunRecord): PrecisionKind {
  if (flagSetting(record, 'fp16') === true) return 'fp16';
  if (flagSetting(record, 'bf16') === true) return 'bf16';
  const text = textSetting(record, 'precision') ?? '';
  if (/bf16|bfloat/i.test(text)) return 'bf16';
  if (/fp16|float16|half|^16/i.test(text)) return 'fp16';
  if (/32|full|no/i.test(text)) return 'fp32';
  if (findSeries(record, 'loss_scale')) return 'fp16';
  if (record.text.lines.some(({ text }) => text.length < 300 && halfPrecision.test(text))) return 'fp16';
  return 'unknown';
}

function isFineTuning(record: RunRecord): boolean {
  const keys =
    /resume|from_pretrained|pretrained|finetun|fine_tun|checkpoint_path|init_from|lora|peft|adapter|base_model/i;
  return record.settings.some(
    (entry) =>
      keys.test(entry.key) &&
      entry.value !== null &&
      entry.value !== false &&
      !/^(|none|no|false|scratch)$/i.test(String(entry.value)),
  );
}

/** The span of peak learning rates that commonly works, by optimizer family. */
export function usualLearningRates(optimizer: OptimizerKind): readonly [low: number, high: number] {
  switch (optimizer) {
    case 'adaptive':
      return [1e-6, 1e-2];
    case 'sign':
      return [1e-7, 2e-3];
    case 'sgd':
      return [1e-5, 1];
    case 'unknown':
      return [1e-6, 1];
  }
}
