// The main job on a fresh clone: set everything up, then let Grus judge the bundled example notebooks.
import { join } from 'node:path';
import { build, handOver, installPackages, installPython, root, runScript } from './lib/setup.mjs';

const grus = join(root, 'packages', 'cli', 'bin', 'grus.cjs');

await runScript(async () => {
  process.stderr.write('Setting up Grus\n');
  await installPackages();
  await build();
  const python = await installPython('demo');
  const crash = await check('A cell that would crash', ['examples/churn.ipynb', '--cell', '6'], python);
  const fixed = await check(
    'The same notebook with that cell repaired',
    ['examples/churn-fixed.ipynb', '--cell', '6'],
    python,
  );
  return crash === 1 && fixed === 0 ? 0 : 2;
});

async function check(title, args, python) {
  process.stderr.write(`\n${title}\n$ npx grus check ${args.join(' ')}\n`);
  return handOver(process.execPath, [grus, 'check', ...args], { GRUS_PYTHON: python });
}
