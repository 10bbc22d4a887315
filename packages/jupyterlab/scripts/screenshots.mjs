// Takes the pictures in docs/images again: node packages/jupyterlab/scripts/screenshots.mjs
import { join } from 'node:path';
import { runnerImport } from 'vite';
import { home } from './build.mjs';

const { module } = await runnerImport(join(home, 'bench', 'screenshots.ts'));
for (const path of await module.run()) process.stdout.write(`${path}\n`);
