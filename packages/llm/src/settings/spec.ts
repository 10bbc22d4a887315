// Reads the one setting that chooses a model: "openai:gpt-5", "compatible:http://host/v1#model", "recorded:DIR".
import { GrusError } from '@grus/core';

export type ModelSpec =
  | { readonly kind: 'openai' | 'anthropic' | 'google' | 'ollama'; readonly model: string }
  | { readonly kind: 'compatible'; readonly url: string; readonly model: string }
  | { readonly kind: 'recorded'; readonly folder: string }
  | { readonly kind: 'llama'; readonly file: string };

const examples =
  'openai:gpt-5, anthropic:claude-sonnet-5, google:gemini-2.5-flash, ollama:llama3, compatible:http://localhost:8000/v1#MODEL, recorded:DIR or llama:FILE.gguf';

export function parseModelSpec(text: string): ModelSpec {
  const [, kind, rest] = /^([a-z]+):(.+)$/s.exec(text.trim()) ?? [];
  switch (kind) {
    case 'openai':
    case 'anthropic':
    case 'google':
    case 'ollama':
      return { kind, model: rest! };
    case 'compatible':
      return compatible(text, rest!);
    case 'recorded':
      return { kind, folder: rest! };
    case 'llama':
      return { kind, file: rest! };
    default:
      throw new GrusError(`"${text}" names no model`, { advice: `Write it as ${examples}` });
  }
}

function compatible(text: string, rest: string): ModelSpec {
  const hash = rest.lastIndexOf('#');
  const url = hash === -1 ? rest : rest.slice(0, hash);
  const model = hash === -1 ? '' : rest.slice(hash + 1);
  if (model === '' || !/^https?:\/\/./.test(url))
    throw new GrusError(`"${text}" lacks the address or the model's name`, {
      advice: 'Write it as compatible:http://localhost:8000/v1#MODEL.',
    });
  return { kind: 'compatible', url: url.replace(/\/+$/, ''), model };
}

/** The spec as it is shown, cached and recorded. */
export function modelName(spec: ModelSpec): string {
  switch (spec.kind) {
    case 'compatible':
      return `compatible:${spec.model}`;
    case 'recorded':
      return `recorded:${spec.folder}`;
    case 'llama':
      return `llama:${spec.file.replace(/^.*[\\/]/, '')}`;
    default:
      return `${spec.kind}:${spec.model}`;
  }
}

/** Whether a question to it stays on this machine. */
export function staysHere(spec: ModelSpec): boolean {
  return spec.kind === 'recorded' || spec.kind === 'llama';
}
