// grus checks and grus explain: what Grus can find, and the page of one check or detector.
import type { Command } from 'commander';

export function registerChecks(program: Command): void {
  program
    .command('checks')
    .summary('list everything Grus can find')
    .description('Lists the checks of notebook cells and the detectors of training failures.')
    .option('--json', 'answer in JSON on stdout')
    .addHelpText(
      'before',
      `Examples:
  grus checks                    all of them, by family
  grus checks | grep columns     those about columns
`,
    )
    .action(async (flags: { json?: boolean }) => {
      const { listChecks } = await import('../jobs/explain.js');
      process.exitCode = listChecks(flags);
    });
  program
    .command('explain')
    .summary('show the page of one check or detector')
    .description(
      'Shows the page of one check or detector: what it finds, an example, the fix, and when it stays silent.',
    )
    .argument('<id>', 'for example names/undefined-name')
    .option('--json', 'answer in JSON on stdout')
    .addHelpText(
      'before',
      `Examples:
  grus explain names/undefined-name     what it finds, an example, the fix
`,
    )
    .action(async (id: string, flags: { json?: boolean }) => {
      const { explain } = await import('../jobs/explain.js');
      process.exitCode = explain(id, flags);
    });
}
