// The cells for kernels that use a GPU: scripts in which each cell says in its marker what it is for. After `# %% restart`
// a fresh kernel goes on with what was set up so far.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GrusError } from '@grus/core';

export const purposes = ['setup', 'fine', 'crash'] as const;
export type Purpose = (typeof purposes)[number];

export interface GpuCell {
  readonly purpose: Purpose;
  readonly source: string;
}

export interface GpuScript {
  readonly name: string;
  readonly cells: readonly GpuCell[];
}

const restart = /^# %% restart$/m;
const marker = /^# %% (setup|fine|crash)$/m;

export interface Choice {
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
}

export async function loadScripts(folder: string, { only, skip }: Choice = {}): Promise<GpuScript[]> {
  const files = await readdir(folder).catch(() => {
    throw new GrusError(`${folder} cannot be read`, { advice: 'Name a folder of scripts with --data.' });
  });
  const names = files
    .filter((file) => file.endsWith('.py'))
    .map((file) => file.slice(0, -'.py'.length))
    .filter((name) => (only?.includes(name) ?? true) && !skip?.includes(name))
    .sort();
  if (names.length === 0)
    throw new GrusError(`there is no such script in ${folder}`, { advice: 'See what is in it with ls.' });
  const scripts = await Promise.all(
    names.map(async (name) => scriptsOf(name, await readFile(join(folder, `${name}.py`), 'utf8'))),
  );
  return scripts.flat();
}

/** One for each kernel that the file asks for. */
export function scriptsOf(name: string, text: string): GpuScript[] {
  const before: GpuCell[] = [];
  return text.split(restart).map((part, index) => {
    const cells = cellsOf(part);
    const script = { name: index === 0 ? name : `${name}-${index + 1}`, cells: [...before, ...cells] };
    before.push(...cells.filter(({ purpose }) => purpose === 'setup'));
    return script;
  });
}

function cellsOf(text: string): GpuCell[] {
  const [, ...parts] = text.split(marker);
  const cells: GpuCell[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2)
    cells.push({ purpose: parts[at] as Purpose, source: parts[at + 1]!.trim() });
  return cells;
}
