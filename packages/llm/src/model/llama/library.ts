// What Grus uses of node-llama-cpp, and how it is found. The library is large and no dependency: whoever wants an embedded
// model installs it, beside Grus or in a folder that GRUS_LLAMA_CPP names.
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { GrusError } from '@grus/core';

/** Its own types are not there, so these are the parts that are used. */
export interface LlamaLibrary {
  getLlama(options: {
    readonly build: 'never';
    readonly skipDownload: true;
    readonly progressLogs: false;
    readonly logLevel: string;
    readonly maxThreads: number;
  }): Promise<Llama>;
  readonly LlamaChatSession: new (options: {
    readonly contextSequence: unknown;
    readonly systemPrompt: string;
  }) => LlamaSession;
}

export interface Llama {
  loadModel(options: { readonly modelPath: string }): Promise<LlamaFile>;
  createGrammarForJsonSchema(schema: unknown): Promise<unknown>;
}

export interface LlamaFile {
  /** Tokens that the model was trained to look back on. */
  readonly trainContextSize: number;
  createContext(options: { readonly contextSize: { readonly max: number } }): Promise<LlamaContext>;
  tokenize(text: string): readonly unknown[];
}

export interface LlamaContext {
  readonly contextSize: number;
  getSequence(): unknown;
  dispose(): Promise<void>;
}

export interface LlamaSession {
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

const name: string = 'node-llama-cpp';

export async function loadLlama(env: Readonly<Record<string, string | undefined>>): Promise<LlamaLibrary> {
  const folder = env['GRUS_LLAMA_CPP'];
  try {
    const place = folder
      ? pathToFileURL(createRequire(join(resolve(folder), 'here.js')).resolve(name)).href
      : name;
    return (await import(/* @vite-ignore */ place)) as LlamaLibrary;
  } catch (cause) {
    throw new GrusError(`node-llama-cpp is not installed${folder ? ` in ${folder}` : ''}`, {
      advice:
        'Install it with `npm install --prefix DIR node-llama-cpp` and set GRUS_LLAMA_CPP=DIR, or serve the file with Ollama or llama.cpp.',
      cause,
    });
  }
}
