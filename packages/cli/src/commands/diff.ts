// grus diff: what a change of a notebook breaks or repairs, for reviews.
import type { Command } from 'commander';
import type { CheckFlags } from '../options/check.js';
import { withStartOptions } from '../options/kernel.js';
import { formatOption } from '../options/pipeline.js';
import { withSettingsOption } from '../options/settings.js';
import { secondsOption } from '../options/values.js';

export function registerDiff(program: Command): void {
  withSettingsOption(
    withStartOptions(
      program
        .command('diff')
        .summary('say what a change to a notebook breaks or fixes')
        .description(
          'Judges both versions of a notebook, cell by cell, and says which crashes the change causes, which it fixes and which ' +
            'stay. Both are run in the folder of the newer one.',
        )
        .argument('<old>', 'the notebook before the change')
        .argument('<new>', 'the notebook after it')
        .option('--rehearse', 'judge both with training cut short in copies, past crashes')
        .option('--quick', 'start no kernel: find only undefined names, missing modules and syntax errors')
        .option(
          '--timeout <seconds>',
          'seconds that a cell may take (default 600)',
          secondsOption('--timeout'),
        )
        .option(
          '--dry-budget <seconds>',
          'with --rehearse: seconds for the copies',
          secondsOption('--dry-budget'),
        )
        .option(...formatOption)
        .option('--json', 'answer in JSON on stdout'),
    ),
  )
    .addHelpText(
      'before',
      `Examples:
  grus diff old.ipynb new.ipynb                      what does the change break?
  grus diff old.ipynb new.ipynb --rehearse           also after hours of training
  grus diff old.ipynb new.ipynb --format markdown    for a pull request
  git show HEAD:train.ipynb > /tmp/old.ipynb         gets the version that was committed last
`,
    )
    .addHelpText(
      'after',
      `
Exit code: 0 nothing breaks that ran before, 1 something does, 2 Grus could not do its work.`,
    )
    .action(async (older: string, newer: string, flags: CheckFlags) => {
      const { diff } = await import('../jobs/compare.js');
      process.exitCode = await diff(older, newer, flags);
    });
}
