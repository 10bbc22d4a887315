// Makes what is learned from the recorded scenarios: npm run train. Writes the learned models to
// packages/bench/src/training/learned/models, and how often each warning was right to packages/training/src/watch/precision.json;
// `npm run train -- models` or `-- warnings` makes one of the two; `-- course DIR…` fits the trees of the second look
// (packages/training/src/triage/trees.json) on draws of recipes, see scenarios/draws.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSource } from './lib/load-source.mjs';
import { root } from './lib/setup.mjs';

const [only, ...folders] = process.argv.slice(2);
const scenarios = join(root, 'scenarios');
const show = (text) => process.stderr.isTTY && process.stderr.write(`\r\x1b[K${text}`);

const kinds = [undefined, 'models', 'warnings', 'course'];
if (!kinds.includes(only) || (only === 'course') !== folders.length > 0) {
  process.stderr.write('train: give nothing, `models`, `warnings`, or `course` and the folders of draws\n');
  process.exitCode = 2;
} else if (only === 'course') await writeCourse();
else {
  if (only !== 'warnings') await writeModels();
  if (only !== 'models') await writePrecision();
}

async function writeCourse() {
  const { trainCourse } = await loadSource('packages/bench/src/training/learned/course.ts');
  const text = `${JSON.stringify(await trainCourse(folders))}\n`;
  writeFileSync(join(root, 'packages', 'training', 'src', 'triage', 'trees.json'), text);
  process.stdout.write(`course: ${Math.round(text.length / 1024)} kB\n`);
}

async function writeModels() {
  const { trainModels } = await loadSource('packages/bench/src/training/train.ts');
  const models = await trainModels(scenarios, 'npm run train', show);
  show('');
  const folder = join(root, 'packages', 'bench', 'src', 'training', 'learned', 'models');
  mkdirSync(folder, { recursive: true });
  for (const [name, model] of Object.entries(models)) {
    const text = `${JSON.stringify(model)}\n`;
    writeFileSync(join(folder, `${name}.json`), text);
    process.stdout.write(`${name}: ${Math.round(text.length / 1024)} kB\n`);
  }
}

async function writePrecision() {
  const { measurePrecision } = await loadSource('packages/bench/src/training/warning/precision.ts');
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
