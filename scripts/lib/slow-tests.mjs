// Which tests are not for every save.

/** Patterns of the files that need a framework, a browser, or minutes. */
export const slowTests = [
  'packages/jupyterlab/test/**/*.test.ts',
  'packages/bench/test/{attacks,live,gpu,scenarios}/**/*.test.ts',
  'packages/bench/test/{gpu,pretended-gpu}.test.ts',
  'packages/bench/test/junobench/executable.test.ts',
  // Most of them need a framework.
  'packages/kernel/test/dry/!(questions|shared-memory).test.ts',
  'packages/kernel/test/agent/{facts,reading,soundness,unchanged}.test.ts',
  'packages/kernel/test/{cleanup,server}.test.ts',
  'packages/notebook/test/checks/{core,libraries}/**/*.test.ts',
  'packages/notebook/test/checks/by-check.test.ts',
  'packages/notebook/test/real-notebooks/{first-crash,forwarded}.test.ts',
  'packages/training/test/hooks/**/*.test.ts',
  'packages/bench/test/training/learned/**/*.test.ts',
  'packages/bench/test/training/fresh.test.ts',
  'packages/training/test/diagnose/live.test.ts',
  'packages/training/test/messages/raised.test.ts',
  'packages/training/test/watch/**/*.test.ts',
  'packages/training/test/readers/{large,mutations}.test.ts',
  'packages/cli/test/{beside,check-fleet,check-pages,examples,guard,interpreters,llm,mcp,model-trouble}.test.ts',
  'packages/cli/test/{no-fork,server,watch,watch-server}.test.ts',
  'packages/cli/test/pipeline/{code-hosts,compare,formats,many,rehearse}.test.ts',
  'packages/llm/test/{injections,privacy}/**/*.test.ts',
  'packages/llm/test/providers.test.ts',
  'packages/server/test/**/*.test.ts',
  'scripts/test/installed.test.ts',
];
