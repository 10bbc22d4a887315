// Writes what follows from the sources: the pages under docs/checks and docs/detectors.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readPages, renderDocs } from './lib/pages.mjs';
import { root } from './lib/setup.mjs';

for (const folder of ['docs/checks', 'docs/detectors']) {
  if (existsSync(join(root, folder))) rmSync(join(root, folder), { recursive: true });
}
const files = renderDocs(readPages());
for (const [path, text] of Object.entries(files)) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
process.stdout.write(`${Object.keys(files).length} pages written to docs/checks and docs/detectors\n`);
