// Bundles the command from the sources for a fast start: chunks are split as ES modules, then made CommonJS, because only
// of that can Node keep what it compiled.
import { copyFile, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { root } from './setup.mjs';

/** What a bundle finds beside it, among the packages of npm. */
export const externals = ['zeromq', 'node-sqlite3-wasm', 'pyright', 'yaml', '@electric-sql/pglite'];

/** What libraries ask for and do without. */
const optional = ['pg-native', 'cloudflare:sockets'];

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

/** The table of known messages is larger than everything else: it lies beside the bundle, and is read when an error is looked up. */
const catalogue = 'packages/training/src/messages/catalogue.json';
const catalogueBeside = {
  name: 'catalogue-beside',
  setup({ onLoad }) {
    onLoad({ filter: /messages\/catalogue\.json$/ }, () => ({
      contents: `import { readFileSync } from 'node:fs';
        let whole;
        const read = () => (whole ??= JSON.parse(readFileSync(new URL('${basename(catalogue)}', import.meta.url), 'latin1')));
        export default { get messages() { return read().messages; }, get slots() { return read().slots; } };`,
      loader: 'js',
    }));
  },
};

/** Benchmarks are no part of what people install: whoever asks for one is told where they are. */
export const withoutBenchmarks = {
  name: 'without-benchmarks',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@grus\/bench$/ }, ({ path }) => ({ path, namespace: 'absent' }));
    onLoad({ filter: /./, namespace: 'absent' }, () => ({
      contents:
        "import { GrusError } from '@grus/core'; throw new GrusError('benchmarks are not part of an installed Grus', { advice: 'Run this in a clone of the project.' });",
      resolveDir: join(root, 'packages', 'cli'),
    }));
  },
};

/** Writes `folder/NAME.cjs` for each entry, and the chunks that they share. */
export async function bundleCommand(folder, entryPoints, { plugins = [], sourcemap = true } = {}) {
  const modules = `${folder}-modules`;
  const common = {
    absWorkingDir: root,
    metafile: true,
    sourcemap,
    platform: 'node',
    target: 'node20',
    outExtension: { '.js': '.cjs' },
    logLevel: 'error',
  };
  const { metafile } = await build({
    ...common,
    entryPoints,
    outdir: modules,
    conditions: ['source'],
    bundle: true,
    splitting: true,
    // Less to parse at every start; names stay, and GRUS_DEBUG reads the source maps.
    minifyWhitespace: true,
    minifySyntax: true,
    format: 'esm',
    external: [...externals, ...optional],
    plugins: [withoutOtherPrograms, catalogueBeside, ...plugins],
  });
  const { metafile: written } = await build({
    ...common,
    entryPoints: Object.keys(metafile.outputs).filter((name) => name.endsWith('.cjs')),
    outdir: folder,
    format: 'cjs',
    minifyWhitespace: true,
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': 'grusUrl' },
    banner: { js: "'use strict';const grusUrl = require('node:url').pathToFileURL(__filename).href;" },
  });
  await rm(join(root, modules), { recursive: true });
  await copyFile(join(root, catalogue), join(root, folder, basename(catalogue)));
  // The names of chunks change with their contents: those of earlier builds are of no use any more.
  for (const name of await readdir(join(root, folder))) {
    const made = `${folder}/${name}` in written.outputs || name === basename(catalogue);
    if (!made) await rm(join(root, folder, name), { recursive: true });
  }
}
