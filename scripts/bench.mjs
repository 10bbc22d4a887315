// Sets up what the benchmarks need and runs one: npm run bench -- latency | junobench --data DIR | live | …
import { join } from 'node:path';
import { build, handOver, installPackages, installPython, root, runScript } from './lib/setup.mjs';

await runScript(async () => {
  await installPackages();
  await build();
  const python = await installPython('test');
  const args = process.argv.slice(2);
  const grus = join(root, 'packages', 'cli', 'bin', 'grus.mjs');
  return handOver(process.execPath, [grus, 'bench', ...(args.length > 0 ? args : ['latency'])], {
    GRUS_PYTHON: python,
  });
});
