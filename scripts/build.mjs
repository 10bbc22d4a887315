// One build: the agent becomes a string, and the command line is bundled from the sources for a fast start.
import { keepCompiled, keepTogether } from './lib/keep.mjs';
import { installChangedPackages } from './lib/setup.mjs';

await installChangedPackages();
const { bundleCommand } = await import('./lib/bundle.mjs');
const { prepareSources } = await import('./lib/prepare-sources.mjs');
await prepareSources();
await bundleCommand('packages/cli/dist/bundle', {
  main: 'packages/cli/src/main.ts',
  judge: 'packages/server/src/judging/thread.ts',
});

keepTogether('packages/cli');
keepCompiled('packages/cli');
