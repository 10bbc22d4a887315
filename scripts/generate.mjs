// `npm run generate` writes what follows from the sources: the pages under docs/checks and docs/detectors, the registry of
// detectors, the tables of scenarios/LABELS.md, the page and schema of the settings, the
// page of the commands (build first), and the agent's reasons.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generateReasons } from '../packages/kernel/scripts/generate-reasons.mjs';
import { renderRegistry } from './lib/detectors.mjs';
import { renderCommands } from './lib/help.mjs';
import { loadSource } from './lib/load-source.mjs';
import { printedOn, readPages, renderDocs, withPrinted } from './lib/pages.mjs';
import { handOver, installPython, root, runScript } from './lib/setup.mjs';

const files = renderDocs(readPages());
for (const folder of ['docs/checks', 'docs/detectors']) {
  for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
    const path = `${folder}/${name.replaceAll('\\', '/')}`;
    if (path.endsWith('.md') && !(path in files)) rmSync(join(root, path));
  }
}
for (const [path, text] of Object.entries(files)) {
  const file = join(root, path);
  const printed = existsSync(file) ? printedOn(readFileSync(file, 'utf8')) : undefined;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, printed === undefined ? text : withPrinted(text, printed));
}
process.stdout.write(`${Object.keys(files).length} pages written to docs/checks and docs/detectors\n`);

writeFileSync(join(root, 'packages/training/src/detectors/registry.ts'), renderRegistry());

const labels = join(root, 'scenarios', 'LABELS.md');
const { withLabels } = await loadSource('packages/training/src/causes/labels.ts');
writeFileSync(labels, withLabels(readFileSync(labels, 'utf8')));
process.stdout.write('the registry of detectors and the tables of scenarios/LABELS.md written\n');
const { schemaText, settingsTable } = await loadSource('packages/cli/src/settings/definition.ts');
writeFileSync(join(root, 'docs', 'grus.schema.json'), schemaText());
const settings = join(root, 'docs', 'settings.md');
writeFileSync(
  settings,
  readFileSync(settings, 'utf8').replace(/^\| setting[\s\S]*?(?=\n\n)/m, settingsTable()),
);
writeFileSync(join(root, 'docs', 'commands.md'), renderCommands());
await generateReasons();

// What Grus prints for the examples of the pages comes from a real kernel: npm run generate -- --examples
if (process.argv.includes('--examples')) {
  await runScript(async () => {
    const python = await installPython('test');
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
    const args = [vitest, 'run', 'packages/cli/test/check-pages.test.ts', '--update'];
    return handOver(process.execPath, args, { GRUS_PYTHON: python });
  });
}
