// The cells of a folder: one file per kind, the cells of a file separated by `# %% name`.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GrusError } from '@grus/core';

export interface Cell {
  readonly kind: string;
  readonly name: string;
  /** What runs before; empty for attacks, which all start from the same state. */
  readonly setup: string;
  readonly cell: string;
}

/** The part of a file before this line is run in the kernel; the part behind it is judged. */
const thenJudged = /^# then\n/m;

/** The cells of the checkout that this file was built in, whether it runs from its source or from a bundle. */
export function folder(): string {
  const cells = join('packages', 'bench', 'attacks');
  let root = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(root, cells))) {
    if (dirname(root) === root)
      throw new GrusError('the cells of the attacks are not part of the package', {
        advice: 'Run it in a checkout of the project.',
      });
    root = dirname(root);
  }
  return join(root, cells);
}

export function readCells(group: 'cells' | 'healthy'): Cell[] {
  return readdirSync(join(folder(), group))
    .filter((name) => name.endsWith('.py'))
    .sort()
    .flatMap((name) => cellsOf(join(folder(), group, name)));
}

function cellsOf(path: string): Cell[] {
  return readFileSync(path, 'utf8')
    .split(/^# %% /m)
    .slice(1)
    .map((part) => {
      const [name = '', ...lines] = part.trimEnd().split('\n');
      const [first = '', second] = lines.join('\n').split(thenJudged);
      return {
        kind: basename(path, '.py'),
        name,
        setup: second === undefined ? '' : first,
        cell: second ?? first,
      };
    });
}
