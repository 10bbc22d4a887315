// Every method's answer about every run. Rules need no fitting; learned models answer out of fold; the hybrid takes the model of
// the fold that did not see the run.
import {
  type DiagnosedCategory,
  hybridMethod,
  learningVector,
  type Method,
  rulesMethod,
  treeMethod,
} from '@grus/training';
import type { ExaminedCase } from '../data/examined.js';
import type { Calibration } from '../learned/calibration.js';
import type { Classifier, LearnerName } from '../learned/index.js';
import { learnedModel, loadModel } from '../learned/shipped.js';
import { calibrationByFold, crossCalibrated } from './calibrated.js';
import { type CrossValidated, crossValidate } from './cross-validate.js';
import { isRight, predictionOf, type TrainingPrediction } from './prediction.js';

export const ruleNames = ['rules', 'tree'] as const;
export const learnerNames: readonly LearnerName[] = [
  'decision-list',
  'logistic',
  'cart',
  'forest',
  'boosting',
  'ebm',
];
export const methodNames: readonly string[] = [...ruleNames, ...learnerNames, 'hybrid'];

export interface Answered {
  readonly predictions: Readonly<Record<string, readonly TrainingPrediction[]>>;
  readonly validated: Readonly<Partial<Record<LearnerName, CrossValidated>>>;
}

/** The learner behind the hybrid. */
export const hybridLearner: LearnerName = 'ebm';

export function answerAll(
  cases: readonly ExaminedCase[],
  folds: readonly number[],
  chosen: readonly string[],
  progress?: (text: string) => void,
): Answered {
  const predictions: Record<string, readonly TrainingPrediction[]> = {};
  const validated: Partial<Record<LearnerName, CrossValidated>> = {};
  for (const method of [rulesMethod, treeMethod])
    if (chosen.includes(method.name)) predictions[method.name] = cases.map((entry) => judged(method, entry));
  for (const name of learnerNames) {
    if (!chosen.includes(name) && !(name === hybridLearner && chosen.includes('hybrid'))) continue;
    progress?.(`cross-validating ${name}`);
    const result = crossValidate(name, cases, folds);
    validated[name] = result;
    if (chosen.includes(name)) predictions[name] = learnedPredictions(name, cases, result);
  }
  const behind = validated[hybridLearner];
  if (chosen.includes('hybrid') && behind) predictions['hybrid'] = hybridPredictions(cases, folds, behind);
  return { predictions, validated };
}

/** The same with the models that come with Grus: for runs that they were not made from. */
export async function answerShipped(
  cases: readonly ExaminedCase[],
  chosen: readonly string[],
): Promise<Answered> {
  const predictions: Record<string, readonly TrainingPrediction[]> = {};
  for (const method of [rulesMethod, treeMethod])
    if (chosen.includes(method.name)) predictions[method.name] = cases.map((entry) => judged(method, entry));
  for (const name of learnerNames) {
    if (!chosen.includes(name)) continue;
    const model = await loadModel(name);
    predictions[name] = cases.map((entry) => {
      const started = performance.now();
      const ranked = Object.entries(model.predict(learningVector(entry.examination))).sort(
        ([, a], [, b]) => b - a,
      ) as [DiagnosedCategory, number][];
      const [category, confidence] = ranked[0]!;
      return forced(entry, name, category, confidence, performance.now() - started);
    });
  }
  // As `grus diagnose` answers: without a learned model.
  if (chosen.includes('hybrid')) {
    const method = hybridMethod();
    predictions['hybrid'] = cases.map((entry) => judged(method, entry));
  }
  return { predictions, validated: {} };
}

export function judged(method: Method, entry: ExaminedCase): TrainingPrediction {
  const started = performance.now();
  const judgement = method.judge(entry.examination);
  return predictionOf(
    entry,
    method.name,
    { ...judgement, abstained: judgement.abstention !== null },
    entry.ms + performance.now() - started,
  );
}

/** The likeliest category, never withheld: what a person sees who takes the model at its word. */
function learnedPredictions(
  name: LearnerName,
  cases: readonly ExaminedCase[],
  { answers }: CrossValidated,
): TrainingPrediction[] {
  const confidences = crossCalibrated(
    answers.map((answer, index) => ({
      confidence: answer.confidence,
      fold: answer.fold,
      correct: isRight(cases[index]!, answer.label as DiagnosedCategory),
    })),
  );
  return cases.map((entry, index) =>
    forced(entry, name, answers[index]!.label as DiagnosedCategory, confidences[index]!, answers[index]!.ms),
  );
}

function forced(
  entry: ExaminedCase,
  name: string,
  category: DiagnosedCategory,
  confidence: number,
  ms: number,
): TrainingPrediction {
  const symptom = entry.examination.symptoms.find((found) => found.category === category);
  return predictionOf(
    entry,
    name,
    {
      outcome: category === 'healthy' ? 'healthy' : category === 'unknown' ? 'unknown' : 'failed',
      category,
      subcause: symptom?.subcause ?? null,
      confidence,
      onset: symptom?.onset ?? null,
      abstained: category === 'unknown',
    },
    entry.ms + ms,
  );
}

export function hybridOf(model: Classifier, calibration: Calibration): Method {
  return hybridMethod({ learned: learnedModel(hybridLearner, model, calibration) });
}

function hybridPredictions(
  cases: readonly ExaminedCase[],
  folds: readonly number[],
  { answers, models }: CrossValidated,
): TrainingPrediction[] {
  const calibrations = calibrationByFold(
    answers.map((answer, index) => ({
      confidence: answer.confidence,
      fold: answer.fold,
      correct: isRight(cases[index]!, answer.label as DiagnosedCategory),
    })),
  );
  const methods = models.map((model, fold) => hybridOf(model, calibrations[fold]!));
  return cases.map((entry, index) => judged(methods[folds[index]!]!, entry));
}
