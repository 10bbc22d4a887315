// Scenarios of training failures: npm run scenario -- list | record ID... | check ID... | validate ID... | validate FOLDER
import { mkdirSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installPackages, installPython, root, runScript } from './lib/setup.mjs';

await runScript(async () => {
  await installPackages();
  const words = process.argv.slice(2).map((word) => (/[/\\]/.test(word) ? resolve(word) : word));
  const runs = ['record', 'check'].includes(words[0]) || words.some((word) => isAbsolute(word));
  const python = runs ? await installPython('scenarios') : 'python3';
  const { build } = await import('esbuild');
  const outfile = join(root, 'packages', 'bench', 'dist', 'scenarios', 'command.mjs');
  mkdirSync(join(outfile, '..'), { recursive: true });
  await build({
    absWorkingDir: root,
    entryPoints: ['packages/bench/src/scenarios/command.ts'],
    outfile,
    conditions: ['source'],
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    external: ['node-sqlite3-wasm', 'yaml'],
    logLevel: 'warning',
  });
  const { scenarioCommand } = await import(pathToFileURL(outfile).href);
  const print = (line) => process.stdout.write(`${line}\n`);
  const onProgress = (line) => process.stderr.write(`${line}\n`);
  return scenarioCommand(words, { folder: join(root, 'scenarios'), python, onProgress }, print);
});
