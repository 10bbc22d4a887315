// Runs the tests that need a kernel of ipykernel 6 beside those of ipykernel 7: node scripts/test-ipykernel6.mjs
// They are no part of `npm test`, because they need an environment of their own; it is made in .venv-ipykernel6.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { handOver, installPackages, installPython, root, runScript, SetupError } from './lib/setup.mjs';

const environment = join(root, '.venv-ipykernel6');
const older = join(environment, 'bin', 'python');

await runScript(async () => {
  await installPackages();
  const python = await installPython('test');
  if (!existsSync(older)) {
    run(python, ['-m', 'venv', environment]);
    run(older, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', 'ipykernel<7', 'pandas']);
  }
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const tests = ['packages/kernel/test/older-ipykernel.test.ts', 'packages/kernel/test/dry/remote.test.ts'];
  return handOver(process.execPath, [vitest, 'run', ...tests], {
    GRUS_PYTHON: python,
    GRUS_PYTHON_IPYKERNEL6: older,
  });
});

function run(command, args) {
  if (spawnSync(command, args, { stdio: 'inherit' }).status !== 0)
    throw new SetupError(`${command} ${args.slice(0, 3).join(' ')} failed.`);
}
