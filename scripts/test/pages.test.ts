// The pages under docs/ follow from the doc blocks: a change of a check without `npm run generate` fails here.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPages, renderDocs, withoutPrinted } from '../lib/pages.mjs';
import { root } from '../lib/setup.mjs';

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
