// An embedded model from a GGUF file, through node-llama-cpp when the user has installed it. The answer is held to the
// schema by a grammar. One question at a time: the model is in this process.
import { GrusError } from '@grus/core';
import { z } from 'zod';
import { cancelled } from './failure.js';
import { limited } from './limited.js';
import type { Model } from './model.js';
import type { SdkOptions } from './sdk.js';

/** What is used of node-llama-cpp; it is no dependency, so its own types are not there. */
interface LlamaLibrary {
  getLlama(options: { readonly logLevel: string }): Promise<Llama>;
  readonly LlamaChatSession: new (options: {
    readonly contextSequence: unknown;
    readonly systemPrompt: string;
  }) => LlamaSession;
}
interface Llama {
  loadModel(options: { readonly modelPath: string }): Promise<LlamaFile>;
  createGrammarForJsonSchema(schema: unknown): Promise<unknown>;
}
interface LlamaFile {
  createContext(): Promise<{ getSequence(): unknown; dispose(): Promise<void> }>;
  tokenize(text: string): readonly unknown[];
}
interface LlamaSession {
  prompt(
    text: string,
    options: {
      readonly grammar: unknown;
      readonly maxTokens: number;
      readonly signal: AbortSignal;
      readonly stopOnAbortSignal: boolean;
      readonly temperature: number;
      readonly seed: number;
    },
  ): Promise<string>;
}

const library: string = 'node-llama-cpp';

export async function llamaModel(file: string, options: SdkOptions): Promise<Model> {
  const { getLlama, LlamaChatSession } = await load();
  const llama = await getLlama({ logLevel: 'error' });
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
      const grammar = await llama.createGrammarForJsonSchema(z.toJSONSchema(request.schema));
      const context = await model.createContext();
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
        const inputTokens = model.tokenize(request.instructions + request.prompt).length;
        const usage = { inputTokens, outputTokens: model.tokenize(text).length, usd: 0 };
        return { text, usage, ms: performance.now() - started, replayed: false };
      } catch (error) {
        if (request.signal?.aborted) throw cancelled(options.name);
        throw error;
      } finally {
        await context.dispose();
      }
    },
  };
  return limited(embedded, 1);
}

async function load(): Promise<LlamaLibrary> {
  try {
    return (await import(library)) as LlamaLibrary;
  } catch (cause) {
    throw new GrusError('node-llama-cpp is not installed', {
      advice: 'Install it with `npm install node-llama-cpp`, or serve the file with Ollama or llama.cpp.',
      cause,
    });
  }
}
