// The public question of two runs: what differs, and which difference explains that they ended differently?
import { diagnoseRecord } from '../diagnose/diagnose.js';
import { headline } from '../diagnose/report.js';
import type { RunRecord } from '../record/run-record.js';
import { type Contrasted, contrastOf, type Judged, lastStep } from './contrast.js';
import type { ComparedRun, RunComparison } from './define.js';
import { differencesOf } from './differences.js';
import { explain, weigh } from './explain.js';
import { levelOf } from './measures.js';

/** The first is the one to compare with: the run that worked, or the older one. */
export function compareRuns(before: RunRecord, after: RunRecord): RunComparison {
  const [old, now] = [before, after].map((record) => ({ record, diagnosis: diagnoseRecord(record) }));
  return compareJudged(old!, now!);
}

/** The same of runs that were judged already. */
export function compareJudged(before: Judged, after: Judged): RunComparison {
  const ended = contrastOf(before, after);
  const { differences, notCompared } = differencesOf(before.record, after.record);
  const weighed = weigh(differences, ended);
  return {
    before: comparedRun(before, ended, 'before'),
    after: comparedRun(after, ended, 'after'),
    endings: ended.endings,
    worse: ended.worse?.diagnosis.path ?? null,
    parting: ended.parting,
    differences: weighed,
    explanation: explain(weighed, ended),
    not_compared: notCompared,
  };
}

function comparedRun({ diagnosis }: Judged, { measure }: Contrasted, side: 'before' | 'after'): ComparedRun {
  const { path, outcome, category, subcause, confidence } = diagnosis;
  return {
    path,
    outcome,
    category,
    subcause,
    confidence,
    headline: headline(diagnosis),
    metric: measure?.before.curve.name ?? null,
    level: measure && levelOf(measure[side]),
    reached: measure && lastStep(measure[side].curve),
    counts: measure?.[side].curve.series.counts ?? null,
  };
}
