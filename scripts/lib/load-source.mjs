// Loads a TypeScript source of a package as it is now, for scripts that make files from it.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from './setup.mjs';

/** The exports of the module at `entry`, a path from the root of the repository. */
export async function loadSource(entry) {
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
