// The benchmark's method names: parsing, and which of them a data folder can serve.
import { GrusError } from '@grus/core';
import type { Junobench, Mode } from '../data/load.js';

export type Method =
  | { readonly kind: 'ladder'; readonly rungs: readonly ('names' | 'contracts')[] }
  | { readonly kind: 'recorded'; readonly model: string; readonly mode: Mode }
  | { readonly kind: 'hybrid'; readonly model: string }
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

/** Models and analysers go by their folder names; case and punctuation do not matter, nor does an unambiguous rest. */
export function parseMethod(name: string, bench: Junobench): Method {
  if (name === 'names') return { kind: 'ladder', rungs: ['names'] };
  if (name === 'contracts') return { kind: 'ladder', rungs: ['names', 'contracts'] };
  const [family, subject = '', mode] = name.split(':');
  const model = folderFor(subject, bench.models());
  if (family === 'recorded' && model !== undefined && (mode === undefined || mode === 'code'))
    return { kind: 'recorded', model, mode: mode === 'code' ? 'code' : 'code+runtime' };
  if (family === 'hybrid' && model !== undefined && mode === undefined) return { kind: 'hybrid', model };
  const analyzer = folderFor(subject, bench.analyzers());
  if (family === 'analyzer' && analyzer !== undefined && mode === undefined)
    return { kind: 'analyzer', analyzer };
  throw new GrusError(`There is no method "${name}" for ${bench.data}.`, {
    advice: `Choose from: ${availableMethods(bench).join(', ')}.`,
  });
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
