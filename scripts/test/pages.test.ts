// The pages under docs/ follow from the doc blocks: a change of a check without `npm run generate` fails here.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderCommands } from '../lib/help.mjs';
import { readPages, renderDocs, withoutPrinted } from '../lib/pages.mjs';
import { root } from '../lib/setup.mjs';

describe('the page of the commands', () => {
  const page = readFileSync(join(root, 'docs', 'commands.md'), 'utf8');

  it('says what the command says (npm run build && npm run generate)', () => {
    expect(page).toBe(renderCommands());
  });

  it('begins each command with an example', () => {
    const helps = [...page.matchAll(/^```text\n(.*)\n(.*)$/gm)];
    expect(helps.length).toBeGreaterThan(10);
    for (const [, first, second] of helps)
      expect([first, second]).toEqual(['Examples:', expect.stringMatching(/grus /)]);
  });
});

describe('documentation pages', () => {
  it('are up to date (npm run generate)', () => {
    const files = renderDocs(readPages());
    const stale = Object.entries(files).filter(([path, text]) => {
      const file = join(root, path);
      return !existsSync(file) || withoutPrinted(readFileSync(file, 'utf8')) !== text;
    });
    expect(stale.map(([path]) => path)).toEqual([]);
  });
});
