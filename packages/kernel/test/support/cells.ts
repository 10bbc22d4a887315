// The cells of a fixture that separates them with `# %% name`.
import { readFileSync } from 'node:fs';

export function cellsOf(fixture: URL): { readonly name: string; readonly cell: string }[] {
  return readFileSync(fixture, 'utf8')
    .split(/^# %% /m)
    .slice(1)
    .map((part) => {
      const [name = '', ...lines] = part.trimEnd().split('\n');
      return { name, cell: lines.join('\n') };
    });
}
