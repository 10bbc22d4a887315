// The tests for every save: no frameworks, no browser, no long runs. Under three minutes on two cores. Arguments go to
// vitest, as with `npm test`.
import { join } from 'node:path';
import { build, handOver, installPackages, installPython, root, runScript } from './lib/setup.mjs';

/** Tests that need a framework, a browser, or minutes. */
const full = [
  'packages/jupyterlab/**',
  'packages/bench/test/{attacks,live,gpu,scenarios}/**',
  'packages/bench/test/{gpu,pretended-gpu}.test.ts',
  // Most of them need a framework.
  'packages/kernel/test/dry/!(copy|questions|shared-memory).test.ts',
  'packages/kernel/test/agent/{facts,reading,soundness,unchanged}.test.ts',
  'packages/kernel/test/server.test.ts',
  'packages/notebook/test/checks/{core,libraries}/**',
  'packages/notebook/test/checks/by-check.test.ts',
  'packages/notebook/test/real-notebooks/first-crash.test.ts',
  'packages/training/test/hooks/**',
  'packages/bench/test/training/learned/**',
  'packages/bench/test/training/fresh.test.ts',
  'packages/training/test/diagnose/live.test.ts',
  'packages/training/test/watch/**',
  'packages/training/test/readers/{large,mutations}.test.ts',
  'packages/cli/test/{beside,check-fleet,check-pages,guard,interpreters,mcp,model-trouble}.test.ts',
  'packages/cli/test/{server,watch,watch-server}.test.ts',
  'packages/cli/test/pipeline/{code-hosts,compare,formats,many,rehearse}.test.ts',
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
  // To read the sources anew takes a second for each file: those of a worker share them.
  const args = [vitest, 'run', '--no-isolate', ...process.argv.slice(2), ...excluded];
  return handOver(process.execPath, args, {
    GRUS_PYTHON: python,
    GRUS_TESTS: 'quick',
  });
});
