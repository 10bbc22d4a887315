// The tests for every save: no frameworks, no browser, no long runs. Under three minutes on two cores. Arguments go to
// vitest, as with `npm test`.
import { join } from 'node:path';
import { build, handOver, installPackages, installPython, root, runScript } from './lib/setup.mjs';

await runScript(async () => {
  await installPackages();
  await build();
  const python = await installPython('demo');
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  return handOver(process.execPath, [vitest, 'run', '--project', 'quick', ...process.argv.slice(2)], {
    GRUS_PYTHON: python,
    GRUS_TESTS: 'quick',
  });
});
