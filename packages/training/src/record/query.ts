// The questions features and detectors ask of a record: which series, which setting, which traceback came first.
import type { Setting } from './configuration.js';
import type { Traceback } from './exception.js';
import type { MetricName } from './metrics.js';
import type { RunRecord } from './run.js';
import type { Series, Split } from './series.js';

export interface SeriesQuery {
  /** Without it: `train`, or `system` for what only machines measure. */
  readonly split?: Split;
  readonly rank?: number;
  readonly subject?: string;
}

/** Every series of a metric, those with the most points first; all splits unless one is named. */
export function allSeries(record: RunRecord, metric: MetricName, query: SeriesQuery = {}): Series[] {
  return record.series
    .filter(
      (series) =>
        series.metric === metric &&
        (query.split === undefined || series.split === query.split) &&
        (query.rank === undefined || series.rank === query.rank) &&
        (query.subject === undefined || series.subject === query.subject),
    )
    .sort((a, b) => b.seen - a.seen);
}

/** The series that best stands for a metric: the named split (train and system first without one), real steps before counted ones, the whole before its parts, longest first. */
export function findSeries(record: RunRecord, metric: MetricName, query: SeriesQuery = {}): Series | null {
  const found = allSeries(record, metric, query);
  const rankOf = (series: Series): number =>
    (query.split === undefined && (series.split === 'eval' || series.split === 'test') ? 4 : 0) +
    (series.hasSteps ? 0 : 2) +
    (series.subject === null ? 0 : series.subject === 'total' ? 0.5 : 1);
  return found.sort((a, b) => rankOf(a) - rankOf(b) || b.seen - a.seen)[0] ?? null;
}

const aliases: Readonly<Record<string, string>> = {
  learning_rate: `lr learning_rate base_lr max_lr peak_lr learningrate learning_rate_init init_lr initial_lr lr0 eta0
    eta`,
  batch_size: `batch_size per_device_train_batch_size train_batch_size micro_batch_size
    train_micro_batch_size_per_gpu batchsize bs`,
  gradient_accumulation:
    'gradient_accumulation_steps accumulate_grad_batches grad_accum gradient_accumulation',
  gradient_clipping: `max_grad_norm gradient_clip_val clip_grad_norm grad_clip clip_grad gradient_clipping clipnorm
    clip_norm`,
  warmup: 'warmup_steps warmup_iters num_warmup_steps lr_warmup_steps warmup_ratio warmup',
  optimizer: 'optim optimizer optimizer_type optimizer_name optimizer_class',
  weight_decay: 'weight_decay wd',
  precision: 'precision mixed_precision dtype torch_dtype amp_dtype compute_dtype',
  fp16: 'fp16 use_fp16 half',
  bf16: 'bf16 use_bf16 bfloat16',
  sequence_length: `max_seq_length max_length block_size seq_length sequence_length seq_len sequence_len context_length
    max_seq_len model_max_length`,
  vocab_size: 'vocab_size n_vocab padded_vocab_size num_embeddings',
  num_classes: 'num_classes num_labels n_classes nb_classes classes',
  num_workers: 'num_workers dataloader_num_workers workers n_workers',
  gradient_checkpointing: 'gradient_checkpointing activation_checkpointing use_checkpoint recompute',
  max_steps:
    'max_steps total_steps max_iters train_iters total_train_steps num_training_steps max_train_steps',
  epochs: 'num_train_epochs epochs max_epochs num_epochs n_epochs',
  loss: 'loss loss_fn criterion objective loss_function',
  model: 'model model_name model_name_or_path base_model arch architecture model_type _name_or_path',
  num_parameters: 'trainable_parameters num_parameters n_params total_parameters num_params',
  num_examples: 'num_examples n_examples num_samples dataset_size train_size',
  seed: 'seed random_seed',
};

/** Keys that differ only in how they are written are one. */
export const simplify = (key: string): string => key.toLowerCase().replaceAll('-', '_');

/** `optimizer.name` beside `optimizer.lr` says which optimizer it is. */
const itsName = /(?<=.)\.(?:name|type|kind|class|cls|class_name|_target_)$/;

function keyOf(key: string): string {
  return simplify(key).replace(itsName, '');
}

/** What a key of a settings file means, by its last part: `trainer.lr` is the learning rate. Null for keys that Grus has no name for. */
export function canonicalName(key: string): string | null {
  const simple = keyOf(key);
  return meanings.get(simple) ?? meanings.get(simple.slice(simple.lastIndexOf('.') + 1)) ?? null;
}

const meanings: ReadonlyMap<string, string> = new Map(
  Object.entries(aliases).flatMap(([name, keys]) => keys.split(/\s+/).map((key) => [key, name] as const)),
);

/**
 * A setting by name: the known aliases of the name, the exact key before the last part of a dotted one.
 * Null when the run's artefacts do not say.
 */
export function setting(record: RunRecord, name: string): Setting | null {
  const wanted = aliases[name]?.split(/\s+/) ?? [simplify(name)];
  const byKey = new Map<string, Setting>();
  const byTail = new Map<string, Setting>();
  for (const entry of record.settings) {
    const key = keyOf(entry.key);
    if (!byKey.has(key)) byKey.set(key, entry);
    const tail = key.slice(key.lastIndexOf('.') + 1);
    if (!byTail.has(tail) || byTail.get(tail)?.value === null) byTail.set(tail, entry);
  }
  for (const alias of wanted) {
    const exact = byKey.get(alias);
    if (exact && exact.value !== null) return exact;
  }
  for (const alias of wanted) {
    const tail = byTail.get(alias);
    if (tail && tail.value !== null) return tail;
  }
  return null;
}

/** Tracebacks that can be the cause, the earliest first: by time where the text gives one, else as read. Launchers' own and ignored ones are left out. */
export function earliestTracebacks(record: RunRecord): Traceback[] {
  return record.tracebacks
    .filter((traceback) => !traceback.launcher && !traceback.ignored)
    .sort((a, b) => (a.time !== null && b.time !== null ? a.time - b.time : 0) || a.order - b.order);
}
