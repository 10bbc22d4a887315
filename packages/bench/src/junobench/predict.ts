// One method on one instance. What several methods need of an instance is made once.
import { GrusError } from '@grus/core';
import { estimateTokens, recordedModel } from '@grus/llm';
import type { Instance, Junobench, Mode } from './data/load.js';
import { askLive, type LiveModel, stopped } from './live/model.js';
import { analyzerPrediction } from './methods/analyzer.js';
import { type HybridOptions, hybridPrediction } from './methods/hybrid.js';
import { ladderPrediction } from './methods/ladder.js';
import type { Method } from './methods/names.js';
import { type Prediction, quietPrediction } from './methods/prediction.js';
import { questionOf, tokensOf } from './methods/question.js';
import { countVotes, majorityPrediction } from './methods/recorded.js';

export class Predictor {
  /** What names and contracts said of each instance. */
  readonly #ladder = new Map<string, Promise<Prediction>>();

  constructor(
    readonly bench: Junobench,
    private readonly options: HybridOptions,
    private readonly live: LiveModel | null,
  ) {}

  async predict(method: Method, instance: Instance): Promise<Prediction> {
    const { bench, options } = this;
    switch (method.kind) {
      case 'ladder':
        return method.rungs.includes('contracts')
          ? this.ladder(instance)
          : ladderPrediction(bench.text(instance), method.rungs);
      case 'recorded':
        return this.#counted(bench.answers(method.model, method.mode, instance) ?? [], method.mode, instance);
      case 'hybrid': {
        const folder = bench.answersFolder(method.model, 'code+runtime');
        return this.#hybrid(instance, () => recordedModel(folder), options);
      }
      case 'live': {
        const live = this.liveModel();
        const { answers, input_tokens, output_tokens } = await askLive(
          live,
          questionOf(bench, instance, method.mode),
          live.settings.votes,
        );
        const prediction = this.#counted(answers, method.mode, instance);
        return { ...prediction, asked: { answers: answers.length, input_tokens, output_tokens } };
      }
      case 'live-hybrid': {
        const { open, signal, onQuestion } = this.liveModel();
        try {
          return await this.#hybrid(
            instance,
            open,
            { ...options, ...(signal ? { signal } : {}) },
            onQuestion,
          );
        } catch (error) {
          throw stopped(error);
        }
      }
      case 'analyzer': {
        const diagnostics = bench.diagnostics(method.analyzer, instance);
        return diagnostics === null
          ? quietPrediction('unknown', 'Nothing was recorded.')
          : analyzerPrediction(diagnostics);
      }
    }
  }

  /** Names and contracts on the recorded facts. */
  ladder(instance: Instance): Promise<Prediction> {
    const known = this.#ladder.get(instance.id);
    if (known !== undefined) return known;
    const asked = ladderPrediction(this.bench.text(instance), ['names', 'contracts']);
    this.#ladder.set(instance.id, asked);
    return asked;
  }

  liveModel(): LiveModel {
    if (this.live !== null) return this.live;
    throw new GrusError('this method asks a live model, and none is configured', {
      advice: 'Name one with --model or GRUS_MODEL, such as ollama:llama3 or openai:gpt-5.',
    });
  }

  async #hybrid(
    instance: Instance,
    open: () => ReturnType<typeof recordedModel>,
    options: HybridOptions,
    onQuestion?: () => void,
  ): Promise<Prediction> {
    const ladder = await this.ladder(instance);
    if (ladder.outcome !== 'unknown') return ladder;
    const question = () => questionOf(this.bench, instance, 'code+runtime');
    const prediction = await hybridPrediction(ladder, open(), question, options);
    onQuestion?.();
    return prediction;
  }

  /** The majority of all answers, and what asking for them took by estimate. */
  #counted(recorded: readonly unknown[], mode: Mode, instance: Instance): Prediction {
    const votes = countVotes(recorded);
    const tokens = votes.of === 0 ? 0 : tokensOf(questionOf(this.bench, instance, mode));
    const output = votes.answers.reduce((sum, { reasoning }) => sum + estimateTokens(reasoning), 0);
    return {
      ...majorityPrediction(votes),
      asked: { answers: votes.of, input_tokens: votes.of * tokens, output_tokens: output },
    };
  }
}
