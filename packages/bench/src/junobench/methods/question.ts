// The question of the LLM rung about one instance, from the recorded facts. Recorded answers go by the instance's name;
// the text says how many tokens asking takes.
import { basename } from 'node:path';
import {
  categories,
  composeQuestion,
  estimateTokens,
  type ModelSpec,
  type Price,
  priceOf,
  type Question,
} from '@grus/llm';
import type { Instance, Junobench, Mode } from '../data/load.js';
import { snapshotOf } from '../snapshot.js';

const promptTokens = 12_000;

/** Several methods ask the same questions: each is composed once. */
const composed = new WeakMap<Junobench, Map<string, Question>>();

export function questionOf(bench: Junobench, instance: Instance, mode: Mode): Question {
  const known = composed.get(bench) ?? new Map<string, Question>();
  composed.set(bench, known);
  const key = `${mode} ${instance.id}`;
  const question = known.get(key) ?? compose(bench, instance, mode);
  known.set(key, question);
  return question;
}

function compose(bench: Junobench, instance: Instance, mode: Mode): Question {
  const text = bench.text(instance);
  const left = mode.split('-')[1];
  return composeQuestion({
    mode: mode === 'code' ? 'code' : 'code+runtime',
    categories: categories.filter((category) => category !== left),
    executed: text.executed,
    target: text.target,
    snapshot: snapshotOf(text),
    redaction: 'values',
    tokens: promptTokens,
    name: instance.id,
  });
}

/** Tokens of one question, by estimate. */
export function tokensOf({ instructions, prompt }: Question): number {
  return estimateTokens(instructions) + estimateTokens(prompt);
}

/** The maker's name of a model from its folder's name: "gemini-2.5-flash" for "gemini_2_5_flash". */
export function modelOfFolder(folder: string): string {
  return folder
    .toLowerCase()
    .replace(/(\d)_(\d)/g, '$1.$2')
    .replaceAll('_', '-');
}

/** The list price of a recorded model; null for models without one. */
export function priceOfFolder(folder: string): Price | null {
  const model = modelOfFolder(basename(folder));
  const specs = (['openai', 'google', 'anthropic'] as const).map((kind): ModelSpec => ({ kind, model }));
  return specs.map(priceOf).find((price) => price !== null) ?? null;
}
