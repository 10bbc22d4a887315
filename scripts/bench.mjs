// Sets up what the benchmarks need and runs one: npm run bench -- latency | junobench --data DIR | live | …
import { join } from 'node:path';
import {
  build,
  handOver,
  installChromium,
  installPackages,
  installPython,
  root,
  runScript,
} from './lib/setup.mjs';

await runScript(async () => {
  await installPackages();
  await build();
  const args = process.argv.slice(2);
  const executed = args[0] === 'junobench' && args.includes('--live');
  // Its libraries are many, and some do not bear with those of the tests.
  const python = await (executed ? installPython('junobench', '.venv-junobench') : installPython('test'));
  if (args[0] === 'jupyterlab') {
    await installChromium();
    const speed = join(root, 'packages', 'jupyterlab', 'scripts', 'speed.mjs');
    // Another one's JupyterLab: npm run bench -- jupyterlab --python PATH
    const other = args.indexOf('--python') + 1;
    return handOver(process.execPath, [speed, ...args.slice(1)], {
      GRUS_PYTHON: other ? args[other] : python,
    });
  }
  if (args[0] === 'readers') {
    const readers = join(root, 'packages', 'training', 'bench', 'readers.mjs');
    return handOver(process.execPath, [readers, ...args.slice(1)], { GRUS_PYTHON: python });
  }
  if (args[0] === 'ranks') {
    const ranks = join(root, 'packages', 'training', 'bench', 'ranks.mjs');
    return handOver(process.execPath, [ranks, ...args.slice(1)], { GRUS_PYTHON: python });
  }
  const grus = join(root, 'packages', 'cli', 'bin', 'grus.cjs');
  return handOver(process.execPath, [grus, 'bench', ...(args.length > 0 ? args : ['latency'])], {
    GRUS_PYTHON: python,
  });
});
