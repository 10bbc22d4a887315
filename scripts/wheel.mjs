// Builds the wheel that people install and prints its path: npm run wheel
import { installPackages, installPython, runScript } from './lib/setup.mjs';

await runScript(async () => {
  await installPackages();
  const python = await installPython('build');
  const { buildWheel } = await import('./lib/stage.mjs');
  process.stdout.write(`${await buildWheel(python, 'dist/wheel')}\n`);
  return 0;
});
