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

export function parseMethod(name: string, bench: Junobench): Method {
  if (name === 'names') return { kind: 'ladder', rungs: ['names'] };
  if (name === 'contracts') return { kind: 'ladder', rungs: ['names', 'contracts'] };
  const [family, subject = '', mode] = name.split(':');
  if (family === 'recorded' && bench.models().includes(subject) && (mode === undefined || mode === 'code'))
    return { kind: 'recorded', model: subject, mode: mode === 'code' ? 'code' : 'code+runtime' };
  if (family === 'hybrid' && bench.models().includes(subject) && mode === undefined)
    return { kind: 'hybrid', model: subject };
  if (family === 'analyzer' && bench.analyzers().includes(subject) && mode === undefined)
    return { kind: 'analyzer', analyzer: subject };
  throw new GrusError(`There is no method "${name}" for ${bench.data}.`, {
    advice: `Choose from: ${availableMethods(bench).join(', ')}.`,
  });
}
