// The folders of a project. A door of its own (`@grus/kernel/folders`): whoever only looks for a file must not load what talks
// to kernels, which takes longer than a diagnosis.
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** From the folder up to the root of its project: where the repository begins, or the user's home. */
export function foldersUpFrom(folder: string): string[] {
  const here = resolve(folder);
  const above = dirname(here);
  const last = above === here || here === homedir() || existsSync(join(here, '.git'));
  return last ? [here] : [here, ...foldersUpFrom(above)];
}
