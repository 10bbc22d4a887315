// One build: the agent becomes a string, and the command line is bundled from the sources for a fast start.
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
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: { main: 'packages/cli/src/main.ts' },
  outdir: bundle,
  metafile: true,
  conditions: ['source'],
  bundle: true,
  splitting: true,
  sourcemap: true,
  // Less to parse at every start; names stay, and GRUS_DEBUG reads the source maps.
  minifyWhitespace: true,
  minifySyntax: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  external: ['zeromq', 'node-sqlite3-wasm', 'pyright', 'yaml'],
  // Packages in CommonJS that ended up in the bundle still call require() for Node's own modules.
  banner: {
    js: "import { createRequire as grusCreateRequire } from 'node:module'; const require = grusCreateRequire(import.meta.url);",
  },
  logLevel: 'warning',
});

// The names of chunks change with their contents: those of earlier builds are of no use any more.
for (const name of await readdir(join(root, bundle))) {
  if (!(`${bundle}/${name}` in metafile.outputs)) await rm(join(root, bundle, name), { recursive: true });
}
