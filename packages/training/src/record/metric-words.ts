// The words that metrics are named with, each with what it means: data that metrics.ts reads names by.
import type { MetricName } from './metric-names.js';
import type { Split } from './split.js';

/** Names are anybody's, `constructor` too: a table knows its own words and nothing else. */
function table<T>(words: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.assign(Object.create(null), words);
}

/** The same of many words that mean one thing. */
export function inverted<T extends string>(
  words: Readonly<Partial<Record<T, string>>>,
): Readonly<Record<string, T>> {
  const all = Object.entries(words) as [T, string][];
  return table(
    Object.fromEntries(
      all.flatMap(([meaning, names]) => names.split(/\s+/).map((name) => [name, meaning] as const)),
    ),
  );
}

export const splitWords = inverted<Split>({
  train: 'train training trained trn learn',
  eval: `val valid vali validation validate validated eval evaluation evaluated dev cv crossval xval
    verification heldout holdout`,
  test: 'test testing tested tst',
});

/** What is told of each part of the data, by the words that stand alone in a line. */
export const measureWords = 'loss|cost|error|accuracy|acc|perplexity|ppl|auc|f1|rmse|mse|mae';

/** Abbreviations that mean a split only in front or at the end: `v_loss`, `Tr.Loss`, `acc_te`. */
export const shortSplits = table<Split>({
  tr: 'train',
  v: 'eval',
  va: 'eval',
  te: 'test',
});

export const towardsSplit = new Set('on of for the set de di da en del du des der auf im'.split(' '));

/** Which loss out of many, or how much is made of one: no curve of what is lowered. */
export const notLossBefore = new Set(
  'best lowest minimum least prev previous delta change target chance majority'.split(' '),
);
export const notLossBehind = new Set(
  `weight weights coef coeff coefficient scale scaling ratio std var variance stddev lambda alpha beta factor
  time seconds rate count threshold fn function diff delta change improvement grad gradient norm`.split(
    /\s+/,
  ),
);

/** Words that say how a value was averaged; they become the subject only when they tell curves apart. */
export const averageWords = new Set([
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

export const memoryUnits = table<number>({
  bytes: 1,
  b: 1,
  kb: 1e3,
  kib: 1024,
  mb: 1024 ** 2,
  mib: 1024 ** 2,
  gb: 1024 ** 3,
  gib: 1024 ** 3,
});
export const timeUnits = table<number>({
  ms: 1e-3,
  s: 1,
  sec: 1,
  secs: 1,
  seconds: 1,
  us: 1e-6,
  min: 60,
});

/** Exact names after splitting words off that no rule of metrics.ts finds: spelling to metric. */
export const bases = inverted<MetricName>({
  learning_rate: 'learningrate',
  grad_norm: `gnorm g_norm grad_norm gradnorm gradient_norm gradients_norm grad_norm_total grad_2_0_norm_total
    grad_2_norm_total total_norm total_grad_norm l2_grad_norm norm_grad gradnorm_total gradnorm_all
    grad_l2 grad_l2_norm`,
  param_norm: 'params_norm param_norm weight_norm',
  accuracy: `acc accuracy top1 acc1 accuracy_1 prec_1 top_1 acc_1 accuracy01 accuracy_top1 accuracy_top_1
    binary_accuracy categorical_accuracy sparse_categorical_accuracy token_accuracy`,
  reward: 'averageepret reward rewards eprewmean returns return ep_ret',
  kl: 'approx_kl approxkl kl',
  loss_scale: 'scale lossscale amp_scale scaler_scale',
  skipped_steps: 'number_of_skipped_iterations skipped_steps',
  nan_steps: 'number_of_nan_iterations',
  epoch: 'ep epochs',
  step_time: `time iter_time step_time batch_time time_per_step time_per_iteration elapsed_time_per_iteration dt
    sec_per_step batch_cost avg_batch_cost`,
  data_time: 'reader_cost data_cost data_time data dataloader_time',
  throughput: 'it_per_sec it_s samples_s img_s tokens_s tokens_sec tok_s tok_sec tps tgs wps ups throughput',
  memory_used: 'memory mem gpu_mem gpu_memory memory_used',
  memory_allocated: `memory_allocated mem_allocated mem_alloc memory_alloc cuda_memory_allocated allocated_memory
    memory_active`,
  memory_peak: `memory_max_allocated max_memory_allocated max_memory max_mem peak_memory peak_mem memory_peak
    peak_memory_active peak_memory_alloc memory_max_active`,
  memory_reserved:
    'memory_reserved peak_memory_reserved memory_device_reserved mem_reserved max_memory_reserved',
  host_memory: `host_memory cpu_memory ram ram_used ram_usage used_ram host_ram host_mem cpu_ram cpu_mem
    process_memory rss_memory`,
  gpu_utilization: 'gpu_util gpu_utilization utilization_gpu',
  weight_decay: 'weight_decay wd',
  momentum: 'momentum',
  batch_size: 'bsz global_batch_size',
  sequence_length: 'seq_len sequence_length seq_length',
  samples_seen: 'consumed_samples',
  tokens_seen: 'consumed_tokens num_input_tokens_seen num_tokens tokens_total tokens',
  entropy: 'entropy',
  f1: 'mf1 ents_f sents_f spans_sc_f cats_macro_f cats_micro_f',
  explained_variance: 'r2 r2_score r_squared explained_variance',
  auc: 'auc auroc roc_auc auc_roc roc_auc_score c_index cindex concordance concordance_index',
  error_rate: 'eer wer cer word_error_rate char_error_rate character_error_rate',
  error_metric: 'mse mae rmse mean_absolute_error mean_squared_error root_mean_squared_error',
  update_ratio: 'update_ratio update_to_weight',
});

/** What people call the quantity that is minimised when they do not call it a loss; it yields to one that is called so. */
export const lossNames: ReadonlySet<string> = new Set(
  `nll neg_log_likelihood negative_log_likelihood xent ce bce cross_entropy crossentropy
  binary_crossentropy bpc bpb bpd bits_per_char bits_per_byte bits_per_dim huber smooth_l1 hinge
  logloss log_loss mlogloss binary_logloss multi_logloss neg_elbo nelbo nt_xent ntxent nll_dim
  contrastive triplet ctc criterion focal infonce objective cost`.split(/\s+/),
);

/**
 * What training lowers, where nothing is called a loss: a sum stands for it beside its parts, else the first whole thing by which a model
 * learns. One that is `shared` has another meaning alone (`rec` is a recall as well), and a `part` never speaks for all.
 */
export const objectives = inverted({
  sum: 'total tot',
  whole: 'recon recons reconst reconstruction recon_err recon_error reconstruction_error distortion',
  shared: 'elbo rec',
  last: 'kl',
  part: 'kld kl_div sim inv var cov adv gan vq commit commitment perceptual lpips tv reg aux pde bc ic',
});

/** `zero-act h1`, `dead units layer 2`: of one layer. */
export const silentLayer =
  /^(?:zero|dead)_(?:act(?:ivation)?|relu|unit|neuron)?s?_?((?:h|l|fc|conv|dense|linear|relu|mlp|layer|block|stage)_?\d+)$/;

/** Memory of the process under a system monitor's name ("proc.memory.rssMB"), the unit glued to it or not. */
export const residentName = /(?:^|_)(?:rss|uss|pss)_?(kb|mb|gb|kib|mib|gib|bytes)?$/;

/** Errors of regression under a name of their own ("denoise_mse", "valid_0's l2"). */
export const errorName = /(^|_)(mse|mae|rmse|sse|l1|l2|mape|msle|rmsle)$/;

/**
 * Names under a tracker's own prefix ("perf_throughput", "timing_s_step", "train_tokens_per_second"). One of the parts is in every name
 * that the pattern matches: a pattern that is not tried need not be compiled, and most names are looked up but once.
 */
export const suffixes: readonly (readonly [readonly string[], RegExp, MetricName])[] = [
  [['_grad_norm'], /_grad_norm$/, 'grad_norm'],
  [
    ['l2', 'norm'],
    /^(?:model_)?(?:params?|parameters?|weights?|model|w|p)_?(?:l2|l2_?norm|norm(?:_?l?2)?)$/,
    'param_norm',
  ],
  [['weight_norm', 'weights_norm', 'param_norm'], /_(?:weights?|param)_norm$/, 'param_norm'],
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
