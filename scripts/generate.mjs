// Writes what follows from the sources: the pages under docs/checks and docs/detectors, the registry of detectors, the tables of
// scenarios/LABELS.md, and the agent's reasons.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generateReasons } from '../packages/kernel/scripts/generate-reasons.mjs';
import { renderRegistry } from './lib/detectors.mjs';
import { loadSource } from './lib/load-source.mjs';
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

writeFileSync(join(root, 'packages/training/src/detectors/registry.ts'), renderRegistry());

const labels = join(root, 'scenarios', 'LABELS.md');
const { withLabels } = await loadSource('packages/training/src/causes/labels.ts');
writeFileSync(labels, withLabels(readFileSync(labels, 'utf8')));
process.stdout.write('the registry of detectors and the tables of scenarios/LABELS.md written\n');
await generateReasons();
