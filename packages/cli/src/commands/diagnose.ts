// grus diagnose: why did this training run fail? Of a directory of artefacts or a single file.
import { GrusError } from '@grus/core';
import type { Command } from 'commander';
import type { DiagnoseFlags } from '../jobs/diagnose.js';
import type { FleetFlags } from '../jobs/fleet.js';
import { withModelOptions } from '../options/model.js';
import { withServerOptions } from '../options/server.js';
import { withSettingsOption } from '../options/settings.js';
import { choiceOption } from '../options/values.js';
import { endNow } from '../terminal/output.js';

const methods = ['hybrid', 'tree', 'rules'] as const;

export function registerDiagnose(program: Command): void {
  const command = program
    .command('diagnose')
    .summary('say why a training run fails, from its own artefacts')
    .description(
      'Reads a run directory, a log file, a notebook or pasted text, and says what went wrong, since when, and what to do. ' +
        'It knows TensorBoard, Hugging Face, Lightning, Keras, W&B, MLflow, CSV, JSON lines, console logs, tracebacks and ' +
        'nvidia-smi, also as .gz or .zst.',
    )
    .argument('<path>', 'a run directory or one file of it, a directory of runs, a notebook, or - for stdin')
    .argument('[more...]', 'with --fleet: more of them')
    .option(
      '--fleet',
      'let a Grus server and its workers diagnose: send every run, wait, and print one line each',
    )
    .option(
      '--method <name>',
      `how to judge: ${methods.join(', ')}`,
      choiceOption('--method', methods),
      'hybrid',
    )
    .option('--html <file>', 'also write one self-contained page with interactive charts')
    .option('--json', 'answer in JSON on stdout');
  withServerOptions(withSettingsOption(withModelOptions(command)))
    .addHelpText(
      'before',
      `Examples:
  grus diagnose runs/exp-17                 all files of one run
  grus diagnose slurm-4711.out --json       one log file (and its .err), for a script
  grus diagnose runs                        a folder of several runs: one line each
  grus diagnose train.ipynb                 what the training cells printed
  pbpaste | grus diagnose -                 an error message from somewhere else
  grus diagnose runs/exp-17 --html report.html
  grus diagnose --fleet /nfs/runs/* --project vision   thousands of runs, by the workers of a server
`,
    )
    .addHelpText(
      'after',
      `
Exit code: 0 healthy or undecided, 1 a failure diagnosed, 2 Grus could not do its work.`,
    )
    .action(async (path: string, more: string[], flags: DiagnoseFlags & FleetFlags) => {
      if (flags.fleet) {
        const { diagnoseFleet } = await import('../jobs/fleet.js');
        process.exitCode = await diagnoseFleet([path, ...more], flags);
        return;
      }
      if (more.length > 0)
        throw new GrusError(`${more.length + 1} paths were given`, {
          advice: 'Give one, a folder of runs, or --fleet and the server that does it.',
        });
      const { diagnoseRun } = await import('../jobs/diagnose.js');
      endNow(await diagnoseRun(path, flags));
    });
}
