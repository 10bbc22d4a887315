// grus run: executes a notebook like papermill, but checks each cell first and stops before the one that would crash.
import type { Command } from 'commander';
import type { RunFlags } from '../jobs/run.js';
import { withDryOptions } from '../options/dry.js';
import { withStartOptions } from '../options/kernel.js';
import { withSettingsOption } from '../options/settings.js';
import { secondsOption } from '../options/values.js';

export function registerRun(program: Command): void {
  const command = withStartOptions(
    program
      .command('run')
      .summary('execute a notebook, stopping before a cell that would crash')
      .description(
        'Executes the notebook from top to bottom and writes it with its outputs. Each cell is checked first; the run stops ' +
          'before a cell that would crash, with everything computed so far in the output.',
      )
      .argument('<notebook>', 'the notebook (.ipynb)')
      .requiredOption('-o, --output <file>', 'where to write the executed notebook')
      .option('--timeout <seconds>', 'seconds that one cell may take', secondsOption('--timeout'))
      .option('--preview', 'also use new checks, whose false alarms have not been counted yet')
      .option('--no-preview', 'do not use such checks, whatever the settings say')
      .option('--json', 'answer in JSON on stdout'),
  );
  withSettingsOption(withDryOptions(command))
    .addHelpText(
      'before',
      `Examples:
  grus run train.ipynb -o train-executed.ipynb
  grus run train.ipynb -o out.ipynb --dry always --dry-budget 30   try each cell in a copy first, for half a minute at most
`,
    )
    .addHelpText(
      'after',
      `
Exit code: 0 every cell ran, 1 stopped before a predicted crash or at a real one, 2 Grus could not do its work.`,
    )
    .action(async (notebook: string, flags: RunFlags) => {
      const { run } = await import('../jobs/run.js');
      process.exitCode = await run(notebook, flags);
    });
}
