// One build: the agent becomes a string, and the command line is bundled from the sources for a fast start.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { installChangedPackages, root } from './lib/setup.mjs';

await installChangedPackages();
const { bundleCommand } = await import('./lib/bundle.mjs');
const { prepareSources } = await import('./lib/prepare-sources.mjs');
await prepareSources();
await bundleCommand('packages/cli/dist/bundle', {
  main: 'packages/cli/src/main.ts',
  judge: 'packages/server/src/judging/thread.ts',
});

const example = join(root, 'scenarios', 'recorded', 'shape-flatten-cnn');
// The first run tells which files are loaded together, the second has V8 compile them so. The third has too many arguments, and ends
// before anything changes V8's settings: what all commands load is compiled without.
for (const given of [[example], [example], [example, example]])
  spawnSync(process.execPath, [join(root, 'packages/cli/scripts/keep-compiled.cjs'), 'diagnose', ...given], {
    stdio: 'ignore',
  });
