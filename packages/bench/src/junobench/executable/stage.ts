// Brings a kernel into the state in front of a recorded target cell. The notebook's own code is read from the benchmark's
// data; how to make its objects again is in the Python package `grus_stage`, and what single cases need beyond that beside it.
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { GrusError } from '@grus/core';
import type { Kernel } from '@grus/kernel';
import type { InstanceText } from '../data/instance.js';
import { pythonLiteral } from '../pprint/literal.js';

interface Staged {
  readonly executed: readonly string[];
  readonly target: string;
}

/** Pairs of texts: what today's libraries no longer take, and what they take in its place. */
export type Edits = readonly (readonly [from: string, to: string])[];

export function edited({ executed, target }: InstanceText, edits: Edits): Staged {
  const change = (source: string) => edits.reduce((text, [from, to]) => text.replaceAll(from, to), source);
  return { executed: executed.map(change), target: change(target) };
}

interface Stage {
  readonly id: string;
  readonly case: string;
  readonly text: InstanceText;
  readonly edits: Edits;
}

/** `recipes` is the folder that holds `grus_stage`; `folder` one that goes when the kernel does. */
export async function setStage(
  kernel: Kernel,
  stage: Stage,
  recipes: string,
  folder: string,
  timeout: number,
): Promise<string> {
  const { executed, target } = edited(stage.text, stage.edits);
  const path = join(folder, 'instance.json');
  const facts = pythonLiteral(stage.text.runtime);
  await writeFile(path, JSON.stringify({ case: stage.case, cells: executed, target, facts }));
  const result = await kernel.execute(
    `__import__('sys').path.insert(0, ${JSON.stringify(resolve(recipes))})\n` +
      `__import__('grus_stage.stage').stage.prepare(${JSON.stringify(path)})`,
    { timeout },
  );
  if (result.status === 'ok') return target;
  throw new GrusError(`${stage.id}: the state could not be made: ${result.error?.evalue ?? result.status}`, {
    advice: 'Run it again with --only; the recipes are in packages/bench/junobench.',
  });
}
