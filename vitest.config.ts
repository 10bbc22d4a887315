import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take minutes, begun first: none of them is then left running alone at the end. */
const minutes =
  /\/(?:bench\/test\/live\/verify|jupyterlab\/test\/|scripts\/test\/installed|training\/test\/hooks\/|cli\/test\/(?:check|interpreters)\.)/;

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const long = (file: TestSpecification) => Number(minutes.test(file.moduleId));
    return sorted.toSorted((one, other) => long(other) - long(one));
  }
}

// Tests run on the TypeScript sources: the `source` condition of each package's exports.
export default defineConfig({
  resolve: { conditions: ['source', 'node'] },
  ssr: { resolve: { conditions: ['source', 'node'] } },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'scripts/test/**/*.test.ts'],
    globalSetup: [
      'packages/kernel/scripts/bundle-agent.mjs',
      'packages/notebook/scripts/bundle-registry.mjs',
      'packages/cli/scripts/bundle-pages.mjs',
      'scripts/lib/once-a-run.mjs',
    ],
    testTimeout: 120_000,
    hookTimeout: 180_000,
    maxWorkers: 2,
    unstubEnvs: true,
    sequence: { sequencer: LongFirst },
    // Real kernels and browsers on a machine that others use too: a test gets a second try, which the report names.
    retry: process.env['CI'] ? 1 : 0,
    // eventsource and its parser publish their TypeScript under the same condition, which Node cannot load by itself.
    server: {
      deps: { inline: [/\/node_modules\/(?:ai|@ai-sdk|@modelcontextprotocol|eventsource(?:-parser)?)\//] },
    },
  },
});
