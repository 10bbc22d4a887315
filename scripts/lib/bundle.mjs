// Bundles the command from the sources for a fast start: chunks are split as ES modules, then made CommonJS, because only
// of that can Node keep what it compiled.
import { readFileSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { loadSource } from './load-source.mjs';
import { patternsLater } from './patterns-later.mjs';
import { root } from './setup.mjs';
import { withoutBarrel } from './without-barrel.mjs';

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

/** What works with promises is loaded by the first call: a small log is read without. */
const promisesLater = {
  name: 'promises-later',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:(?:fs|timers)\/promises$/ }, ({ importer, path }) =>
      /[/\\]packages[/\\]\w+[/\\]src[/\\]/.test(importer) ? { path, namespace: 'later' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'later' }, async ({ path }) => ({
      contents: `import { promises } from '${path.replace('/promises', '')}';
        ${path === 'node:fs/promises' ? "export { constants } from 'node:fs';" : ''}
        ${Object.entries(await import(path))
          .filter(([name, value]) => name !== 'default' && typeof value === 'function')
          .map(([name]) => `export const ${name} = (...given) => promises.${name}(...given);`)
          .join('\n')}`,
    }));
  },
};

/** The table of known messages is larger than everything else: its parts lie beside the bundle, and are read when an error is looked up. */
const catalogue = JSON.parse(
  readFileSync(join(root, 'packages', 'training', 'src', 'messages', 'catalogue.json'), 'utf8'),
);
/** What finds the words of a console log is made during the build. */
const words = (await loadSource('packages/training/src/readers/console/console-words.ts')).makeConsoleWords();
const wordsReady = {
  name: 'words-ready',
  setup({ onLoad }) {
    onLoad({ filter: /console[/\\]console-words\.ts$/ }, () => ({
      contents: `import { readFileSync } from 'node:fs';
        export function makeConsoleWords() {
          const { buffer } = readFileSync(import.meta.dirname + '/console-words.bin');
          const [width, states] = new Uint32Array(buffer, 0, 2);
          return {
            width,
            next: new Uint32Array(buffer, 8, width * states),
            output: new Uint32Array(buffer, 8 + 4 * width * states, states),
            classes: new Uint8Array(buffer, 8 + 4 * (width + 1) * states),
          };
        }`,
      loader: 'js',
    }));
  },
};

/** Most runs are settled before anybody asks the trees. */
const trees = JSON.parse(
  readFileSync(join(root, 'packages', 'training', 'src', 'triage', 'trees.json'), 'utf8'),
);
const treesBeside = {
  name: 'trees-beside',
  setup({ onLoad }) {
    onLoad({ filter: /triage[/\\]trees\.json$/ }, () => ({
      contents: `import { readFileSync } from 'node:fs';
        let read;
        const trees = () => (read ??= JSON.parse(readFileSync(import.meta.dirname + '/trees.json', 'utf8')));
        export default { ${Object.keys(trees)
          .map((key) => `get ${key}() { return trees().${key}; }`)
          .join(', ')} };`,
      loader: 'js',
    }));
  },
};

const late = patternsLater(catalogue.messages);
const parts = [
  late.part,
  {
    file: 'console-words.bin',
    bytes: Buffer.concat(
      [new Uint32Array([words.width, words.output.length]), words.next, words.output, words.classes].map(
        ({ buffer }) => Buffer.from(buffer),
      ),
    ),
  },
  { file: 'messages.txt', bytes: Buffer.from(catalogue.messages, 'latin1') },
  { file: 'slots.bin', bytes: Buffer.from(catalogue.slots, 'base64') },
  { file: 'trees.json', bytes: Buffer.from(JSON.stringify(trees)) },
];
const catalogueBeside = {
  name: 'catalogue-beside',
  setup({ onLoad }) {
    onLoad({ filter: /messages\/catalogue\.json$/ }, () => ({
      contents: `import { readFileSync } from 'node:fs';
        import { TextFile } from ${JSON.stringify(join(root, 'scripts', 'lib', 'text-file.mjs'))};
        export default {
          get messages() { return new TextFile(import.meta.dirname + '/messages.txt'); },
          get slots() { return new Uint32Array(readFileSync(import.meta.dirname + '/slots.bin').buffer); },
        };`,
      loader: 'js',
    }));
  },
};

const ownFiles = {
  name: 'own-files',
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]packages[/\\]\w+[/\\]src[/\\].*\.ts$/ }, async ({ path }) => ({
      contents: withoutBarrel(await readFile(path, 'utf8')),
      loader: 'ts',
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
    plugins: [
      withoutOtherPrograms,
      promisesLater,
      catalogueBeside,
      treesBeside,
      wordsReady,
      late.plugin,
      ...plugins,
      ownFiles,
    ],
  });
  const { metafile: written } = await build({
    ...common,
    entryPoints: Object.keys(metafile.outputs).filter((name) => name.endsWith('.cjs')),
    outdir: folder,
    format: 'cjs',
    minifyWhitespace: true,
    minifyIdentifiers: true,
    supported: { 'dynamic-import': false },
    // Most files never ask where they are; and Node's clock comes with all that it measures performance with, which takes long to load.
    define: {
      'import.meta.url': 'grusHere.url',
      'import.meta.dirname': '__dirname',
      'performance.now': 'grusHere.now',
    },
    banner: {
      js: "'use strict';const grusHere={get url(){return require('node:url').pathToFileURL(__filename).href},now:()=>process.uptime()*1e3};",
    },
  });
  await rm(join(root, modules), { recursive: true });
  for (const { file, bytes } of parts) await writeFile(join(root, folder, file), bytes);
  // The names of chunks change with their contents: those of earlier builds are of no use any more.
  for (const name of await readdir(join(root, folder))) {
    const made = `${folder}/${name}` in written.outputs || parts.some(({ file }) => file === name);
    if (!made) await rm(join(root, folder, name), { recursive: true });
  }
}
