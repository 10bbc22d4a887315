// grus snapshot: the structured runtime information of a kernel, exactly as it would leave the machine.
import { redactionLevels } from '@grus/core';
import type { Command } from 'commander';
import type { SnapshotFlags } from '../jobs/snapshot.js';
import { withKernelOptions } from '../options/kernel.js';
import { withSettingsOption } from '../options/settings.js';
import { choiceOption, secondsOption } from '../options/values.js';

export function registerSnapshot(program: Command): void {
  withSettingsOption(
    withKernelOptions(
      program
        .command('snapshot')
        .summary('show the runtime information that a cell needs, as JSON')
        .description(
          'Prints what Grus reads from the kernel for one cell. With --as-sent, exactly what a model would be sent about it.',
        )
        .argument('[notebook]', 'the notebook (.ipynb)')
        .option(
          '--cell <n>',
          'the cell: its number among the code cells, from 1, or its id (default: the last)',
        )
        .option('--code <file>', 'the code in this file ("-" for stdin); with --kernel or --server')
        .option(
          '--redaction <level>',
          `what may be shown: ${redactionLevels.join(', ')} (default values; with --as-sent statistics)`,
          choiceOption('--redaction', redactionLevels),
        )
        .option('--as-sent', 'the exact request that a check of this cell would send to the configured model')
        .option('--model <spec>', 'the model for --as-sent; also GRUS_MODEL')
        .option(
          '--timeout <seconds>',
          'seconds that each cell before may take to run',
          secondsOption('--timeout'),
        )
        .option('--json', 'no effect: the answer is always JSON'),
    ),
  )
    .addHelpText(
      'before',
      `Examples:
  grus snapshot train.ipynb --cell 7              what Grus reads from the kernel for cell 7
  grus snapshot train.ipynb --cell 7 --as-sent    exactly what a model would be sent
`,
    )
    .action(async (notebook: string | undefined, flags: SnapshotFlags) => {
      const { snapshot } = await import('../jobs/snapshot.js');
      process.exitCode = await snapshot(notebook, flags);
    });
}
