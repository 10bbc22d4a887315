// The LLM rung of the notebook ladder: asked last, with the evidence of the others in hand, about what they left open.
import type { Evidence, Finding, ProposedEdit, Reason, Rung, RungReport, RungResult } from '@grus/core';
import { type CheckOptions, isUnread, type LadderContext, tryCrash, verifyProposal } from '@grus/notebook';
import { ModelFailure } from '../model/failure.js';
import type { OpenModel } from '../model/open.js';
import type { Answer } from '../question/answer.js';
import { executedCells } from '../question/cells.js';
import { cleanException, cleanText } from '../question/clean.js';
import { type ComposedQuestion, composeQuestion, type QuestionMode } from '../question/compose.js';
import type { Category } from '../question/facts/fact.js';
import { fenceKey } from '../question/shield.js';
import { editOf } from '../repair/apply.js';
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
  /**
   * The options of the check, where the user asked to have a proposed edit run in a copy. Without them nothing that a model
   * wrote is run.
   */
  readonly verify?: CheckOptions;
  readonly signal?: AbortSignal;
  /** Hears what each poll took. */
  readonly onPoll?: (poll: Poll) => void;
}

export function llmRung(options: LlmRungOptions): Rung<LadderContext> {
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
        return await conclude(result, context, options, question, model.name);
      } catch (error) {
        if (ModelFailure.is(error)) return unknown(error.reason);
        throw error;
      }
    },
  };
}

export async function questionFor(
  context: LadderContext,
  earlier: readonly RungReport[],
  { settings, mode = 'ladder', categories }: Pick<LlmRungOptions, 'settings' | 'mode' | 'categories'>,
): Promise<ComposedQuestion> {
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
    key: fenceKey(settings.state),
    ...(categories ? { categories } : {}),
  });
}

async function conclude(
  result: Poll,
  context: LadderContext,
  options: LlmRungOptions,
  question: ComposedQuestion,
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
  const proposed = firstProposal(crash, context, question);
  if (options.verify === undefined)
    return { outcome, findings: [findingOf(crash, context.target.source, confidence, evidence, proposed)] };
  // What a model wrote is never run before the crash that it is to mend.
  const tried = await tryCrash(context.target, options.verify);
  if (tried.outcome === 'ok') {
    const { confidence: sure, evidence: seen, explanation } = tried;
    return { outcome: 'ok', confidence: sure, evidence: seen, explanation };
  }
  const fix = await firstVerified(crash, context, options.verify, question, options.signal);
  const offered = fix ?? proposed;
  return { outcome, findings: [findingOf(crash, context.target.source, confidence, evidence, offered)] };
}

function firstProposal(
  answers: readonly Answer[],
  { target }: LadderContext,
  { withheld }: ComposedQuestion,
): ProposedEdit | null {
  for (const { fix } of answers) {
    const edit = fix && editOf(target.source, fix, withheld);
    if (edit) return edit;
  }
  return null;
}

async function firstVerified(
  answers: readonly Answer[],
  { target }: LadderContext,
  check: CheckOptions,
  { withheld }: ComposedQuestion,
  signal?: AbortSignal,
): Promise<ProposedEdit | null> {
  const tried = new Set<string>();
  for (const { fix } of answers) {
    const key = JSON.stringify(fix);
    if (fix === null || tried.has(key) || signal?.aborted) continue;
    tried.add(key);
    const edit = editOf(target.source, fix, withheld);
    if (edit && (await verifyProposal(target, edit, { check, proven: false, run: true })) !== null)
      return { ...edit, ran: true };
  }
  return null;
}

function findingOf(
  answers: readonly Answer[],
  source: string,
  confidence: number,
  evidence: readonly Evidence[],
  proposed: ProposedEdit | null,
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
      ...(proposed?.ran ? [{ fact: 'the edited cell finished', source: 'ran in an isolated copy' }] : []),
    ],
    explanation: cause,
    remedy: proposed?.ran
      ? `Verified fix: ${proposed.title}`
      : 'Look at the line before running it: this is an opinion of a model, not a proof.',
    ...(proposed ? { proposed } : {}),
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
