// `grus bench training`: every method on every run under one protocol, with every figure the report shows.
import { featureTable, panelsOf } from '@grus/training';
import { bootstrapInterval, type Interval } from '../statistics/index.js';
import { caseCategories } from './data/case.js';
import { type ExaminedCase, examineCases } from './data/examined.js';
import { isScenarios, loadCases } from './data/load.js';
import type { Ebm } from './learned/index.js';
import { type CalibrationMeasures, calibrationOf } from './measures/calibration.js';
import { type Comparison, compareAll } from './measures/compare.js';
import { type Cost, costOf } from './measures/cost.js';
import { type Multiclass, mean, multiclass } from './measures/multiclass.js';
import { type Selective, selectiveOf } from './measures/selective.js';
import { type PanelData, panelDataOf } from './panels.js';
import { type Ablation, ablate, type Importance, importanceByFamily } from './protocol/ablation.js';
import { groupedFolds } from './protocol/folds.js';
import { type LeftOut, leaveOut } from './protocol/leave-out.js';
import { answerAll, answerShipped, methodNames } from './protocol/methods.js';
import type { TrainingPrediction } from './protocol/prediction.js';
import { seeds } from './protocol/tuning.js';
import { type Shape, shapesOf } from './shapes.js';
import { type LeadReport, measureWarnings } from './warning/lead.js';

export interface TrainingOptions {
  /** Scenarios, or a folder of runs with a labels.json. */
  readonly data: string;
  readonly methods?: readonly string[];
  /** Only runs whose id contains this text. */
  readonly only?: string;
  /** Judge with the models that come with Grus; without it, only where the folder is not the scenarios they were made from. */
  readonly shipped?: boolean;
  /** Skip what takes minutes: leave-outs, ablations, warnings. */
  readonly quick?: boolean;
  readonly resamples?: number;
  readonly progress?: (text: string) => void;
}

export interface TrainingMethodReport extends Multiclass {
  readonly interval: Interval | null;
  /** Healthy runs in which a failure was diagnosed. */
  readonly false_alarms: number;
  /** Accuracy among failing runs alone, over their five categories, as the study counts. */
  readonly accuracy_failing: number | null;
  readonly subcause_accuracy: number | null;
  readonly selective: Selective;
  /** Share of runs whose cause can be told on which the method was silent. */
  readonly abstention_on_decidable: number | null;
  readonly calibration: CalibrationMeasures;
  readonly cost: Cost;
}

export interface TrainingReport {
  readonly benchmark: 'training';
  readonly data: string;
  readonly runs: number;
  readonly groups: number;
  /** 0 when the models that come with Grus judged. */
  readonly folds: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly seeds: typeof seeds;
  readonly resamples: number;
  readonly methods: Readonly<Record<string, TrainingMethodReport>>;
  readonly comparisons: readonly Comparison[];
  readonly left_out: readonly LeftOut[];
  readonly ablations: readonly Ablation[];
  readonly importance: readonly Importance[];
  readonly lead: LeadReport | null;
  readonly shapes: readonly Shape[];
  readonly panels: readonly PanelData[];
  readonly skipped: Readonly<Record<string, string>>;
  readonly seconds: number;
  readonly predictions: readonly TrainingPrediction[];
}

const foldCount = 5;

export async function runTraining(options: TrainingOptions): Promise<TrainingReport> {
  const started = performance.now();
  const { progress } = options;
  const chosen = options.methods && options.methods.length > 0 ? options.methods : methodNames;
  const cases = await examineCases(
    loadCases(options.data).filter(({ id }) => options.only === undefined || id.includes(options.only)),
    (done, total, id) => progress?.(`reading ${done} of ${total}: ${id}`),
  );
  const folds = groupedFolds(
    cases,
    Math.min(foldCount, new Set(cases.map(({ group }) => group)).size),
    seeds.folds,
  );
  const shipped = options.shipped === true || !isScenarios(options.data);
  const { predictions, validated } = shipped
    ? await answerShipped(cases, chosen)
    : answerAll(cases, folds, chosen, progress);
  const resamples = options.resamples ?? 10_000;
  const long = options.quick !== true && !shipped;
  const ebm = validated.ebm;
  return {
    benchmark: 'training',
    data: options.data,
    runs: cases.length,
    groups: new Set(cases.map(({ group }) => group)).size,
    folds: shipped ? 0 : Math.max(0, ...folds) + 1,
    counts: Object.fromEntries(
      caseCategories.map((name) => [name, cases.filter(({ category }) => category === name).length]),
    ),
    seeds,
    resamples,
    methods: Object.fromEntries(
      Object.entries(predictions).map(([name, rows]) => [name, measureMethod(cases, rows, resamples)]),
    ),
    comparisons: compareAll(
      Object.fromEntries(
        Object.entries(predictions).map(([name, rows]) => [name, rows.map(({ correct }) => correct)]),
      ),
    ),
    left_out: long ? leaveOut(cases, progress) : [],
    ablations: long ? ablate(cases, folds, progress) : [],
    importance: ebm ? importanceByFamily(cases, folds, ebm) : [],
    lead:
      options.quick !== true
        ? measureWarnings(cases, folds, ebm, (done, total) => progress?.(`watching ${done} of ${total}`))
        : null,
    shapes: ebm ? shapesOf(ebm.models[0] as Ebm, featureTable) : [],
    panels: cases.map((entry) => panelDataOf(entry, panelsOf(entry.examination.record))),
    skipped: chosen.some((name) => name.startsWith('llm'))
      ? {}
      : { llm: 'no model was configured: answers of a model are neither recorded nor asked for' },
    seconds: Math.round((performance.now() - started) / 100) / 10,
    predictions: Object.values(predictions).flat(),
  };
}

export function measureMethod(
  cases: readonly ExaminedCase[],
  rows: readonly TrainingPrediction[],
  resamples: number,
): TrainingMethodReport {
  const shown = (row: TrainingPrediction) => ({
    actual: row.actual,
    predicted: row.correct ? row.actual : row.category,
  });
  const failing = rows.filter(({ actual }) => actual !== 'healthy');
  const decidable = rows.filter(({ actual }) => actual !== 'unknown');
  const named = rows.filter(({ subcause_correct }) => subcause_correct !== null);
  const groups = new Map<string, TrainingPrediction[]>();
  rows.forEach((row, index) => {
    const { group } = cases[index]!;
    groups.set(group, [...(groups.get(group) ?? []), row]);
  });
  return {
    ...multiclass(rows.map(shown), caseCategories),
    interval: bootstrapInterval(
      [...groups.values()].map((held) => ({
        n: held.length,
        right: held.filter(({ correct }) => correct).length,
      })),
      (sample) => {
        const n = sample.reduce((sum, unit) => sum + unit.n, 0);
        return n === 0 ? null : sample.reduce((sum, unit) => sum + unit.right, 0) / n;
      },
      { resamples, seed: seeds.bootstrap },
    ),
    false_alarms: rows.filter(
      ({ actual, category, correct }) =>
        actual === 'healthy' && !correct && category !== 'healthy' && category !== 'unknown',
    ).length,
    accuracy_failing: mean(failing.map(({ correct }) => Number(correct))),
    subcause_accuracy: mean(named.map(({ subcause_correct }) => Number(subcause_correct))),
    selective: selectiveOf(rows),
    abstention_on_decidable: mean(decidable.map(({ abstained }) => Number(abstained))),
    calibration: calibrationOf(rows.filter(({ abstained }) => !abstained)),
    cost: costOf(rows),
  };
}
