// grus diagnose: why did this training run fail? Of a directory of artefacts or a single file.
import type { Command } from 'commander';
import type { DiagnoseFlags } from '../jobs/diagnose.js';
import { withModelOptions } from '../options/model.js';
import { withSettingsOption } from '../options/settings.js';
import { choiceOption } from '../options/values.js';

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
    .option(
      '--method <name>',
      `how to judge: ${methods.join(', ')}`,
      choiceOption('--method', methods),
      'hybrid',
    )
    .option('--html <file>', 'also write one self-contained page with interactive charts')
    .option('--json', 'answer in JSON on stdout');
  withSettingsOption(withModelOptions(command))
    .addHelpText(
      'before',
      `Examples:
  grus diagnose runs/exp-17                 all files of one run
  grus diagnose slurm-4711.out --json       one log file (and its .err), for a script
  grus diagnose runs                        a folder of several runs: one line each
  grus diagnose train.ipynb                 what the training cells printed
  pbpaste | grus diagnose -                 an error message from somewhere else
  grus diagnose runs/exp-17 --html report.html
`,
    )
    .addHelpText(
      'after',
      `
Exit code: 0 healthy or undecided, 1 a failure diagnosed, 2 Grus could not do its work.`,
    )
    .action(async (path: string, flags: DiagnoseFlags) => {
      const { diagnoseRun } = await import('../jobs/diagnose.js');
      process.exitCode = await diagnoseRun(path, flags);
    });
}
