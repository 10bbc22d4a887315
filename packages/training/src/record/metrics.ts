// The canonical names of what training tools log, and how each tool's own name maps to one. A metric that no
// rule knows stays `other` under its raw name: nothing is dropped, nothing is guessed.
import { isEarned, isF1, isWon, lossLetter, normOf, ofPlayer } from './metric-kinds.js';
import { type MetricName, metricNames } from './metric-names.js';
import {
  averageWords,
  bases,
  errorName,
  lossNames,
  memoryUnits,
  notLossBefore,
  notLossBehind,
  residentName,
  shortSplits,
  silentLayer,
  splitWords,
  suffixes,
  timeUnits,
  towardsSplit,
} from './metric-words.js';
import { inKnownWords } from './spellings.js';
import type { Split } from './split.js';

export { type MetricName, metricNames };

export interface MetricIdentity {
  readonly metric: MetricName;
  readonly split: Split;
  readonly subject: string | null;
  readonly unit: string;
  /** Factor that brings logged values to `unit`. */
  readonly scale: number;
}

const known: ReadonlySet<string> = new Set(metricNames);

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

/** What tells how good a model is, on whichever data. */
export const scores: ReadonlySet<MetricName> = new Set([
  'accuracy',
  'error_metric',
  'perplexity',
  'f1',
  'auc',
  'error_rate',
  'explained_variance',
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
    ? `${letter[3] ? inKnownWords(letter[3].toLowerCase()) : (letter[1] || letter[2]) === 'v' ? 'val' : 'train'} criterion`
    : (normOf(rawName.trim()) ?? inKnownWords(rawName.trim().toLowerCase().replace(/'s\b/, '')));
  let averaged: string | null = null;
  const bracketed = /[([]\s*([a-z/%]+|[a-z][a-z -]+[a-z]|\d+)\s*[)\]]\s*$/.exec(name);
  if (bracketed) {
    const [, inside] = bracketed;
    name = name.slice(0, bracketed.index).trim();
    // `loss (val)` and `loss (on the test set)` say of what, `return(100)` over how many, `memory (GiB)` in what.
    const part = inside!.split(/[ -]/).find((word) => Object.hasOwn(splitWords, word));
    if (part !== undefined) name = `${part} ${name}`;
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
    else if (
      words.length > 1 &&
      split === null &&
      word in shortSplits &&
      (index === 0 || (index === words.length - 1 && word !== 'v'))
    )
      split = shortSplits[word]!;
    else if (word === 'epoch' && index > 0 && index === words.length - 1) averaged = 'epoch';
    else if (word === 'step' && index > 0 && index === words.length - 1) continue;
    else kept.push(word);
  }
  // Neighbours and probes are asked about what training has not seen.
  if (split === null && kept.some((word) => probed.test(word))) split = 'eval';
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
  const lossAt = kept.lastIndexOf('loss');
  if (lossAt >= 0) {
    const isOne =
      !kept.slice(0, lossAt).some((word) => notLossBefore.has(word)) &&
      !kept.slice(lossAt).some((word) => notLossBehind.has(word));
    return isOne
      ? identity('loss', kept.filter((word) => word !== 'loss').join('_') || null, full)
      : identity('other', null, full);
  }
  // "valid_obj" is an objective; an "Obj" by itself is how sure a detector is that there is an object.
  const spelt = [full, trimmed].find(
    (name) => lossNames.has(name) || ((name === 'obj' || name === 'l') && split !== null),
  );
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
  // `gnorm_l0`, `g norm layer3`
  const graded = full.replace(/(^|_)g_?norm(?=_|$)/, '$1grad_norm');
  if (graded.includes('grad')) {
    if (/^grad(ient)?s?_?norm_|_grad(ient)?_?norm$|^grad_2_0_norm_/.test(graded))
      return identity('grad_norm', graded.replace(/_?grad(ient)?s?(_2_0)?_?norm_?/, '') || null, graded);
    const layer =
      /^grad(?:ient)?s?_(.*(?:layer|block|conv|fc|linear|head|emb|weight|first|last|input|output|\d).*)$/.exec(
        graded,
      );
    const named = /^((?:first|last|input|output)(?:_layer)?|layer_?\d+)_grad(?:ient)?s?$/.exec(graded);
    if (layer ?? named) return identity('grad_norm', (layer ?? named)![1]!, graded);
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
/** `knn5_acc`, `linear_probe_acc`. */
const probed = /^(?:\d*knn\d*|probe)$/;
/** `language_cross_entropy`, `token_nll`: some kind of a loss that has a name of its own. */
const lossEnd =
  /(?:^|_)(?:cross_entropy|crossentropy|xent|nll|logloss|bce|criterion|objective|deviance)(?:_(?:error|value|function))?$/;
/** `LanguageCrossEntropy`: the words of a name are told apart by their capitals. */
const humped = /[a-z][A-Z]/;

/** `dloss`, `losses`: whose loss it is, in a word of its own, however many there are. */
function apart(word: string): readonly string[] {
  if (word === '') return [];
  if (lossNames.has(word)) return [word];
  const [, whose] = /^([a-z]*?)loss(?:es)?$/.exec(word) ?? [];
  return whose === undefined ? [word] : whose === '' ? ['loss'] : [whose, 'loss'];
}
