// The LLM rung of the notebook ladder: asked last, with the evidence of the others in hand, about what they left open.
import type { Evidence, Finding, Reason, Rung, RungReport, RungResult } from '@grus/core';
import { type CheckContext, type CheckOptions, isUnread, type VerifiedFix } from '@grus/notebook';
import { ModelFailure } from '../model/failure.js';
import type { OpenModel } from '../model/open.js';
import type { Answer } from '../question/answer.js';
import { executedCells } from '../question/cells.js';
import { cleanException, cleanText } from '../question/clean.js';
import { composeQuestion, type Question, type QuestionMode } from '../question/compose.js';
import type { Category } from '../question/facts/fact.js';
import { verifyFix } from '../repair/verify.js';
import type { LlmSettings } from '../settings/settings.js';
import { confidenceAt } from '../votes/calibration.js';
import { type Poll, poll } from '../votes/poll.js';

export interface LlmRungOptions {
  readonly settings: LlmSettings;
  readonly open: OpenModel;
  /** Default `ladder`. */
  readonly mode?: QuestionMode;
  /** Categories of runtime information to send. Default: all. */
  readonly categories?: readonly Category[];
  /** How a proposed fix is verified: the options of the check itself. */
  readonly verify?: CheckOptions;
  readonly signal?: AbortSignal;
  /** Hears what each poll took. */
  readonly onPoll?: (poll: Poll) => void;
}

export function llmRung(options: LlmRungOptions): Rung<CheckContext> {
  return {
    name: 'llm',
    async run(context, earlier) {
      if (context.cell.foreign) return unknown({ code: 'not-python' });
      if (isUnread(earlier)) return unknown({ code: 'kernel-unread' });
      const model = options.open();
      const question = await questionFor(context, earlier, options);
      try {
        const { votes, agreement } = options.settings;
        const { signal } = options;
        const result = await poll(model, question, { votes, agreement, ...(signal ? { signal } : {}) });
        options.onPoll?.(result);
        return await conclude(result, context, options, model.name);
      } catch (error) {
        if (ModelFailure.is(error)) return unknown(error.reason);
        throw error;
      }
    },
  };
}

export async function questionFor(
  context: CheckContext,
  earlier: readonly RungReport[],
  { settings, mode = 'ladder', categories }: Pick<LlmRungOptions, 'settings' | 'mode' | 'categories'>,
): Promise<Question> {
  const { target } = context;
  const snapshot = await context.snapshot();
  return composeQuestion({
    mode,
    executed: executedCells(snapshot, target.cells),
    target: target.source,
    snapshot,
    earlier,
    redaction: settings.redaction,
    tokens: settings.promptTokens,
    ...(categories ? { categories } : {}),
  });
}

async function conclude(
  result: Poll,
  context: CheckContext,
  options: LlmRungOptions,
  model: string,
): Promise<RungResult> {
  const { crash, ok, asked, outcome } = result;
  if (outcome === 'split') {
    const [problem] = result.abstained;
    const told = problem !== undefined && crash.length + ok.length === 0 ? cleanText(problem, 300) : null;
    return unknown({ code: 'votes-split', crash: crash.length, asked, model, problem: told });
  }
  const evidence = [evidenceOf(result, model)];
  const confidence = confidenceAt(model, outcome, outcome === 'crash' ? crash.length : ok.length, asked);
  if (outcome === 'ok') {
    const explanation = cleanText(
      ok.find(({ cause }) => cause !== '')?.cause ?? 'The model expects no crash.',
    );
    return { outcome, confidence, evidence, explanation };
  }
  const fix = await firstVerified(crash, context, options);
  return { outcome, findings: [findingOf(crash, context.target.source, confidence, evidence, fix)] };
}

async function firstVerified(
  answers: readonly Answer[],
  { target }: CheckContext,
  { verify, signal }: LlmRungOptions,
): Promise<VerifiedFix | null> {
  if (!verify?.dry || verify.dry.policy === 'never') return null;
  const tried = new Set<string>();
  for (const { fix } of answers) {
    const key = JSON.stringify(fix);
    if (fix === null || tried.has(key) || signal?.aborted) continue;
    tried.add(key);
    const verified = await verifyFix(target, fix, verify, false);
    if (verified !== null) return verified;
  }
  return null;
}

function findingOf(
  answers: readonly Answer[],
  source: string,
  confidence: number,
  evidence: readonly Evidence[],
  fix: VerifiedFix | null,
): Finding {
  const lines = source.replace(/\r\n?/g, '\n').split('\n');
  const type = commonest(answers.map(({ exceptionType }) => cleanException(exceptionType))) ?? 'Exception';
  const inside = answers.map(({ line }) => (line !== null && line <= lines.length ? line : null));
  const line = commonest(inside) ?? 1;
  const spokesman =
    answers.find((answer) => answer.cause !== '' && cleanException(answer.exceptionType) === type) ??
    answers[0]!;
  const cause = cleanText(spokesman.cause) || 'The model gave no cause.';
  const text = lines[line - 1] ?? '';
  return {
    check: 'llm/votes',
    exception: { type, message: '' },
    place: {
      line,
      column: text.length - text.trimStart().length,
      endLine: line,
      endColumn: Math.max(1, text.trimEnd().length),
    },
    confidence,
    evidence: [
      ...evidence,
      ...(fix ? [{ fact: 'the edited cell finished', source: 'ran in an isolated copy' }] : []),
    ],
    explanation: cause,
    remedy: fix
      ? `Verified fix: ${fix.edit.title}`
      : 'Look at the line before running it: this is an opinion of a model, not a proof.',
    ...(fix ? { edit: fix.edit } : {}),
  };
}

function evidenceOf({ crash, asked, usage, replayed, ms }: Poll, model: string): Evidence {
  const cost = usage.usd === null || usage.usd === 0 ? '' : `, $${usage.usd.toFixed(4)}`;
  const told =
    replayed === asked ? 'replayed' : `${usage.inputTokens + usage.outputTokens} tokens${cost}, ${ms} ms`;
  return { fact: `${crash.length} of ${asked} answers predict a crash (${told})`, source: model };
}

/** The commonest value that is not null; of several, the first. */
function commonest<Value>(values: readonly (Value | null)[]): Value | null {
  const counts = new Map<Value, number>();
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  let best: Value | null = null;
  for (const [value, count] of counts) if (best === null || count > counts.get(best)!) best = value;
  return best;
}

function unknown(reason: Reason): RungResult {
  return { outcome: 'unknown', reason };
}
