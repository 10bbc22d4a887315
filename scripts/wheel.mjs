// Builds the wheel of the JupyterLab extension and prints its path: npm run wheel
import { join } from 'node:path';
import { handOver, installPackages, installPython, root, runScript } from './lib/setup.mjs';

await runScript(async () => {
  await installPackages();
  const python = await installPython('demo');
  const wheel = join(root, 'packages', 'jupyterlab', 'scripts', 'wheel.mjs');
  return handOver(process.execPath, [wheel], { GRUS_PYTHON: python });
});
