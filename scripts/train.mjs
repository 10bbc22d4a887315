// Makes the learned models that come with Grus from the recorded scenarios: npm run train. Writes packages/training/src/learned/models.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from './lib/setup.mjs';

const bundle = join(root, 'node_modules', '.cache', 'grus', 'train.mjs');
await build({
  absWorkingDir: root,
  entryPoints: ['packages/bench/src/training/train.ts'],
  outfile: bundle,
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
const { trainModels } = await import(pathToFileURL(bundle).href);
const models = await trainModels(join(root, 'scenarios'), 'npm run train', (text) =>
  process.stderr.write(`\r\x1b[K${text}`),
);
process.stderr.write('\n');
const folder = join(root, 'packages', 'training', 'src', 'learned', 'models');
mkdirSync(folder, { recursive: true });
for (const [name, model] of Object.entries(models)) {
  const text = `${JSON.stringify(model)}\n`;
  writeFileSync(join(folder, `${name}.json`), text);
  process.stdout.write(`${name}: ${Math.round(text.length / 1024)} kB\n`);
}
