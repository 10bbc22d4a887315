// Takes the pictures in docs/images again: node packages/jupyterlab/scripts/screenshots.mjs
import { withModule } from './load.mjs';

for (const path of await withModule('screenshots.ts', (module) => module.run()))
  process.stdout.write(`${path}\n`);
