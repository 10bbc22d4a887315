// grus doctor: what Grus found on this machine, and which Python a notebook gets.
import type { Command } from 'commander';
import type { DoctorFlags } from '../jobs/doctor.js';
import { withStartOptions } from '../options/kernel.js';
import { withSettingsOption } from '../options/settings.js';

export function registerDoctor(program: Command): void {
  withSettingsOption(
    withStartOptions(
      program
        .command('doctor')
        .summary('show what Grus found here, and which Python a notebook gets')
        .description(
          'Shows the interpreters and kernels that were found, which one a notebook gets and why, how well copies are ' +
            'isolated here, the settings of the project, the versions of libraries, and which model is set up. It runs no cell.',
        )
        .argument('[notebook]', 'a notebook; without it, any notebook of this folder')
        .option('--json', 'answer in JSON on stdout'),
    ),
  )
    .addHelpText(
      'before',
      `Examples:
  grus doctor                    this folder
  grus doctor train.ipynb        one notebook: which Python it gets, and why
  grus doctor --json > report.json
`,
    )
    .addHelpText(
      'after',
      `
Exit code: 0 a kernel can be started, 2 none can.`,
    )
    .action(async (notebook: string | undefined, flags: DoctorFlags) => {
      const { doctor } = await import('../jobs/doctor.js');
      process.exitCode = await doctor(notebook, flags);
    });
}
