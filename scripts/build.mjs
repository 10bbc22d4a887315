// One build: the agent becomes a string, TypeScript is compiled, and the command line is bundled for a fast start.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from './lib/setup.mjs';

function run(script, ...args) {
  const { status } = spawnSync(process.execPath, [join(root, script), ...args], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

run('packages/kernel/scripts/bundle-agent.mjs');
run('node_modules/typescript/bin/tsc', '-b');
await build({
  absWorkingDir: root,
  entryPoints: { main: 'packages/cli/dist/main.js' },
  outdir: 'packages/cli/dist/bundle',
  bundle: true,
  splitting: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  external: ['zeromq', 'web-tree-sitter', 'tree-sitter-python', 'node-sqlite3-wasm'],
  // Packages in CommonJS that ended up in the bundle still call require() for Node's own modules.
  banner: { js: "import { createRequire as grusCreateRequire } from 'node:module'; const require = grusCreateRequire(import.meta.url);" },
  logLevel: 'warning',
});
