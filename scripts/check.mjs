// Checks the sources without running the tests.
import { checkSources } from './lib/check-sources.mjs';
import { build, installPackages, runScript } from './lib/setup.mjs';

await runScript(async () => {
  await installPackages();
  await build();
  return checkSources();
});
