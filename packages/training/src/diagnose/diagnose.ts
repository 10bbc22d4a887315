// The public question: why does this run fail? Reads a run when given a path, examines it, lets a method judge, and answers
// in the fields of the command line.
import { abstention } from '@grus/core';
import { type Examination, examine } from '../detectors/examine.js';
import { viewOf } from '../features/view.js';
import { actionFor, concernsRanks, showsMachine } from '../ranks/verdict/action.js';
import { firstByEvidence } from '../ranks/verdict/first.js';
import { ranksOf } from '../ranks/verdict/ranks.js';
import { readRun } from '../readers/index.js';
import type { RunRecord } from '../record/run-record.js';
import { remediesFor } from '../remedies/remedies-for.js';
import { round } from '../rules/confidence.js';
import { rulesMethod } from '../rules/decision-list.js';
import type { Diagnosis, DiagnosisRung, Judgement, Method } from '../rules/diagnosis.js';
import { treeMethod } from '../rules/weigh.js';
import { triage } from '../triage/hybrid.js';

export interface DiagnoseOptions {
  /** "hybrid" (the default), "rules", "tree", or any method made elsewhere, such as a learned one. */
  readonly method?: 'hybrid' | 'rules' | 'tree' | Method;
}

/** Diagnoses a run, read from its path or read already. */
export async function diagnose(
  run: RunRecord | string,
  options: DiagnoseOptions = {},
  started = performance.now(),
): Promise<Diagnosis> {
  const record = typeof run === 'string' ? await readRun(run) : run;
  return diagnoseRecord(record, options, started);
}

/** The same of a record that was read already. `started` counts the reading into the time. */
export function diagnoseRecord(
  record: RunRecord,
  options: DiagnoseOptions = {},
  started = performance.now(),
): Diagnosis {
  const rungs: DiagnosisRung[] = [];
  if (performance.now() - started > 0.05)
    rungs.push({ rung: 'readers', outcome: 'unknown', ms: milliseconds(started), ...abstention(null) });
  const examining = performance.now();
  const examination = examine(record);
  const found = examination.symptoms[0];
  rungs.push({
    rung: 'detectors',
    outcome: found && found.strength >= 0.6 ? 'failed' : 'unknown',
    ms: milliseconds(examining),
    ...abstention(found ? null : { code: 'weak-no-symptom' }),
  });
  const judgement = judgeWith(examination, options, rungs);
  const told = ranksOf(record);
  const [shown] = judgement.evidence;
  const ranks =
    told !== null && told.first === null && shown !== undefined && showsMachine(judgement.subcause)
      ? { ...told, first: firstByEvidence(viewOf(record), shown) }
      : told;
  // Where nothing went wrong, nothing began.
  const isOver = viewOf(record).ending.kind === 'completed';
  const began =
    !isOfWholeJob(judgement, record) &&
    (judgement.outcome === 'failed' ||
      judgement.subcause !== null ||
      (judgement.hypotheses.length > 0 && !isOver));
  return {
    path: record.path,
    outcome: judgement.outcome,
    category: judgement.category,
    subcause: judgement.subcause,
    confidence: round(judgement.confidence),
    abstained: judgement.abstention !== null,
    onset_step: judgement.onset,
    evidence: judgement.evidence,
    remedies: remediesFor(examination, judgement),
    hypotheses: judgement.hypotheses,
    rungs,
    ms: milliseconds(started),
    ...(ranks === null ? {} : { ranks: began ? ranks : { ...ranks, first: null } }),
    ...(ranks === null && !concernsRanks(judgement.subcause, record)
      ? {}
      : { action: actionFor(judgement.subcause, record, ranks?.first ?? null) }),
  };
}

/** A limit of time is that of the whole job, and so is what the scheduler took back from it. */
function isOfWholeJob({ subcause }: Judgement, { exits }: RunRecord): boolean {
  return (
    subcause === 'time_limit' ||
    (subcause === 'preempted' &&
      exits.some(({ source, reason }) => source === 'slurm' && reason === 'preempted'))
  );
}

function judgeWith(examination: Examination, options: DiagnoseOptions, rungs: DiagnosisRung[]): Judgement {
  const method = options.method ?? 'hybrid';
  const judging = performance.now();
  const report = (rung: string, judgement: Judgement): void => {
    rungs.push({
      rung,
      outcome: judgement.outcome,
      ms: milliseconds(judging),
      ...abstention(judgement.abstention),
    });
  };
  if (method !== 'hybrid') {
    const chosen = method === 'rules' ? rulesMethod : method === 'tree' ? treeMethod : method;
    const judgement = chosen.judge(examination);
    report(chosen.name, judgement);
    return judgement;
  }
  const result = triage(examination);
  report('rules', result.tree);
  report('triage', result.judgement);
  return result.judgement;
}

function milliseconds(since: number): number {
  return Math.round((performance.now() - since) * 10) / 10;
}
