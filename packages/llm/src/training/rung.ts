// The LLM rung of the training ladder: asked when rules and learned models abstain. Answers count with what they cite
// from the run's own records, and two of three must name the same category.
import { abstention, type Reason, visible } from '@grus/core';
import { commitAt, type Diagnosis, type RunEvidence, type RunRecord } from '@grus/training';
import { ModelFailure } from '../model/failure.js';
import type { Model } from '../model/model.js';
import type { OpenModel } from '../model/open.js';
import { cleanText } from '../question/clean.js';
import { fenceKey } from '../question/shield.js';
import type { LlmSettings } from '../settings/settings.js';
import { type CheckedAnswer, readTrainingAnswer } from './answer.js';
import { composeTrainingQuestion } from './question.js';
import type { Cited, ShownRun } from './shown-run.js';

const votes = 3;
const agreement = 2;

export interface TrainingRungOptions {
  readonly settings: LlmSettings;
  readonly open: OpenModel;
  readonly signal?: AbortSignal;
}

/** The diagnosis with the model's opinion where it had none of its own; otherwise unchanged and nothing is asked. */
export async function diagnoseWithModel(
  record: RunRecord,
  diagnosis: Diagnosis,
  { settings, open, signal }: TrainingRungOptions,
): Promise<Diagnosis> {
  if (!diagnosis.abstained && diagnosis.confidence >= commitAt) return diagnosis;
  const started = performance.now();
  const model = open();
  const shown = composeTrainingQuestion(record, diagnosis, {
    tokens: settings.promptTokens,
    redaction: settings.redaction,
    key: fenceKey(settings.state),
  });
  const abstain = (why: Reason): Diagnosis => withRung(diagnosis, 'unknown', started, why);
  try {
    const agreed = await agreeing(model, shown, signal);
    if (agreed === null) return abstain({ code: 'citations-disagree', model: model.name });
    return conclude(diagnosis, agreed, model.name, started, shown);
  } catch (error) {
    if (ModelFailure.is(error)) return abstain(error.reason);
    throw error;
  }
}

/** The answers that name the same category, once enough of them do. */
async function agreeing(
  model: Model,
  shown: ShownRun,
  signal?: AbortSignal,
): Promise<CheckedAnswer[] | null> {
  const byCategory = new Map<string, CheckedAnswer[]>();
  for (let vote = 0; vote < votes; vote++) {
    const { text } = await model.ask({ ...shown.question, vote, ...(signal ? { signal } : {}) });
    const checked = readTrainingAnswer(text, shown);
    // A diagnosis without a single true citation is a guess.
    if (checked === null || checked.citations.length === 0 || checked.answer.category === 'unknown') continue;
    const same = [...(byCategory.get(checked.answer.category) ?? []), checked];
    byCategory.set(checked.answer.category, same);
    if (same.length >= agreement) return same;
  }
  return null;
}

function conclude(
  diagnosis: Diagnosis,
  answers: readonly CheckedAnswer[],
  model: string,
  started: number,
  { sources }: ShownRun,
): Diagnosis {
  const first = answers[0]!;
  const { category } = first.answer;
  const cited = answers.reduce((sum, { citations }) => sum + citations.length, 0);
  const invented = answers.reduce((sum, answer) => sum + answer.invented, 0);
  const believed = answers.reduce((sum, { answer }) => sum + Math.min(1, Math.max(0, answer.confidence)), 0);
  // What a model believes of itself, times the share of its citations that are true.
  const confidence = Math.round((believed / answers.length) * (cited / (cited + invented)) * 100) / 100;
  const subcause = answers.find((answer) => answer.subcause !== null)?.subcause ?? null;
  const commits = confidence >= commitAt;
  const outcome =
    category === 'healthy' ? 'healthy' : diagnosis.outcome === 'healthy' ? 'degraded' : diagnosis.outcome;
  const evidence = [
    ...new Map(answers.flatMap(({ citations }) => citations).map((entry) => [entry.source, entry])).values(),
  ];
  const hypotheses = [{ category, subcause, confidence }, ...diagnosis.hypotheses].sort(
    (a, b) => b.confidence - a.confidence,
  );
  const shared = withRung(
    diagnosis,
    commits ? outcome : 'unknown',
    started,
    commits ? null : { code: 'model-unsure', model, confidence },
  );
  if (!commits) return { ...shared, hypotheses };
  const { remedy } = first.answer;
  return {
    ...shared,
    outcome: outcome === 'unknown' ? 'failed' : outcome,
    category,
    subcause,
    confidence,
    abstained: false,
    evidence: evidence.map(({ source, quote }) => evidenceOf(sources.get(source) ?? { source, text: quote })),
    hypotheses,
    remedies: remedy
      ? [
          {
            kind: 'do',
            text: cleanText(remedy, 300),
            because: `suggested by ${model}: ${cleanText(first.answer.cause, 300)}`,
          },
          ...diagnosis.remedies,
        ]
      : diagnosis.remedies,
  };
}

/** The citation as the user's own records have it. */
function evidenceOf({ source, text }: Cited): RunEvidence {
  const quote = visible(text).slice(0, 300);
  const line = /^(.*):(\d+)$/.exec(source);
  if (line) return { fact: quote, file: line[1]!, line: Number(line[2]) };
  const step = /^step (-?\d+)$/.exec(source);
  return step
    ? { fact: quote, file: 'steps', step: Number(step[1]) }
    : { fact: `${source}: ${quote}`, file: 'configuration' };
}

function withRung(
  diagnosis: Diagnosis,
  outcome: Diagnosis['outcome'],
  started: number,
  why: Reason | null,
): Diagnosis {
  const ms = Math.round((performance.now() - started) * 10) / 10;
  return {
    ...diagnosis,
    rungs: [...diagnosis.rungs, { rung: 'llm', outcome, ms, ...abstention(why) }],
    ms: Math.round((diagnosis.ms + ms) * 10) / 10,
  };
}
