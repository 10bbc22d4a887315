// Sets up everything the tests need and runs them. Arguments go to vitest: npm test -- packages/python
import { join } from 'node:path';
import { checkSources } from './lib/check-sources.mjs';
import { chromiumAdvice } from './lib/chromium.mjs';
import {
  build,
  handOver,
  installChromium,
  installPackages,
  installPython,
  installServices,
  root,
  runScript,
  SetupError,
} from './lib/setup.mjs';

await runScript(async () => {
  process.stderr.write('Setting up the tests\n');
  await installPackages();
  await build();
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const filters = process.argv.slice(2);
  const whole = filters.length === 0;
  const needsBrowser = whole || filters.some((filter) => /jupyterlab|server/.test(filter));
  // Libraries come over the network while the sources are checked.
  const [checked, python, browser, services] = await Promise.all([
    whole ? checkSources() : 0,
    installPython('test'),
    needsBrowser ? installChromium() : true,
    whole || filters.some((filter) => filter.includes('server')) ? installServices() : null,
  ]);
  if (checked !== 0) return checked;
  const excluded = [];
  if (!browser) {
    if (!whole) throw new SetupError(chromiumAdvice);
    process.stderr.write(`LEFT OUT: ${chromiumAdvice}\n`);
    excluded.push('--exclude', 'packages/jupyterlab/test/**');
  }
  const tests = await handOver(process.execPath, [vitest, 'run', ...filters, ...excluded], {
    GRUS_PYTHON: python,
    ...(services !== null && { GRUS_SERVICES_PYTHON: services }),
  });
  if (tests !== 0 || !whole) return tests;
  for (const folders of [
    ['-s', 'packages/kernel/agent_test', '-t', 'packages/kernel'],
    ['-s', 'hooks/tests'],
  ]) {
    const code = await handOver(python, ['-m', 'unittest', 'discover', ...folders]);
    if (code !== 0) return code;
  }
  return 0;
});
