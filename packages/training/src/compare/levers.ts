// Which part of training a setting acts on, by its name, and which parts can bring about which failures. A new kind of
// setting is one word in the table; a new group of causes is one row of the other.
import type { Group } from '../causes/groups.js';
import { canonicalName } from '../record/query.js';

/** What a difference between runs acts on. */
export type Lever = keyof typeof untold;

/** Names that a run has for people and for its files, and how often it reports: training does not see them. */
const unseenWords = words(
  'seed name experiment exp project job id uuid tag tags note notes user username author email entity',
  'dir directory folder output outputs save saved checkpoint checkpoints ckpt log logs logging logger logdir print verbose report',
  'wandb tensorboard mlflow tqdm progress port addr host hostname pid date timestamp start started created finished version slurm dist',
  'freq interval url api debug',
);
/** The same, where nothing else stands beside them: `out`, but not `lambda_out`. */
const unseenAlone = words('out time run node group rank address');
/** Words that make a name of the kind above matter all the same: `name` of a data set, `version` of a tokenizer. */
const seenWords = words(
  'model data dataset tokenizer optimizer optim loss scheduler schedule lr architecture arch activation pretrained weights train',
  'lora hidden layers dim dims channels heads embed embedding features size dropout',
);
/** How often and in what batches a run is evaluated, and what becomes of its model afterwards. */
const evaluation = words('eval evaluation val validation test');
const evaluated = words(
  'steps step every interval strategy freq frequency batch batches accumulation delay epoch epochs',
);
const afterwards = words('hub best');

const table: Readonly<Record<Exclude<Lever, 'other' | 'library'>, ReadonlySet<string>>> = {
  code: words('git commit revision sha branch code script entrypoint'),
  machine: words('device devices accelerator gpu gpus cuda backend'),
  loading: words('workers prefetch pin persistent cache buffer dataloader'),
  precision: words(
    'precision dtype fp16 bf16 half amp autocast scale scaler scaling tf32 float16 bfloat16 quantization',
  ),
  start: words('init initialization initializer pretrained resume warmstart finetune restore weights'),
  regularisation: words(
    'dropout drop decay wd smoothing mixup cutmix l1 l2 regularization noise droppath mask masking',
  ),
  steps: words(
    'lr rate learningrate optimizer optim opt momentum mom beta beta1 beta2 betas eps epsilon adam sgd warmup schedule scheduler gamma',
    'clip clipping clipnorm nesterov accumulation accumulate polyak ema tau',
  ),
  batch: words('batch batchsize bs micro minibatch sequence seq length context block tokens'),
  objective: words(
    'loss criterion objective reduction margin temperature alpha focal reward discount entropy coef weight aux',
  ),
  model: words(
    'model arch architecture layers layer hidden width depth dim dims heads head channels kernel filters units embed embedding activation norm',
    'encoder decoder backbone rank lora parameters params size freeze frozen trainable',
  ),
  length: words('epochs epoch steps iters iterations max patience stop stopping'),
  data: words(
    'data dataset datasets corpus tokenizer vocab vocabulary label labels classes split splits fold shuffle augment augmentation',
    'transform transforms normalize mean std examples samples rows train val valid validation test file files path feature features target columns crop resize',
  ),
};

/** The canonical settings, whose names need no guess. */
const canonical: Readonly<Record<string, Lever>> = {
  learning_rate: 'steps',
  gradient_accumulation: 'steps',
  gradient_clipping: 'steps',
  warmup: 'steps',
  optimizer: 'steps',
  weight_decay: 'regularisation',
  precision: 'precision',
  fp16: 'precision',
  bf16: 'precision',
  batch_size: 'batch',
  sequence_length: 'batch',
  gradient_checkpointing: 'batch',
  vocab_size: 'data',
  num_classes: 'data',
  num_examples: 'data',
  num_workers: 'loading',
  max_steps: 'length',
  epochs: 'length',
  loss: 'objective',
  model: 'model',
  num_parameters: 'model',
};

const optimizers = words(
  'adam adamw adamax nadam radam sparseadam adagrad adadelta adafactor sgd asgd rmsprop rprop lbfgs lamb lars lion ftrl muon shampoo',
);

export function isOptimizer(value: unknown): boolean {
  return typeof value === 'string' && optimizers.has(value.toLowerCase());
}

/** Null where training does not see it. */
export function leverOf(key: string): Lever | null {
  const name = canonicalName(key);
  if (name === 'seed') return null;
  const known = name === null ? undefined : canonical[name];
  if (known !== undefined) return known;
  const parts = key.split('.').map(wordsOf).reverse();
  const [last = []] = parts;
  if (last.some((word) => afterwards.has(word)) || isAboutEvaluation(last)) return null;
  const isSeen = parts.flat().some((word) => seenWords.has(word));
  if (!isSeen && last.some((word) => unseenWords.has(word))) return null;
  if (last.length === 1 && unseenAlone.has(last[0]!)) return null;
  // The last part says most: `data.optimizer.momentum` is a momentum, and `logger.every` no setting of training.
  for (const [place, part] of parts.entries()) {
    for (const [lever, names] of Object.entries(table))
      if (part.some((word) => names.has(word))) return lever as Lever;
    if (place === 0 && !isSeen && parts.flat().some((word) => unseenWords.has(word))) return null;
  }
  return 'other';
}

function isAboutEvaluation(part: readonly string[]): boolean {
  return (
    part.some((word) => evaluation.has(word)) &&
    part.some((word) => evaluated.has(word)) &&
    !part.includes('train')
  );
}

function wordsOf(text: string): string[] {
  return text
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

function words(...lines: string[]): ReadonlySet<string> {
  return new Set(lines.join(' ').split(' '));
}

const learning: readonly Lever[] = [
  'steps',
  'precision',
  'batch',
  'model',
  'start',
  'regularisation',
  'objective',
];
const memory: readonly Lever[] = ['batch', 'model', 'precision', 'machine', 'steps'];
const place: readonly Lever[] = ['machine', 'library', 'loading'];

/** What can bring about the failures of a group, the likeliest first. */
const byGroup: Readonly<Record<Group, readonly Lever[]>> = {
  device_capacity: memory,
  device_request: ['batch', 'data', 'model', 'machine'],
  device_layout: [...memory, 'library'],
  device_growth: ['code', 'library', ...memory],
  host_memory: ['loading', 'data', 'machine', 'batch'],
  shared_memory: ['loading', 'machine', 'batch'],
  storage: ['machine', 'length', 'model'],
  device_fault: ['machine', 'library'],
  outside_stop: ['machine', 'length'],
  pace: [...place, 'batch', 'data'],
  communication: place,
  half_precision: ['precision', 'steps', 'model', 'batch'],
  operation: ['precision', 'objective', 'data', 'model', 'steps'],
  large_steps: learning,
  instability: learning,
  small_steps: learning,
  no_gradient: ['model', ...learning],
  generalisation: ['data', 'regularisation', 'length', 'model', 'steps'],
  index: ['data', 'model', 'start', 'code'],
  files: ['data', 'machine', 'loading', 'code'],
  values: ['data', 'code', 'loading'],
  labels: ['data', 'objective', 'code', 'model', 'steps', 'start'],
  language: ['data', 'start', 'model', 'objective'],
  tensors: ['model', 'data', 'batch', 'start', 'code', 'library', 'precision'],
  objective: ['objective', 'code', 'data'],
  autograd: ['model', 'code', 'library', 'start', 'steps'],
  ranks_apart: ['code', 'data', 'batch', 'machine', 'library'],
  environment: ['library', 'code', 'model', 'machine', 'data', 'start'],
};

/** How likely a change there is to matter while nothing is known of the failure. */
const untold = {
  steps: 0.9,
  objective: 0.9,
  data: 0.85,
  model: 0.8,
  precision: 0.8,
  start: 0.8,
  code: 0.75,
  regularisation: 0.7,
  batch: 0.7,
  length: 0.6,
  library: 0.4,
  other: 0.4,
  machine: 0.2,
  loading: 0.03,
} as const;

/** What can make a run take fewer steps. */
const shortening: readonly Lever[] = ['length', 'batch', 'data'];

/** From 0 to 1: how well a change there explains a failure of the group, a run that trained less, or a worse ending without a named cause. */
export function relevance(lever: Lever, what: Group | 'shorter' | null): number {
  if (what === null) return untold[lever];
  if (what === 'shorter' && !shortening.includes(lever)) return 0;
  const at = (what === 'shorter' ? shortening : byGroup[what]).indexOf(lever);
  if (at >= 0) return 1 - 0.05 * at;
  return 0.4 * untold[lever];
}
