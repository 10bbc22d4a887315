// Makes what comes with Grus from the recorded scenarios: npm run train. Writes the learned models to
// packages/training/src/learned/models, and how often each warning was right to packages/training/src/watch/precision.json;
// `npm run train -- models` or `-- warnings` makes one of the two.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from './lib/setup.mjs';

const [only] = process.argv.slice(2);
const scenarios = join(root, 'scenarios');
const show = (text) => process.stderr.isTTY && process.stderr.write(`\r\x1b[K${text}`);

if (only !== 'warnings') await writeModels();
if (only !== 'models') await writePrecision();

async function writeModels() {
  const { trainModels } = await load('packages/bench/src/training/train.ts');
  const models = await trainModels(scenarios, 'npm run train', show);
  show('');
  const folder = join(root, 'packages', 'training', 'src', 'learned', 'models');
  mkdirSync(folder, { recursive: true });
  for (const [name, model] of Object.entries(models)) {
    const text = `${JSON.stringify(model)}\n`;
    writeFileSync(join(folder, `${name}.json`), text);
    process.stdout.write(`${name}: ${Math.round(text.length / 1024)} kB\n`);
  }
}

async function writePrecision() {
  const { measurePrecision } = await load('packages/bench/src/training/warning/precision.ts');
  const table = await measurePrecision(scenarios, show);
  show('');
  const rows = Object.entries(table).map(([name, row]) => `  ${JSON.stringify(name)}: ${oneLine(row)}`);
  const file = join(root, 'packages', 'training', 'src', 'watch', 'precision.json');
  writeFileSync(file, `{\n${rows.join(',\n')}\n}\n`);
  process.stdout.write(`warnings: ${rows.length} kinds\n`);
}

function oneLine(row) {
  return JSON.stringify(row)
    .replace('{', '{ ')
    .replace('}', ' }')
    .replaceAll(':', ': ')
    .replaceAll(',', ', ');
}

async function load(entry) {
  const outfile = join(root, 'node_modules', '.cache', 'grus', entry.replace(/\W+/g, '-').concat('.mjs'));
  await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    conditions: ['source'],
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'bundle',
    external: ['node-sqlite3-wasm', 'yaml'],
    banner: {
      js: "import { createRequire as grusCreateRequire } from 'node:module'; const require = grusCreateRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
  return import(pathToFileURL(outfile).href);
}
