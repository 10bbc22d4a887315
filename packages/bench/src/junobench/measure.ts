// What is reported of one method: detection, detection with diagnosis, breakdowns, intervals, times, comparisons.
import {
  bootstrapInterval,
  confusionOf,
  type Interval,
  type McNemar,
  type Measures,
  mcnemarExact,
  measuresOf,
  quantile,
  ratio,
  wilsonInterval,
} from '../statistics/index.js';
import type { Instance } from './data/load.js';
import type { Agreement } from './judge/agreement.js';
import type { Prediction } from './methods/prediction.js';

export interface JudgedPrediction {
  readonly instance: Instance;
  readonly prediction: Prediction;
  readonly diagnosed: boolean;
}

export interface MethodReport extends Measures {
  readonly abstentions: number;
  readonly intervals: {
    readonly accuracy: Interval | null;
    readonly precision: Interval | null;
    readonly recall: Interval | null;
    readonly f1: Interval | null;
  };
  /** A crash counts as found only when its cause was named too. */
  readonly diagnosis: Measures;
  /** Of the crashes detected, the share explained as the experts did. */
  readonly diagnosis_rate: number | null;
  readonly by: Readonly<
    Record<'library_group' | 'root_cause' | 'crash_type', Readonly<Record<string, Measures>>>
  >;
  readonly ms: { readonly median: number | null; readonly p95: number | null } | null;
  /** Accuracy of every single run of a recorded model, and their standard deviation. */
  readonly runs: { readonly accuracy: readonly number[]; readonly deviation: number } | null;
  /** Instances that a model was asked about; null where none is involved. */
  readonly asked_model: number | null;
  /** Against each recorded model: instances that only this method or only the model got right, and the exact p. */
  readonly mcnemar: Readonly<Record<string, McNemar>>;
  /** Agreement of the structured judge with the published verdicts, where they were published. */
  readonly judge: Agreement | null;
}

const breakdowns = ['library_group', 'root_cause', 'crash_type'] as const;

export function isCorrect({ instance, prediction }: JudgedPrediction): boolean {
  return (prediction.outcome === 'crash') === instance.crashes;
}

export function measure(
  judged: readonly JudgedPrediction[],
  rivals: Readonly<Record<string, readonly JudgedPrediction[]>>,
  judge: Agreement | null,
): MethodReport {
  const detection = detectionOf(judged);
  const confusion = confusionOf(judged.map(pairOf));
  const found = judged.filter(
    ({ instance, prediction }) => instance.crashes && prediction.outcome === 'crash',
  );
  const times = judged.map(({ prediction }) => prediction.ms).filter((ms): ms is number => ms !== null);
  const { truePositives, trueNegatives, falsePositives, falseNegatives } = confusion;
  return {
    ...detection,
    abstentions: judged.filter(({ prediction }) => prediction.outcome === 'unknown').length,
    intervals: {
      accuracy: wilsonInterval(truePositives + trueNegatives, judged.length),
      precision: wilsonInterval(truePositives, truePositives + falsePositives),
      recall: wilsonInterval(truePositives, truePositives + falseNegatives),
      f1: bootstrapInterval(pairsOf(judged), (sample) => detectionOf(sample.flat()).f1),
    },
    diagnosis: measuresOf(confusionOf(judged.map(diagnosisPairOf))),
    diagnosis_rate: ratio(found.filter(({ diagnosed }) => diagnosed).length, found.length),
    by: {
      library_group: breakdown(judged, 'library_group'),
      root_cause: breakdown(judged, 'root_cause'),
      crash_type: breakdown(judged, 'crash_type'),
    },
    ms: times.length === 0 ? null : { median: quantile(times, 0.5), p95: quantile(times, 0.95) },
    runs: spreadOf(judged),
    asked_model: askedModel(judged),
    mcnemar: Object.fromEntries(
      Object.entries(rivals).map(([name, rival]) => [name, compare(judged, rival)]),
    ),
    judge,
  };
}

function detectionOf(judged: readonly JudgedPrediction[]): Measures {
  return measuresOf(confusionOf(judged.map(pairOf)));
}

function pairOf({ instance, prediction }: JudgedPrediction) {
  return { actual: instance.crashes, predicted: prediction.outcome === 'crash' };
}

/** With diagnosis, a crash that was announced for a wrong reason is not found. */
function diagnosisPairOf({ instance, prediction, diagnosed }: JudgedPrediction) {
  const predicted = prediction.outcome === 'crash' && (!instance.crashes || diagnosed);
  return { actual: instance.crashes, predicted };
}

/** The two versions of a notebook stay together when the data are resampled. */
function pairsOf(judged: readonly JudgedPrediction[]): JudgedPrediction[][] {
  const byCase = new Map<string, JudgedPrediction[]>();
  for (const entry of judged) {
    const known = byCase.get(entry.instance.label.case);
    if (known === undefined) byCase.set(entry.instance.label.case, [entry]);
    else known.push(entry);
  }
  return [...byCase.values()];
}

/** A run without a readable answer predicts nothing, so it is right where there is no crash. */
function spreadOf(judged: readonly JudgedPrediction[]): MethodReport['runs'] {
  const counts = judged.map(({ prediction }) =>
    prediction.rung === 'llm' ? (prediction.runs?.length ?? 0) : 0,
  );
  const runs = Math.min(...counts);
  if (judged.length === 0 || runs === 0) return null;
  const accuracy = Array.from({ length: runs }, (_, run) => {
    const right = judged.filter(
      ({ instance, prediction }) => (prediction.runs?.[run] === true) === instance.crashes,
    );
    return right.length / judged.length;
  });
  const mean = accuracy.reduce((sum, value) => sum + value, 0) / runs;
  const squares = accuracy.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { accuracy, deviation: runs > 1 ? Math.sqrt(squares / (runs - 1)) : 0 };
}

function askedModel(judged: readonly JudgedPrediction[]): number | null {
  const asked = judged.filter(({ prediction }) => prediction.votes !== undefined).length;
  return asked === 0 ? null : asked;
}

function breakdown(
  judged: readonly JudgedPrediction[],
  by: (typeof breakdowns)[number],
): Record<string, Measures> {
  const groups = new Map<string, JudgedPrediction[]>();
  for (const entry of judged) {
    const group = entry.instance.label[by];
    const known = groups.get(group);
    if (known === undefined) groups.set(group, [entry]);
    else known.push(entry);
  }
  const sorted = [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([group, entries]) => [group, detectionOf(entries)]));
}

function compare(first: readonly JudgedPrediction[], second: readonly JudgedPrediction[]): McNemar {
  const rival = new Map(second.map((entry) => [entry.instance.id, isCorrect(entry)]));
  return mcnemarExact(
    first.map((entry) => ({ first: isCorrect(entry), second: rival.get(entry.instance.id) ?? false })),
  );
}
