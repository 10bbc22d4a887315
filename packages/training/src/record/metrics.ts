// The canonical names of what training tools log, and how each tool's own name maps to one. A metric that no
// rule knows stays `other` under its raw name: nothing is dropped, nothing is guessed.
import { inKnownWords } from './spellings.js';
import type { Split } from './split.js';

/**
 * Units after conversion: memory in bytes, durations in seconds, utilisation in percent (0 to 100), accuracy as a
 * fraction (values logged in percent are divided), throughput per second.
 */
export const metricNames = [
  'loss',
  'accuracy',
  'perplexity',
  'learning_rate',
  'grad_norm',
  'param_norm',
  'update_ratio',
  'loss_scale',
  'skipped_steps',
  'nan_steps',
  'epoch',
  'step_time',
  'data_time',
  'throughput',
  'memory_allocated',
  'memory_reserved',
  'memory_peak',
  'memory_used',
  'memory_total',
  'host_memory',
  'host_memory_percent',
  'gpu_utilization',
  'gpu_temperature',
  'gpu_power',
  'cpu_utilization',
  'disk_percent',
  'batch_size',
  'sequence_length',
  'token_max',
  'token_min',
  'label_max',
  'label_min',
  'input_mean',
  'input_std',
  'input_nan_fraction',
  'ignored_target_fraction',
  'dead_fraction',
  'weight_decay',
  'momentum',
  'tokens_seen',
  'samples_seen',
  'entropy',
  'kl',
  'reward',
  'f1',
  'auc',
  'error_rate',
  'error_metric',
  'explained_variance',
  'majority_share',
  'constant_loss',
  'target_variance',
  'gradient_reach',
  'twin_fraction',
  'other',
] as const;

export type MetricName = (typeof metricNames)[number];

export interface MetricIdentity {
  readonly metric: MetricName;
  readonly split: Split;
  readonly subject: string | null;
  readonly unit: string;
  /** Factor that brings logged values to `unit`. */
  readonly scale: number;
}

const known: ReadonlySet<string> = new Set(metricNames);

export const splitWords: Readonly<Record<string, Split>> = {
  train: 'train',
  training: 'train',
  trn: 'train',
  learn: 'train',
  val: 'eval',
  valid: 'eval',
  vali: 'eval',
  validation: 'eval',
  validate: 'eval',
  eval: 'eval',
  evaluation: 'eval',
  dev: 'eval',
  cv: 'eval',
  heldout: 'eval',
  holdout: 'eval',
  test: 'test',
  testing: 'test',
};

/** Abbreviations that mean a split only in front: `v_loss`, `Tr.Loss`. */
const shortSplits: Readonly<Record<string, Split>> = { tr: 'train', v: 'eval', te: 'test' };

const towardsSplit = new Set(['on', 'of', 'for', 'the', 'set']);

/** Words that say how a value was averaged; they become the subject only when they tell curves apart. */
const averageWords = new Set([
  'avg',
  'average',
  'mean',
  'running',
  'smoothed',
  'smooth',
  'current',
  'batch',
  'global',
  'mini',
  'value',
]);

const memoryUnits: Readonly<Record<string, number>> = {
  bytes: 1,
  b: 1,
  kb: 1e3,
  kib: 1024,
  mb: 1024 ** 2,
  mib: 1024 ** 2,
  gb: 1024 ** 3,
  gib: 1024 ** 3,
};
const timeUnits: Readonly<Record<string, number>> = {
  ms: 1e-3,
  s: 1,
  sec: 1,
  secs: 1,
  seconds: 1,
  us: 1e-6,
  min: 60,
};

/** Exact names after splitting words off: spelling to metric. */
const bases: Readonly<Record<string, MetricName>> = {
  lr: 'learning_rate',
  learning_rate: 'learning_rate',
  learningrate: 'learning_rate',
  gnorm: 'grad_norm',
  g_norm: 'grad_norm',
  grad_norm: 'grad_norm',
  gradnorm: 'grad_norm',
  gradient_norm: 'grad_norm',
  gradients_norm: 'grad_norm',
  grad_norm_total: 'grad_norm',
  grad_2_0_norm_total: 'grad_norm',
  grad_2_norm_total: 'grad_norm',
  total_norm: 'grad_norm',
  total_grad_norm: 'grad_norm',
  l2_grad_norm: 'grad_norm',
  norm_grad: 'grad_norm',
  gradnorm_total: 'grad_norm',
  gradnorm_all: 'grad_norm',
  grad_l2: 'grad_norm',
  grad_l2_norm: 'grad_norm',
  params_norm: 'param_norm',
  param_norm: 'param_norm',
  weight_norm: 'param_norm',
  acc: 'accuracy',
  accuracy: 'accuracy',
  top1: 'accuracy',
  acc1: 'accuracy',
  accuracy_1: 'accuracy',
  prec_1: 'accuracy',
  top_1: 'accuracy',
  acc_1: 'accuracy',
  accuracy01: 'accuracy',
  accuracy_top1: 'accuracy',
  accuracy_top_1: 'accuracy',
  binary_accuracy: 'accuracy',
  categorical_accuracy: 'accuracy',
  sparse_categorical_accuracy: 'accuracy',
  token_accuracy: 'accuracy',
  averageepret: 'reward',
  approx_kl: 'kl',
  approxkl: 'kl',
  ppl: 'perplexity',
  perplexity: 'perplexity',
  scale: 'loss_scale',
  loss_scale: 'loss_scale',
  attempted_loss_scale: 'loss_scale',
  setting_loss_scale_to: 'loss_scale',
  lossscale: 'loss_scale',
  grad_scale: 'loss_scale',
  amp_scale: 'loss_scale',
  scaler_scale: 'loss_scale',
  number_of_skipped_iterations: 'skipped_steps',
  skipped_steps: 'skipped_steps',
  number_of_nan_iterations: 'nan_steps',
  ep: 'epoch',
  epoch: 'epoch',
  epochs: 'epoch',
  time: 'step_time',
  iter_time: 'step_time',
  step_time: 'step_time',
  batch_time: 'step_time',
  time_per_step: 'step_time',
  time_per_iteration: 'step_time',
  elapsed_time_per_iteration: 'step_time',
  dt: 'step_time',
  sec_per_step: 'step_time',
  batch_cost: 'step_time',
  avg_batch_cost: 'step_time',
  reader_cost: 'data_time',
  avg_reader_cost: 'data_time',
  data_cost: 'data_time',
  data_time: 'data_time',
  data: 'data_time',
  dataloader_time: 'data_time',
  it_per_sec: 'throughput',
  it_s: 'throughput',
  steps_per_second: 'throughput',
  steps_per_sec: 'throughput',
  samples_per_second: 'throughput',
  samples_per_sec: 'throughput',
  samples_s: 'throughput',
  examples_per_second: 'throughput',
  examples_per_sec: 'throughput',
  images_per_sec: 'throughput',
  img_s: 'throughput',
  tokens_per_second: 'throughput',
  tokens_per_sec: 'throughput',
  tokens_per_second_per_gpu: 'throughput',
  tokens_per_sec_per_gpu: 'throughput',
  tokens_s: 'throughput',
  tokens_sec: 'throughput',
  tok_s: 'throughput',
  tok_sec: 'throughput',
  tps: 'throughput',
  tgs: 'throughput',
  wps: 'throughput',
  ups: 'throughput',
  throughput: 'throughput',
  tokens_per_sec_per_device: 'throughput',
  memory: 'memory_used',
  mem: 'memory_used',
  gpu_mem: 'memory_used',
  gpu_memory: 'memory_used',
  memory_used: 'memory_used',
  memory_allocated: 'memory_allocated',
  mem_allocated: 'memory_allocated',
  mem_alloc: 'memory_allocated',
  memory_alloc: 'memory_allocated',
  cuda_memory_allocated: 'memory_allocated',
  allocated_memory: 'memory_allocated',
  memory_max_allocated: 'memory_peak',
  max_memory_allocated: 'memory_peak',
  max_memory: 'memory_peak',
  max_mem: 'memory_peak',
  peak_memory: 'memory_peak',
  peak_mem: 'memory_peak',
  memory_peak: 'memory_peak',
  peak_memory_active: 'memory_peak',
  peak_memory_alloc: 'memory_peak',
  memory_max_active: 'memory_peak',
  memory_active: 'memory_allocated',
  memory_reserved: 'memory_reserved',
  peak_memory_reserved: 'memory_reserved',
  memory_device_reserved: 'memory_reserved',
  mem_reserved: 'memory_reserved',
  max_memory_reserved: 'memory_reserved',
  host_memory: 'host_memory',
  rss: 'host_memory',
  cpu_memory: 'host_memory',
  ram: 'host_memory',
  ram_used: 'host_memory',
  ram_usage: 'host_memory',
  used_ram: 'host_memory',
  host_ram: 'host_memory',
  host_mem: 'host_memory',
  cpu_ram: 'host_memory',
  cpu_mem: 'host_memory',
  process_memory: 'host_memory',
  process_rss: 'host_memory',
  memory_rss: 'host_memory',
  mem_rss: 'host_memory',
  rss_memory: 'host_memory',
  gpu_util: 'gpu_utilization',
  gpu_utilization: 'gpu_utilization',
  utilization_gpu: 'gpu_utilization',
  weight_decay: 'weight_decay',
  wd: 'weight_decay',
  momentum: 'momentum',
  batch_size: 'batch_size',
  bsz: 'batch_size',
  global_batch_size: 'batch_size',
  seq_len: 'sequence_length',
  sequence_length: 'sequence_length',
  seq_length: 'sequence_length',
  consumed_samples: 'samples_seen',
  consumed_tokens: 'tokens_seen',
  num_input_tokens_seen: 'tokens_seen',
  num_tokens: 'tokens_seen',
  tokens_total: 'tokens_seen',
  tokens: 'tokens_seen',
  entropy: 'entropy',
  kl: 'kl',
  reward: 'reward',
  rewards: 'reward',
  episode_return: 'reward',
  episode_reward: 'reward',
  mean_reward: 'reward',
  reward_mean: 'reward',
  ep_rew_mean: 'reward',
  eprewmean: 'reward',
  returns: 'reward',
  return: 'reward',
  mean_return: 'reward',
  avg_return: 'reward',
  average_return: 'reward',
  ep_return: 'reward',
  ep_ret: 'reward',
  avg_reward: 'reward',
  f1: 'f1',
  f1_score: 'f1',
  macro_f1: 'f1',
  mf1: 'f1',
  ents_f: 'f1',
  sents_f: 'f1',
  spans_sc_f: 'f1',
  cats_macro_f: 'f1',
  cats_micro_f: 'f1',
  r2: 'explained_variance',
  r2_score: 'explained_variance',
  r_squared: 'explained_variance',
  explained_variance: 'explained_variance',
  auc: 'auc',
  auroc: 'auc',
  roc_auc: 'auc',
  auc_roc: 'auc',
  roc_auc_score: 'auc',
  wer: 'error_rate',
  cer: 'error_rate',
  word_error_rate: 'error_rate',
  char_error_rate: 'error_rate',
  character_error_rate: 'error_rate',
  mse: 'error_metric',
  mae: 'error_metric',
  rmse: 'error_metric',
  mean_absolute_error: 'error_metric',
  mean_squared_error: 'error_metric',
  root_mean_squared_error: 'error_metric',
  update_ratio: 'update_ratio',
  update_to_weight: 'update_ratio',
  dead_fraction: 'dead_fraction',
  dead_relu: 'dead_fraction',
};

const memoryMetrics: ReadonlySet<MetricName> = new Set([
  'memory_used',
  'memory_allocated',
  'memory_reserved',
  'memory_peak',
  'memory_total',
  'host_memory',
] as const);
export function isMemory(metric: MetricName): boolean {
  return memoryMetrics.has(metric);
}

/** What is a share of something, wherever it is printed in percent. */
const shares: ReadonlySet<MetricName> = new Set([
  'accuracy',
  'dead_fraction',
  'input_nan_fraction',
  'ignored_target_fraction',
] as const);

const timeMetrics: ReadonlySet<MetricName> = new Set(['step_time', 'data_time'] as const);

function throughputUnit(base: string): string {
  if (/tok|tps|tgs|wps/.test(base)) return 'tokens/s';
  if (/sample|example|img|image/.test(base)) return 'samples/s';
  if (/step|it_|ups|^it/.test(base)) return 'steps/s';
  return '';
}

/** What a tool's own metric name means. `unit` is the unit printed behind the value, when one was. */
export function identifyMetric(rawName: string, unit = ''): MetricIdentity {
  if (unit === 'digest') return { metric: 'other', split: 'train', subject: null, unit, scale: 1 };
  let printedUnit = unit.toLowerCase();
  const letter = lossLetter.exec(rawName.trim());
  let name = letter
    ? `${(letter[1] || letter[2]) === 'v' ? 'val' : 'train'} criterion`
    : (normOf(rawName.trim()) ?? inKnownWords(rawName.trim().toLowerCase().replace(/'s\b/, '')));
  let averaged: string | null = null;
  const bracketed = /[([]\s*([a-z/%]+|\d+)\s*[)\]]\s*$/.exec(name);
  if (bracketed) {
    const [, inside] = bracketed;
    name = name.slice(0, bracketed.index).trim();
    // `loss (val)` says of what, `return(100)` over how many, `memory (GiB)` in what.
    if (Object.hasOwn(splitWords, inside!)) name = `${inside} ${name}`;
    else if (averageWords.has(inside!)) averaged = inside!;
    else if (!/^\d/.test(inside!)) printedUnit ||= inside!;
  }
  const words = name.split(/[^a-z0-9]+/).flatMap(apart);
  const last = words.at(-1) ?? '';
  if (
    words.length > 1 &&
    printedUnit === '' &&
    !known.has(words.join('_')) &&
    (last in memoryUnits || last in timeUnits) &&
    // `data_s` is a time; an `s` behind anything else may be the end of a word, and `min` the least of something.
    ((last.length > 1 && last !== 'min') || timeMetrics.has(bases[words.slice(0, -1).join('_')]!))
  ) {
    printedUnit = last;
    words.pop();
  }
  let split: Split | null = null;
  const kept: string[] = [];
  for (const [index, word] of words.entries()) {
    const asSplit = splitWords[word];
    if (asSplit !== undefined && split === null) split = asSplit;
    // "valid_1's logloss": which of several sets it is.
    else if (split !== null && kept.length === 0 && /^\d+$/.test(word) && index < words.length - 1) continue;
    else if (index === 0 && words.length > 1 && word in shortSplits) split = shortSplits[word]!;
    else if (word === 'epoch' && index > 0 && index === words.length - 1) averaged = 'epoch';
    else if (word === 'step' && index > 0 && index === words.length - 1) continue;
    else kept.push(word);
  }
  // "micro f1 on dev", "accuracy of the test set": what leads to the name of the part.
  while (split !== null && kept.length > 1 && towardsSplit.has(kept.at(-1)!)) kept.pop();
  const full = kept.join('_');
  const trimmed = kept.filter((word) => !averageWords.has(word)).join('_');
  const identity = (metric: MetricName, subject: string | null, base: string): MetricIdentity => {
    let resolved = metric;
    let scale = 1;
    let outUnit = '';
    if (memoryMetrics.has(metric)) {
      if (printedUnit === '%' || printedUnit === 'percent') {
        resolved = 'other';
        outUnit = 'percent';
      } else {
        // torchtune logs these in GiB without saying so.
        if (printedUnit === '' && /^peak_memory_(active|alloc|reserved)$/.test(base)) printedUnit = 'gib';
        scale = memoryUnits[printedUnit] ?? 1;
        outUnit = printedUnit === '' && scale === 1 ? '' : 'bytes';
      }
    } else if (timeMetrics.has(metric)) {
      scale = timeUnits[printedUnit] ?? 1;
      outUnit = 'seconds';
    } else if (shares.has(metric) && printedUnit === '%') {
      scale = 0.01;
    } else if (metric === 'throughput') {
      outUnit = printedUnit.startsWith('tflop') ? 'tflop/s' : throughputUnit(base);
      if (printedUnit.startsWith('tflop')) resolved = 'other';
    } else if (metric === 'gpu_utilization') outUnit = 'percent';
    else if (metric === 'other' && printedUnit in timeUnits) {
      scale = timeUnits[printedUnit]!;
      outUnit = 'seconds';
    }
    return { metric: resolved, split: split ?? 'train', subject: subject ?? averaged, unit: outUnit, scale };
  };

  if (known.has(full) && full !== 'other') return identity(full as MetricName, null, full);
  // The term of the loss that rewards a policy for its entropy.
  if (full === 'entropy_loss') return { ...identity('entropy', null, full), scale: -1 };
  const exact =
    bases[full] ??
    bases[trimmed] ??
    ofPlayer(kept) ??
    (isEarned(kept) || isWon(kept) ? 'reward' : isF1(kept) ? 'f1' : undefined);
  if (exact !== undefined) return identity(exact, null, full);
  if (trimmed === 'loss' || full === 'loss' || full === 'lm_loss' || trimmed === 'lm_loss')
    return identity('loss', null, full);
  if (kept.includes('scaler')) return identity('other', null, full);
  if (full.includes('_scale') && /(^|_)(?:loss_scale(_to)?|grad_scale)$/.test(full))
    return identity('loss_scale', null, full);
  if (kept.at(-1) === 'loss' || kept[0] === 'loss') {
    return identity('loss', kept.filter((word) => word !== 'loss').join('_') || null, full);
  }
  // "valid_obj" is an objective; an "Obj" by itself is how sure a detector is that there is an object.
  const spelt = [full, trimmed].find((name) => lossNames.has(name) || (name === 'obj' && split !== null));
  if (spelt !== undefined) return identity('loss', spelt, full);
  if (kept[0] === 'lr' || (kept[0] === 'learning' && kept[1] === 'rate')) {
    return identity('learning_rate', kept.slice(kept[0] === 'lr' ? 1 : 2).join('_') || null, full);
  }
  if (kept.at(-1) === 'accuracy' || kept.at(-1) === 'acc') {
    return identity(
      'accuracy',
      kept
        .slice(0, -1)
        .join('_')
        .replace(/^top_?1$/, '') || null,
      full,
    );
  }
  // "Accuracy of the network on the 10000 test images"
  if (kept[0] === 'accuracy' && /^accuracy_(of|on)_\w*(images|samples|examples|set|data)$/.test(full))
    return identity('accuracy', null, full);
  if (full.includes('grad')) {
    if (/^grad(ient)?s?_?norm_|_grad(ient)?_?norm$|^grad_2_0_norm_/.test(full))
      return identity('grad_norm', full.replace(/_?grad(ient)?s?(_2_0)?_?norm_?/, '') || null, full);
    const layer =
      /^grad(?:ient)?s?_(.*(?:layer|block|conv|fc|linear|head|emb|weight|first|last|input|output|\d).*)$/.exec(
        full,
      );
    const named = /^((?:first|last|input|output)(?:_layer)?|layer_?\d+)_grad(?:ient)?s?$/.exec(full);
    if (layer ?? named) return identity('grad_norm', (layer ?? named)![1]!, full);
  }
  const layer = silentLayer.exec(full);
  if (layer) return identity('dead_fraction', layer[1]!, full);
  for (const [parts, pattern, metric] of suffixes)
    if (parts.some((part) => full.includes(part)) && pattern.test(full)) return identity(metric, null, full);
  const resident = residentName.exec(full);
  if (resident) {
    printedUnit ||= resident[1] ?? '';
    return identity('host_memory', null, full);
  }
  if (errorName.test(full) && !/weight|param|reg|decay|penalty|norm|lambda/.test(full))
    return identity('error_metric', full, full);
  if (lossPart.test(full)) return identity('loss', full, full);
  // What is wrong in percent is a rate; as a number by itself it is what training lowers.
  if (wrong.test(trimmed) && (split !== null || trimmed === 'err'))
    return printedUnit === '%' ? identity('error_rate', null, full) : identity('loss', trimmed, full);
  const kindOf = lossEnd.exec(full);
  if (kindOf) return identity('loss', full, full);
  if (humped.test(rawName)) {
    const apart = identifyMetric(rawName.replace(/([a-z])(?=[A-Z])/g, '$1_'), unit);
    if (apart.metric !== 'other') return apart;
  }
  return identity('other', null, full);
}

/** `l_pix`, `l_g_total`; of a pair of players `G_A`, `D_B`, `G_GAN`, `cycle_A`. */
const lossPart = /^l_(?!\d)[a-z]\w*$|^[gd]_(?:[ab]|gan|adv|l1|total|real|fake|vgg)$|^(?:cycle|idt)_[ab]$/;
const wrong = /^err(?:or)?$/;
/** `language_cross_entropy`, `token_nll`: some kind of a loss that has a name of its own. */
const lossEnd = /_(?:cross_entropy|crossentropy|xent|nll|logloss|bce)$|^loss_per_|_loss_per_/;
/** `LanguageCrossEntropy`: the words of a name are told apart by their capitals. */
const humped = /[a-z][A-Z]/;

/** `dloss`, `losses`: whose loss it is, in a word of its own, however many there are. */
function apart(word: string): readonly string[] {
  if (word === '') return [];
  if (lossNames.has(word)) return [word];
  const [, whose] = /^([a-z]*?)loss(?:es)?$/.exec(word) ?? [];
  return whose === undefined ? [word] : whose === '' ? ['loss'] : [whose, 'loss'];
}

const players = new Set(['actor', 'critic', 'policy', 'agent', 'rollout', 'env', 'episode']);

/** `actor/entropy`, `critic/score/mean`: what a player earns and how certain it is; undefined for everything else. */
function ofPlayer(words: readonly string[]): MetricName | undefined {
  if (!players.has(words[0] ?? '')) return undefined;
  const rest = words
    .slice(1)
    .filter((word) => !averageWords.has(word))
    .join('_');
  const found = rest === 'score' ? 'reward' : bases[rest];
  return found === 'reward' || found === 'entropy' || found === 'kl' ? found : undefined;
}

const earned = /^(?:rewards?|returns?|rew)$/;
const howEarned =
  /^(?:\d+|total|sum|cum\w*|episod\w*|eps?|avg|average|mean|median|running|moving|smooth(?:ed)?|last|past|over|per|of|discounted|undiscounted|raw|learning|rollout|env|game|agent|extrinsic)$/;

/** What is earned in all, however it is counted and averaged; a bonus for what is new is meant to fall, and a spread or an extreme says little. */
function isEarned(words: readonly string[]): boolean {
  return (
    words.filter((word) => earned.test(word)).length === 1 &&
    words.every((word) => earned.test(word) || howEarned.test(word))
  );
}

/** `success_rate`, `Win rate`, `AI_success_rate`: how often a player reaches its goal. */
function isWon(words: readonly string[]): boolean {
  const [one, other] = words.slice(-2);
  return (
    (/^(?:success|win|winning|solve|solved)$/.test(one ?? '') && /^(?:rate|ratio)$/.test(other ?? '')) ||
    words.at(-1) === 'winrate'
  );
}

/** Averaged in whichever way. */
function isF1(words: readonly string[]): boolean {
  return (
    words.some((word) => /^(?:f1|f1score|fscore)$/.test(word)) &&
    words.every((word) =>
      /^(?:f1|f1score|fscore|score|micro|macro|weighted|overall|avg|average|mean)$/.test(word),
    )
  );
}

/** `L` and `vL`, as formulas have it; `tl` and `vl`. */
const lossLetter = /^(v?)L$|^(t|v)l$/;

/** `|w|`, `||grad||`, `sum|W|`, and of what the loss was derived by: `|dL/dh_1|`. */
const inBars = /^(?:sum|mean|avg)?\|{1,2}(?:(\w+)|d\w*\/d(\w+))\|{1,2}$/i;

/** The words for a norm that is written in bars; null for every other name. */
function normOf(name: string): string | null {
  const [, of, by] = inBars.exec(name) ?? [];
  return by !== undefined
    ? `grad norm ${by.toLowerCase()}`
    : of === undefined
      ? null
      : `${of.toLowerCase()} norm`;
}

/** `zero-act h1`, `dead units layer 2`: of one layer. */
const silentLayer =
  /^(?:zero|dead)_(?:act(?:ivation)?|relu|unit|neuron)?s?_?((?:h|l|fc|conv|dense|linear|relu|mlp|layer|block|stage)_?\d+)$/;

/** What people call the quantity that is minimised when they do not call it a loss; it yields to one that is called so. */
const lossNames: ReadonlySet<string> = new Set([
  'nll',
  'neg_log_likelihood',
  'negative_log_likelihood',
  'xent',
  'ce',
  'bce',
  'cross_entropy',
  'crossentropy',
  'binary_crossentropy',
  'bpc',
  'bpb',
  'bpd',
  'bits_per_char',
  'bits_per_byte',
  'bits_per_dim',
  'huber',
  'smooth_l1',
  'hinge',
  'logloss',
  'log_loss',
  'mlogloss',
  'binary_logloss',
  'multi_logloss',
  'neg_elbo',
  'nelbo',
  'nt_xent',
  'ntxent',
  'nll_dim',
  'contrastive',
  'triplet',
  'ctc',
  'criterion',
  'focal',
  'infonce',
  'objective',
  'cost',
]);

/** Memory of the process under a system monitor's name ("proc.memory.rssMB"), the unit glued to it or not. */
const residentName = /(?:^|_)(?:rss|uss|pss)_?(kb|mb|gb|kib|mib|gib|bytes)?$/;

/** Errors of regression under a name of their own ("denoise_mse", "valid_0's l2"). */
const errorName = /(^|_)(mse|mae|rmse|sse|l1|l2|mape|msle|rmsle)$/;

/**
 * Names under a tracker's own prefix ("perf_throughput", "timing_s_step", "train_tokens_per_second"). One of the parts is in every name
 * that the pattern matches: a pattern that is not tried need not be compiled, and most names are looked up but once.
 */
const suffixes: readonly (readonly [readonly string[], RegExp, MetricName])[] = [
  [['_grad_norm'], /_grad_norm$/, 'grad_norm'],
  [
    ['l2', 'norm'],
    /^(?:model_)?(?:params?|parameters?|weights?|model|w|p)_?(?:l2|l2_?norm|norm(?:_?l?2)?)$/,
    'param_norm',
  ],
  [['learning_rate', 'lr'], /(^|_)(learning_rate|lr)$/, 'learning_rate'],
  [
    ['_per_sec'],
    /(^|_)(tokens|samples|steps|examples|images)_per_(sec|second)(_per_(gpu|device))?$/,
    'throughput',
  ],
  [['ppl', 'perplexity'], /(^|_)(ppl|perplexity)$/, 'perplexity'],
  [['_per_'], /(^|_)(s|sec|secs|seconds|time)_per_(it|iter|iteration|step|batch|update)$/, 'step_time'],
  [
    ['step_', 'iter_', 'iteration_', 'batch_'],
    /(^|_)(step|iter|iteration|batch)_(time|duration|seconds|secs?)$/,
    'step_time',
  ],
  [
    ['_percent', '_pct'],
    /^(system|host|cpu|ram|vm)_(mem|memory|ram)_(percent|pct)$|^ram_(percent|pct)$/,
    'host_memory_percent',
  ],
  [
    ['nan'],
    /^(num_|n_)?nans?_(inputs?|values|count|in_(inputs?|batch|data))$|^(inputs?|batch|data|x)_nans?(_count)?$|^(num|n)_nans?$/,
    'input_nan_fraction',
  ],
  [
    ['zero', 'dead'],
    /(^|_)(relu|act|activation|unit|neuron)s?\w*_(zero|dead)(_(frac|fraction|ratio|share))?$|^(zero|dead)_(frac|fraction|ratio|share)$|(^|_)dead_(relu|unit|neuron|activation)?s?_?(frac|fraction|ratio|share)?$|(^|_)(zero|dead)_activations?_(frac|fraction|ratio|share)$|^(frac|fraction|share)_(of_)?(dead|zero)(_(relu|unit|neuron|activation)s?)?$/,
    'dead_fraction',
  ],
];
