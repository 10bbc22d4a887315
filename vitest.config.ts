import { defaultExclude, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { slowTests } from './scripts/lib/slow-tests.mjs';

/** The files that take minutes, begun first: none of them is then left running alone at the end. */
const minutes =
  /\/(?:bench\/test\/live\/verify|jupyterlab\/test\/|scripts\/test\/installed|training\/test\/hooks\/|cli\/test\/(?:beside|check|interpreters)\.)/;

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const length = ({ moduleId, project }: TestSpecification) =>
      project.name === 'quick' ? 0 : minutes.test(moduleId) ? 2 : 1;
    return sorted.toSorted((one, other) => length(other) - length(one));
  }
}

// Tests run on the TypeScript sources: the `source` condition of each package's exports.
const sources = {
  resolve: { conditions: ['source', 'node'] },
  ssr: { resolve: { conditions: ['source', 'node'] } },
};

function project(test: TestProjectInlineConfiguration['test']): TestProjectInlineConfiguration {
  return {
    ...sources,
    test: {
      testTimeout: 120_000,
      hookTimeout: 180_000,
      unstubEnvs: true,
      // Real kernels and browsers on a machine that others use too: a test gets a second try, which the report names.
      retry: process.env['CI'] ? 1 : 0,
      // eventsource and its parser publish their TypeScript under the same condition, which Node cannot load by itself.
      server: {
        deps: { inline: [/\/node_modules\/(?:ai|@ai-sdk|@modelcontextprotocol|eventsource(?:-parser)?)\//] },
      },
      ...test,
    },
  };
}

export default defineConfig({
  test: {
    globalSetup: [
      'packages/kernel/scripts/bundle-agent.mjs',
      'packages/notebook/scripts/bundle-registry.mjs',
      'packages/cli/scripts/bundle-pages.mjs',
      'scripts/lib/once-a-run.mjs',
    ],
    maxWorkers: 2,
    sequence: { sequencer: LongFirst },
    projects: [
      project({
        name: 'quick',
        include: ['packages/*/test/**/*.test.ts', 'scripts/test/**/*.test.ts'],
        exclude: [...defaultExclude, ...slowTests],
        // To read the sources anew takes a second for each file: those of a worker share them.
        isolate: false,
      }),
      project({ name: 'slow', include: slowTests }),
    ],
  },
});
