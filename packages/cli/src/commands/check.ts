// grus check: will this cell crash? Of a notebook (its earlier cells are run first) or of a live kernel.
import type { Command } from 'commander';
import type { CheckFlags } from '../options/check.js';
import { withDryOptions } from '../options/dry.js';
import { withKernelOptions } from '../options/kernel.js';
import { withModelOptions } from '../options/model.js';
import { withPipelineOptions } from '../options/pipeline.js';
import { withSettingsOption } from '../options/settings.js';
import { millisecondsOption, secondsOption } from '../options/values.js';

export function registerCheck(program: Command): void {
  const command = withKernelOptions(
    program
      .command('check')
      .summary('predict whether a notebook cell will crash, before it runs')
      .description(
        'With --cell: runs the code cells before it in a real kernel, and judges it without running it there.\n' +
          'Without: checks each cell and then runs it, up to the first predicted crash.\n' +
          'Several notebooks, folders and globs are checked side by side, each with its own kernel.',
      )
      .argument(
        '[paths...]',
        'notebooks (.ipynb), folders and globs; .gitignore and .grusignore exclude files',
      )
      .option('--cell <n>', 'the cell to judge: its number among the code cells, from 1, or its id')
      .option('--code <file>', 'judge the code in this file ("-" for stdin); with --kernel or --server')
      .option('--watch', 'check again whenever the notebook is saved')
      .option(
        '--against <python>',
        'also judge with this interpreter, or with the packages of this requirements.txt: what would break there, and with which package?',
      )
      .option(
        '--timeout <seconds>',
        'seconds that a cell may take to run (default: no limit; with several notebooks 600)',
        secondsOption('--timeout'),
      )
      .option(
        '--budget <ms>',
        'milliseconds that reading the kernel may take',
        millisecondsOption('--budget'),
      )
      .option('--all', 'with --dry: try this cell and all after it in one copy, up to the first crash')
      .option('--with-edit <file>', 'judge the code in this file in place of the cell')
      .option(
        '--fix',
        "also offer an edit that avoids a certain crash; Grus's own edits are tried in a copy, a model's are not run",
      )
      .option(
        '--verify-fix',
        'also run the edit that a model proposes, in a copy under the strongest isolation',
      )
      .option('--preview', 'also use new checks, whose false alarms have not been counted yet')
      .option('--no-preview', 'do not use such checks, whatever the settings say')
      .option('--json', 'answer in JSON on stdout'),
  );
  withSettingsOption(withModelOptions(withDryOptions(withPipelineOptions(command))))
    .addHelpText(
      'before',
      `Examples:
  grus check train.ipynb                         check and run each cell, stop before the first predicted crash
  grus check train.ipynb --cell 7                run cells 1 to 6, judge cell 7
  grus check train.ipynb --cell 7 --all --dry    try cell 7 and all after it in a copy, before a night of training
  grus check train.ipynb --cell 7 --dry --set batch_size=64    what would happen with another value
  grus check --kernel kernel-1.json --code c.py  judge a piece of code on a kernel that is already running
  grus check --server http://localhost:8888 --token T --kernel-id ID --code c.py
  grus check train.ipynb --cell 7 --fix          and offer an edit
  grus check train.ipynb --cell 7 --model ollama:llama3   ask a model where nothing certain was found
  grus check notebooks/ 'lessons/**/*.ipynb'     check many notebooks, each with its own kernel
  grus check train.ipynb --rehearse              find every crash, even those after hours of training
  grus check notebooks/ --quick                  only names, modules and syntax, without a kernel
  grus check . --against new/bin/python          what would break with other versions of the packages?
  grus check . --shard 2/4 --format junit=out.xml    the second of four machines, with a report
  grus check --fleet /nfs/notebooks              let the workers of a team's server judge them
  grus check . --format text --format sarif=out.sarif    for people, and for the code host
`,
    )
    .addHelpText(
      'after',
      `
Exit code: 0 no crash predicted (which is no guarantee), 1 a crash predicted, 2 Grus could not do its work.`,
    )
    .action(async (paths: readonly string[], flags: CheckFlags) => {
      const { check } = await import('../jobs/check.js');
      process.exitCode = await check(paths, flags);
    });
}
