// The cells of a folder: one file per kind, the cells of a file separated by `# %% name`.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Cell {
  readonly kind: string;
  readonly name: string;
  /** What runs before; empty for attacks, which all start from the same state. */
  readonly setup: string;
  readonly cell: string;
}

/** The part of a file before this line is run in the kernel; the part behind it is judged. */
const thenJudged = /^# then\n/m;

export const folder = fileURLToPath(new URL('../../attacks/', import.meta.url));

export function readCells(group: 'cells' | 'healthy'): Cell[] {
  return readdirSync(join(folder, group))
    .filter((name) => name.endsWith('.py'))
    .sort()
    .flatMap((name) => cellsOf(join(folder, group, name)));
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
