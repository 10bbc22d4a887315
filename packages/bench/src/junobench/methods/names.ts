// The benchmark's method names: parsing, and which of them a data folder can serve.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { GrusError } from '@grus/core';
import { categories } from '@grus/llm';
import { type Junobench, type Mode, modes } from '../data/load.js';

export type Method =
  | { readonly kind: 'ladder'; readonly rungs: readonly ('names' | 'contracts')[] }
  | { readonly kind: 'recorded'; readonly model: string; readonly mode: Mode }
  | { readonly kind: 'hybrid'; readonly model: string }
  | { readonly kind: 'live'; readonly mode: Mode }
  | { readonly kind: 'live-hybrid' }
  | { readonly kind: 'analyzer'; readonly analyzer: string };

/** Every method that the folder holds data for, in the order in which they are reported. */
export function availableMethods(bench: Junobench): string[] {
  const models = bench.models();
  return [
    'names',
    'contracts',
    ...models.flatMap((model) => [`recorded:${model}`, `recorded:${model}:code`]),
    ...models.map((model) => `hybrid:${model}`),
    ...bench.analyzers().map((analyzer) => `analyzer:${analyzer}`),
  ];
}

/** The configured model with all runtime information, and without each category of it. */
export const ablationMethods: readonly string[] = [
  'live',
  ...categories.map((category) => `live:-${category}`),
  'live:code',
];

/**
 * Models and analysers go by their folder names; case and punctuation do not matter, nor does an unambiguous rest. A model
 * can also be the path of a folder that `grus llm record` wrote.
 */
export function parseMethod(name: string, bench: Junobench): Method {
  if (name === 'names') return { kind: 'ladder', rungs: ['names'] };
  if (name === 'contracts') return { kind: 'ladder', rungs: ['names', 'contracts'] };
  if (name === 'live:hybrid') return { kind: 'live-hybrid' };
  const [, family, subject = '', suffix] =
    /^(live|recorded|hybrid|analyzer)(?::(?!code$|-)(.+?))?(?::(code|-[a-z]+))?$/s.exec(name) ?? [];
  const mode = modeOf(suffix);
  if (family === 'live' && subject === '' && mode !== undefined) return { kind: 'live', mode };
  const model = folderFor(subject, bench.models()) ?? pathOf(subject);
  if (family === 'recorded' && model !== undefined && mode !== undefined)
    return { kind: 'recorded', model, mode };
  if (family === 'hybrid' && model !== undefined && suffix === undefined) return { kind: 'hybrid', model };
  const analyzer = folderFor(subject, bench.analyzers());
  if (family === 'analyzer' && analyzer !== undefined && suffix === undefined)
    return { kind: 'analyzer', analyzer };
  throw new GrusError(`There is no method "${name}" for ${bench.data}.`, {
    advice: `Choose from: ${[...availableMethods(bench), ...ablationMethods, 'live:hybrid'].join(', ')}; or recorded:DIR.`,
  });
}

/** ":code" is the code alone, ":-values" leaves that category out. */
function modeOf(suffix: string | undefined): Mode | undefined {
  if (suffix === undefined) return 'code+runtime';
  return modes.find((mode) => mode === suffix || mode === `code+runtime${suffix}`);
}

function pathOf(subject: string): string | undefined {
  return subject !== '' && existsSync(subject) ? resolve(subject) : undefined;
}

function folderFor(subject: string, folders: readonly string[]): string | undefined {
  const wanted = plain(subject);
  if (wanted === '') return undefined;
  const exact = folders.find((folder) => plain(folder) === wanted);
  const starting = folders.filter((folder) => plain(folder).startsWith(wanted));
  return exact ?? (starting.length === 1 ? starting[0] : undefined);
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
