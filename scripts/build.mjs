// One build: the agent becomes a string, and the command line is bundled from the sources for a fast start.
import { spawnSync } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import bundlePages from '../packages/cli/scripts/bundle-pages.mjs';
import bundleAgent from '../packages/kernel/scripts/bundle-agent.mjs';
import { assertReasons } from '../packages/kernel/scripts/generate-reasons.mjs';
import bundleRegistry from '../packages/notebook/scripts/bundle-registry.mjs';
import { root } from './lib/setup.mjs';

await assertReasons();
await bundleAgent();
bundleRegistry();
bundlePages();

const bundle = 'packages/cli/dist/bundle';
// What was compiled of an earlier build must not meet the files of this one.
for (const name of await readdir(join(root, bundle)).catch(() => []))
  if (name.endsWith('.compiled')) await rm(join(root, bundle, name));

// Chunks are split as ES modules, then made CommonJS: only of that can Node keep what it compiled.
const modules = 'packages/cli/dist/modules';
const common = {
  absWorkingDir: root,
  metafile: true,
  sourcemap: true,
  platform: 'node',
  target: 'node20',
  outExtension: { '.js': '.cjs' },
  logLevel: 'warning',
};
/** Commander can start a program for each command. Ours are all in the bundle, and loading what starts programs takes time. */
const withoutOtherPrograms = {
  name: 'without-other-programs',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:child_process$/ }, ({ importer, path }) =>
      importer.includes('/commander/') ? { path, namespace: 'unused' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'unused' }, () => ({ contents: 'module.exports = {};' }));
  },
};
const { metafile } = await build({
  ...common,
  entryPoints: { main: 'packages/cli/src/main.ts' },
  outdir: modules,
  conditions: ['source'],
  bundle: true,
  splitting: true,
  // Less to parse at every start; names stay, and GRUS_DEBUG reads the source maps.
  minifyWhitespace: true,
  minifySyntax: true,
  format: 'esm',
  external: ['zeromq', 'node-sqlite3-wasm', 'pyright', 'yaml'],
  plugins: [withoutOtherPrograms],
});
const { metafile: written } = await build({
  ...common,
  entryPoints: Object.keys(metafile.outputs).filter((name) => name.endsWith('.cjs')),
  outdir: bundle,
  format: 'cjs',
  minifyWhitespace: true,
  supported: { 'dynamic-import': false },
  define: { 'import.meta.url': 'grusUrl' },
  banner: { js: "'use strict';const grusUrl = require('node:url').pathToFileURL(__filename).href;" },
});
await rm(join(root, modules), { recursive: true });

// The names of chunks change with their contents: those of earlier builds are of no use any more.
for (const name of await readdir(join(root, bundle))) {
  if (!(`${bundle}/${name}` in written.outputs)) await rm(join(root, bundle, name), { recursive: true });
}

const example = join(root, 'scenarios', 'recorded', 'shape-flatten-cnn');
spawnSync(process.execPath, [join(root, 'packages/cli/scripts/keep-compiled.cjs'), example], {
  stdio: 'ignore',
});
