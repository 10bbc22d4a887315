// Everything features and detectors look at, prepared once per record: the curves, the errors in order, the text
// without advice, the kind of task and how the run ended.
import {
  allSeries,
  findSeries,
  type MetricName,
  type RunRecord,
  type Split,
  type TextLine,
} from '../record/run-record.js';
import { type Curve, isOfSeveral, toCurve } from './curve.js';
import { type Ending, endingOf } from './ending.js';
import { type Failure, failuresOf, isAdvice, isPrintedSetting, suspectsOf } from './failures.js';
import { type Task, taskOf } from './task.js';

export interface RunView {
  readonly record: RunRecord;
  readonly task: Task;
  readonly failures: readonly Failure[];
  /** Without any failure: lines that may be an error's message, for those who know its words beyond doubt. */
  readonly suspects: readonly Failure[];
  readonly ending: Ending;
  /** Lines of the run's text, advice and printed settings left out. */
  readonly lines: readonly TextLine[];
  /** The curve that stands for a metric, or null. `train` or `system` unless a split is named. */
  curve(metric: MetricName, split?: Split): Curve | null;
  /** Every curve of a metric over all splits. */
  curves(metric: MetricName, split?: Split): readonly Curve[];
}

const cache = new WeakMap<RunRecord, RunView>();

export function viewOf(record: RunRecord): RunView {
  const known = cache.get(record);
  if (known) return known;
  const failures = failuresOf(record);
  const curves = new Map<string, Curve | null>();
  const groups = new Map<string, readonly Curve[]>();
  const view: RunView = {
    record,
    task: taskOf(record),
    failures,
    suspects: failures.length > 0 ? [] : suspectsOf(record),
    ending: endingOf(record, failures),
    lines: record.text.lines.filter(({ text }) => !isAdvice(text) && !isPrintedSetting(text)),
    curve(asked, split) {
      const metric = standIn(record, asked);
      const key = `${metric}/${split ?? ''}`;
      const found = curves.get(key);
      if (found !== undefined) return found;
      const series =
        findSeries(record, metric, split === undefined ? {} : { split }) ??
        // Many loops call what they hold out a test set.
        (split === 'eval' ? findSeries(record, metric, { split: 'test' }) : null);
      const isUsable =
        series !== null &&
        (split !== undefined || metric === 'reward' || isOwn(series.split)) &&
        !isOfSeveral(series);
      const usable = isUsable ? toCurve(series) : null;
      curves.set(key, usable);
      return usable;
    },
    curves(asked, split) {
      const metric = standIn(record, asked);
      const key = `${metric}/${split ?? ''}`;
      const found = groups.get(key);
      if (found) return found;
      const made = allSeries(record, metric, split === undefined ? {} : { split })
        .filter((series) => !isOfSeveral(series))
        .map(toCurve);
      groups.set(key, made);
      return made;
    },
  };
  cache.set(record, view);
  return view;
}

/** Where nothing is called a loss, the error that is logged is what training lowers. */
function standIn(record: RunRecord, metric: MetricName): MetricName {
  return metric === 'loss' && !record.series.some((series) => series.metric === 'loss')
    ? 'error_metric'
    : metric;
}

/** Without a named split a validation curve must not stand in for the training curve; what a policy earns is the same wherever it plays. */
function isOwn(split: Split): boolean {
  return split === 'train' || split === 'system';
}
