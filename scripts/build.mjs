// One build: the agent becomes a string, and the command line is bundled from the sources for a fast start.
import { build } from 'esbuild';
import bundlePages from '../packages/cli/scripts/bundle-pages.mjs';
import bundleAgent from '../packages/kernel/scripts/bundle-agent.mjs';
import { root } from './lib/setup.mjs';

bundleAgent();
bundlePages();

await build({
  absWorkingDir: root,
  entryPoints: { main: 'packages/cli/src/main.ts' },
  outdir: 'packages/cli/dist/bundle',
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
  external: ['zeromq', 'web-tree-sitter', 'tree-sitter-python', 'node-sqlite3-wasm', 'pyright', 'yaml'],
  // Packages in CommonJS that ended up in the bundle still call require() for Node's own modules.
  banner: {
    js: "import { createRequire as grusCreateRequire } from 'node:module'; const require = grusCreateRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
