// Asks the same question several times and stops as soon as the outcome is settled. An answer that cannot be read is
// repaired once and is an abstention after that; so is a crash that the answer itself doubts.
import { textOf } from '@grus/core';
import { cancelled, ModelFailure } from '../model/failure.js';
import type { Model, ModelRequest, ModelUsage } from '../model/model.js';
import { type Answer, readAnswer } from '../question/answer.js';
import { quotesInstructions } from '../question/clean.js';
import type { Question } from '../question/compose.js';
import { repairRequest } from '../question/instructions.js';
import { hedges } from './hedging.js';

export interface PollOptions {
  readonly votes: number;
  /** Votes that must agree. */
  readonly agreement: number;
  readonly signal?: AbortSignal;
}

export interface Poll {
  /** `split`: no side can reach the agreement any more. */
  readonly outcome: 'crash' | 'ok' | 'split';
  readonly crash: readonly Answer[];
  readonly ok: readonly Answer[];
  /** Why each of the other answers did not count. */
  readonly abstained: readonly string[];
  /** Answers that were asked for and came. */
  readonly asked: number;
  readonly usage: ModelUsage;
  /** Answers that cost nothing because they were cached or recorded. */
  readonly replayed: number;
  readonly ms: number;
}

export async function poll(model: Model, question: Question, options: PollOptions): Promise<Poll> {
  const tally = new Tally(options);
  const settled = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, settled.signal]) : settled.signal;
  let failure: ModelFailure | null = null;
  const one = async (vote: number): Promise<void> => {
    try {
      tally.count(await voteOf(model, { ...question, vote, signal }, tally));
    } catch (error) {
      if (!ModelFailure.is(error)) throw error;
      if (settled.signal.aborted) return;
      if (error.lasts) failure = error;
      else tally.abstain(textOf(error.reason));
    }
    if (failure !== null || tally.outcome !== null) settled.abort();
  };
  for (let next = 0; tally.outcome === null && failure === null; ) {
    const wave = tally.needed(options.votes - next);
    await Promise.all(Array.from({ length: wave }, (_, index) => one(next + index)));
    next += wave;
    if (options.signal?.aborted) throw cancelled(model.name);
  }
  if (failure !== null && tally.outcome === null) throw failure;
  return tally.result();
}

async function voteOf(model: Model, request: ModelRequest, tally: Tally): Promise<Answer | string> {
  const first = usable(await tally.ask(model, request));
  if (typeof first !== 'string') return first;
  const { name: _name, ...unnamed } = request;
  const prompt = `${request.prompt}\n\n${repairRequest(first)}`;
  try {
    return usable(await tally.ask(model, { ...unnamed, prompt }));
  } catch (error) {
    // A recording holds what was once said; the request to say it again is not in it.
    if (ModelFailure.is(error) && error.kind === 'not-recorded') return first;
    throw error;
  }
}

/** The answer, or why it cannot be used. */
function usable(text: string): Answer | string {
  const { answer, problem } = readAnswer(text);
  if (answer === null) return problem;
  return quotesInstructions(answer.cause) ? 'the cause quotes the question instead of answering it' : answer;
}

class Tally {
  readonly #crash: Answer[] = [];
  readonly #ok: Answer[] = [];
  readonly #abstained: string[] = [];
  readonly #started = performance.now();
  #usage: ModelUsage = { inputTokens: 0, outputTokens: 0, usd: 0 };
  #replayed = 0;

  constructor(private readonly options: PollOptions) {}

  async ask(model: Model, request: ModelRequest): Promise<string> {
    const { text, usage, replayed } = await model.ask(request);
    if (replayed) this.#replayed++;
    this.#usage = {
      inputTokens: this.#usage.inputTokens + usage.inputTokens,
      outputTokens: this.#usage.outputTokens + usage.outputTokens,
      usd: this.#usage.usd === null || usage.usd === null ? null : this.#usage.usd + usage.usd,
    };
    return text;
  }

  count(answer: Answer | string): void {
    if (typeof answer === 'string') this.#abstained.push(answer);
    else if (answer.detection && hedges(answer.cause))
      this.#abstained.push('the answer expects a crash without being sure');
    else if (answer.detection) this.#crash.push(answer);
    else this.#ok.push(answer);
  }

  abstain(problem: string): void {
    this.#abstained.push(problem);
  }

  get asked(): number {
    return this.#crash.length + this.#ok.length + this.#abstained.length;
  }

  get outcome(): Poll['outcome'] | null {
    const { agreement, votes } = this.options;
    if (this.#crash.length >= agreement) return 'crash';
    if (this.#ok.length >= agreement) return 'ok';
    const left = votes - this.asked;
    return Math.max(this.#crash.length, this.#ok.length) + left < agreement ? 'split' : null;
  }

  /** The fewest further votes that can settle it. */
  needed(left: number): number {
    return Math.min(left, this.options.agreement - Math.max(this.#crash.length, this.#ok.length));
  }

  result(): Poll {
    return {
      outcome: this.outcome ?? 'split',
      crash: this.#crash,
      ok: this.#ok,
      abstained: this.#abstained,
      asked: this.asked,
      usage: this.#usage,
      replayed: this.#replayed,
      ms: Math.round(performance.now() - this.#started),
    };
  }
}
