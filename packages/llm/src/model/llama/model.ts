// An embedded model from a GGUF file, through node-llama-cpp when the user has installed it. The answer is held to the
// schema by a grammar. One question at a time: the model is in this process. Nothing is built or downloaded.
import { availableParallelism } from 'node:os';
import { GrusError } from '@grus/core';
import { explainFailure } from '../explain-failure.js';
import { ModelFailure } from '../failure.js';
import { limited } from '../limited.js';
import type { Model } from '../model.js';
import type { SdkOptions } from '../sdk.js';
import { type Llama, type LlamaFile, type LlamaLibrary, loadLlama } from './library.js';
import { grammarSchema } from './schema.js';

export interface LlamaOptions extends SdkOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
}

export async function llamaModel(file: string, options: LlamaOptions): Promise<Model> {
  const { getLlama, LlamaChatSession } = await loadLlama(options.env);
  const llama = await start(getLlama);
  const model = await llama.loadModel({ modelPath: file }).catch((cause: unknown) => {
    throw new GrusError(`${file} cannot be loaded as a model`, {
      advice: 'Name a GGUF file of a chat model.',
      cause,
    });
  });
  const embedded: Model = {
    name: options.name,
    async ask(request) {
      const started = performance.now();
      const timeout = AbortSignal.timeout(options.timeoutMs);
      const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
      const inputTokens = model.tokenize(request.instructions + request.prompt).length;
      const grammar = await llama.createGrammarForJsonSchema(grammarSchema(request.schema));
      const context = await contextFor(model, inputTokens + options.answerTokens, inputTokens, options.name);
      try {
        const session = new LlamaChatSession({
          contextSequence: context.getSequence(),
          systemPrompt: request.instructions,
        });
        const text = await session.prompt(request.prompt, {
          grammar,
          maxTokens: options.answerTokens,
          signal,
          stopOnAbortSignal: false,
          temperature: 0.7,
          seed: request.vote + 1,
        });
        const usage = { inputTokens, outputTokens: model.tokenize(text).length, usd: 0 };
        return { text, usage, ms: performance.now() - started, replayed: false };
      } catch (error) {
        throw explainFailure(signal.aborted ? signal.reason : error, {
          model: options.name,
          timeoutMs: options.timeoutMs,
          signal: request.signal,
        });
      } finally {
        await context.dispose();
      }
    },
  };
  return limited(embedded, 1);
}

async function start(getLlama: LlamaLibrary['getLlama']): Promise<Llama> {
  try {
    return await getLlama({
      build: 'never',
      skipDownload: true,
      progressLogs: false,
      logLevel: 'error',
      // Its threads spin while they wait: one core is left to the kernel, and none is asked for twice.
      maxThreads: Math.max(1, availableParallelism() - 1),
    });
  } catch (cause) {
    throw new GrusError('node-llama-cpp has no binary for this machine', {
      advice: 'Install its package for this platform from npm, such as @node-llama-cpp/linux-x64.',
      cause,
    });
  }
}

/** Room for the chat template around the question. */
const templateTokens = 256;

/** A question that does not fit is refused: the library would silently forget its beginning. */
async function contextFor(model: LlamaFile, wanted: number, question: number, name: string) {
  const most = Math.min(wanted + templateTokens, model.trainContextSize);
  const context = await model.createContext({ contextSize: { max: most } });
  if (question + templateTokens + shortestAnswer <= context.contextSize) return context;
  await context.dispose();
  throw new ModelFailure(
    'refused',
    `the question takes ${question} tokens, and ${name} has room for ${context.contextSize}`,
    { advice: 'Lower GRUS_PROMPT_TOKENS, or choose a model with a longer context.' },
  );
}

const shortestAnswer = 256;
