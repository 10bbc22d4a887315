// The tests for every save: no frameworks, no browser, no long runs. Under three minutes on two cores. Arguments go to
// vitest, as with `npm test`.
import { join } from 'node:path';
import { build, handOver, installPackages, installPython, root, runScript } from './lib/setup.mjs';

/** Tests that need a framework, a browser, or minutes. */
const full = [
  'packages/jupyterlab/**',
  'packages/bench/test/{attacks,live,gpu,scenarios}/**',
  'packages/bench/test/gpu.test.ts',
  'packages/kernel/test/dry/{attacks,clip,devices,keras,pipelines,remote,science,trainers,twin}.test.ts',
  'packages/kernel/test/agent/{facts,soundness,unchanged}.test.ts',
  'packages/kernel/test/server.test.ts',
  'packages/notebook/test/checks/{core,libraries}/**',
  'packages/notebook/test/checks/by-check.test.ts',
  'packages/notebook/test/real-notebooks/first-crash.test.ts',
  'packages/training/test/hooks/**',
  'packages/bench/test/training/learned/**',
  'packages/bench/test/training/fresh.test.ts',
  'packages/training/test/diagnose/live.test.ts',
  'packages/training/test/watch/**',
  'packages/cli/test/{beside,check-pages,guard,interpreters,mcp,model-trouble,server,watch}.test.ts',
  'packages/cli/test/pipeline/{compare,many,rehearse}.test.ts',
  'packages/llm/test/{injections,privacy}/**',
  'packages/llm/test/providers.test.ts',
  'packages/server/**',
  'scripts/test/installed.test.ts',
];

await runScript(async () => {
  await installPackages();
  await build();
  const python = await installPython('demo');
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const excluded = full.flatMap((pattern) => ['--exclude', pattern]);
  return handOver(process.execPath, [vitest, 'run', ...process.argv.slice(2), ...excluded], {
    GRUS_PYTHON: python,
    GRUS_TESTS: 'quick',
  });
});
