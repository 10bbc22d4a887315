// The names met before numbers, each understood once: a step counter, an epoch, a metric, or nothing of interest.

import { objectives, splitWords } from '../../../record/metric-words.js';
import { identifyMetric, type MetricIdentity, scores } from '../../../record/metrics.js';
import { isPhaseName } from '../../../record/phase-names.js';
import { inKnownWords } from '../../../record/spellings.js';
import type { Split } from '../../../record/split.js';
import type { SeriesBuilder } from '../../collect/series-builder.js';

/** `final`: the summary a trainer prints when it is done, whose averages are no points of a curve. */
export type KeyRole = 'step' | 'epoch' | 'metric' | 'split' | 'final' | 'ignored';

export interface KeyInfo {
  readonly name: string;
  readonly role: KeyRole;
  /** Among step counters of one line, the highest counts. */
  readonly priority: number;
  readonly identity: MetricIdentity;
  /** The part of the data that the name itself says it is of. */
  readonly stated: Split | null;
  readonly bytes: Buffer;
  readonly separated: boolean;
  /** The curve used last for this name, and for what unit and rank. */
  curve: SeriesBuilder | null;
  curveUnit: number;
  curveRank: number | null;
  /** Whether it was told where no heading of held-out data was in force. */
  isOfTraining: boolean;
  /** Whether it was told without a counter, right behind a line of training that counts. */
  sumsUp: boolean;
  /** The same, averaged up to the value. */
  average: KeyInfo | null;
  /** What it is the average of. */
  readonly averages: KeyInfo | null;
  /** Whether its number is a measure only in a line that counts. */
  readonly asksForCount: boolean;
}

const maxKeys = 4000;

const stepPriority: Readonly<Record<string, number>> = {
  global_step: 6,
  num_updates: 6,
  trainer_global_step: 6,
  optimizer_step: 5,
  step: 4,
  train_step: 4,
  training_step: 4,
  iteration: 3,
  iter: 3,
  update: 3,
  round: 3,
  it: 2,
  itr: 2,
  episode: 2,
  batch: 1,
  minibatch: 1,
};

const ignored = new Set(
  `line port pid rank local_rank node_rank world_size gpu cuda device node seed eta v_num wall train_wall process
  thread version exitcode exit_code code size id line_no lineno num_workers workers eta_seconds at to of in on and
  for by after over from within than until there
  remaining_time elapsed elapsed_time took capacity total_capacity signal status errno http level worker
  number_of_gpus num_gpus gpus gpu_id tid ip host job job_id tried index dim dimension axis tensor shape a b c x y
  expected got found attempt retry retries try timestamp date hour year py python torch attempted_at`.split(
    /\s+/,
  ),
);

const fillers = new Set('info warning debug the a is was at of with and current final this'.split(' '));

/** `the loss`, `and the loss`. */
const articles = /^(?:(?:and|the|our|your) )+/i;

/** `TEST (untouched) f1`: what is remarked on a part of the data. */
const remarked = /^([A-Za-z]+) \((?=[^)]*[A-Za-z])[\w ,-]*\) +(?=\S)/;

/** `recon`, `val total`: what is lowered, which a line that counts may tell without a sign. */
const named = new RegExp(
  `^(?:(?:${Object.keys(splitWords).join('|')}|avg|mean) )?(?:${Object.keys(objectives).join('|')})$`,
  'i',
);

/** Names that may stand before a number without `:` or `=`. */
const bareMetrics = new Set<string>([
  ...scores,
  ...`loss learning_rate grad_norm loss_scale step_time throughput memory_peak memory_used
  memory_allocated memory_reserved host_memory param_norm data_time reward entropy kl dead_fraction
  input_mean input_std input_nan_fraction ignored_target_fraction token_max label_max label_min
  update_ratio sequence_length`.split(/\s+/),
]);

export class KeyTable {
  private readonly buckets = new Map<number, KeyInfo[]>();
  private size = 0;

  /** Null when the name means nothing before a number, or too many names were met. */
  find(bytes: Uint8Array, start: number, end: number, separated: boolean): KeyInfo | null {
    let hash = separated ? 17 : 7;
    for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + bytes[at]!) | 0;
    const bucket = this.buckets.get(hash);
    if (bucket !== undefined) {
      for (const info of bucket) {
        if (info.separated === separated && equal(info.bytes, bytes, start, end)) return info;
      }
    }
    if (this.size >= maxKeys) return null;
    this.size++;
    const made = understand(Buffer.from(bytes.subarray(start, end)), separated);
    if (bucket === undefined) this.buckets.set(hash, [made]);
    else bucket.push(made);
    return made;
  }

  /** A name that does not stand before its value. */
  named(name: string, encoding: 'utf8' | 'latin1' = 'utf8'): KeyInfo | null {
    const bytes = Buffer.from(name, encoding);
    return this.find(bytes, 0, bytes.length, true);
  }
}

/** The name of what is averaged up to a value. */
export function averageOf(info: KeyInfo): KeyInfo {
  const name = `${info.name} (average)`;
  info.average ??= {
    ...info,
    name,
    identity: identifyMetric(name),
    curve: null,
    isOfTraining: false,
    sumsUp: false,
    averages: info,
  };
  return info.average;
}

function equal(known: Buffer, bytes: Uint8Array, start: number, end: number): boolean {
  if (known.length !== end - start) return false;
  for (let at = 0; at < known.length; at++) if (known[at] !== bytes[start + at]) return false;
  return true;
}

function understand(bytes: Buffer, separated: boolean): KeyInfo {
  const text = bytes
    .toString(isAscii(bytes) ? 'latin1' : 'utf8')
    .trim()
    .replace(articles, '')
    .replace(remarked, (whole, part: string) =>
      Object.hasOwn(splitWords, part.toLowerCase()) ? `${part} ` : whole,
    );
  const words = inAsciiWords(text)
    .split(/\s+/)
    .filter((part) => !fillers.has(part.toLowerCase()));
  const make = (name: string, role: KeyRole, priority = 0, identity = identifyMetric(name)): KeyInfo => ({
    name,
    role,
    priority,
    identity,
    stated: identity.split !== 'train' || /tr(?:ai)?n|^learn$/i.test(name) ? identity.split : null,
    bytes,
    separated,
    curve: null,
    curveUnit: 0,
    curveRank: null,
    isOfTraining: false,
    sumsUp: false,
    average: null,
    averages: null,
    asksForCount: !separated && identity.metric === 'other' && named.test(name),
  });
  const name = words.join(' ');
  const simple = simplify(name);
  if (simple === '' || /\.(py|cpp|cu|cuh|cc|c|h|hpp|rs|go|js|ts)$/i.test(name) || /^\W*\d/.test(name)) {
    return make(name, 'ignored');
  }
  if (/\.{4}/.test(name)) return make(name, 'ignored');
  const whole = identifyMetric(text);
  if (separated && whole.metric !== 'other' && whole.metric !== 'epoch')
    return make(text, 'metric', 0, whole);
  const last = simplify(words.at(-1)!);
  const lastTwo = simplify(words.slice(-2).join(' '));
  for (const candidate of [simple, lastTwo, last]) {
    const priority =
      stepPriority[candidate] ??
      (candidate === simple && simple.endsWith('s') ? stepPriority[simple.slice(0, -1)] : undefined);
    if (priority !== undefined && (candidate === simple || !separated || words.length <= 3)) {
      return make(name, 'step', priority);
    }
  }
  if (simple === 'train_runtime') return make(name, 'final');
  // `Error per Epoch = 0.21`: what is averaged over one.
  const averaged = /^(.+) per epoch$/i.exec(name)?.[1];
  if (separated && averaged !== undefined) {
    const of = identifyMetric(averaged);
    if (of.metric !== 'other' || /error$/i.test(averaged)) return make(name, 'metric', 0, of);
  }
  // `batches per epoch: 525`, `best epoch: 7`: a size and a memory, not where the run is.
  if (last === 'epoch' && /^(?:per|best|max|num)$/i.test(words.at(-2) ?? '')) return make(name, 'ignored');
  if (last === 'epoch' || last === 'epoch_train' || simple === 'ep') return make(name, 'epoch');
  // `reducing loss scale to 0.5`: the only value that is told as where it goes.
  if (!separated && /(^|_)loss_scale_to$/.test(simple)) return make('loss scale', 'metric');
  if (ignored.has(simple) || ignored.has(last)) return make(name, 'ignored');
  if (Object.hasOwn(splitWords, simple)) return make(name, 'split');
  const identity = identifyMetric(name);
  if (separated) return words.length > 5 ? make(name, 'ignored') : make(name, 'metric', 0, identity);
  for (const candidate of [words.join(' '), words.slice(-2).join(' '), words.at(-1)!]) {
    const bare = identifyMetric(candidate);
    if (bareMetrics.has(bare.metric)) return make(candidate, 'metric', 0, bare);
  }
  // `compute_s 0.014`, `z_std 0.02`, `fwd_bwd 0.21`: the unit, the statistic or the part of a step in the name makes it one.
  const figured = words.at(-1)!;
  if (
    /[a-z]_(?:s|ms|us|secs?|seconds|time|std|var|spread|sum|norm|mean)$/i.test(figured) ||
    isPhaseName(figured)
  )
    return make(figured, 'metric');
  if (named.test(name)) return make(name, 'metric');
  return make(name, 'ignored');
}

function isAscii(bytes: Buffer): boolean {
  return bytes.every((byte) => byte < 0x80);
}

/** A name of another script in the words that are known; every other as it is. */
function inAsciiWords(text: string): string {
  return /[^\x00-\x7f]/.test(text) ? inKnownWords(text.toLowerCase()).trim() : text;
}

function simplify(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
}
