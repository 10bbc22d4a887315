// grus check: will this cell crash? Of a notebook (its earlier cells are run first) or of a live kernel.
import type { Command } from 'commander';
import type { CheckFlags } from '../options/check.js';
import { withDryOptions } from '../options/dry.js';
import { withKernelOptions } from '../options/kernel.js';
import { withModelOptions } from '../options/model.js';
import { millisecondsOption, secondsOption } from '../options/values.js';

export function registerCheck(program: Command): void {
  const command = withKernelOptions(
    program
      .command('check')
      .summary('predict whether a notebook cell will crash, before it runs')
      .description(
        'Runs the code cells before the chosen one in a real kernel and judges that one without running it.\n' +
          'Without --cell the notebook is walked: each cell is checked, then run, up to the first predicted crash.',
      )
      .argument('[notebook]', 'the notebook (.ipynb)')
      .option('--cell <n>', 'the cell to judge: its number among the code cells, from 1, or its id')
      .option('--code <file>', 'judge the code in this file ("-" for stdin), on a live kernel')
      .option('--watch', 'check again whenever the notebook is saved')
      .option('--timeout <seconds>', 'seconds that one replayed cell may take', secondsOption('--timeout'))
      .option(
        '--budget <ms>',
        'milliseconds that a check may take in the kernel',
        millisecondsOption('--budget'),
      )
      .option('--all', 'with --dry: rehearse this cell and all after it in one copy, up to the first crash')
      .option('--with-edit <file>', 'judge the code in this file in place of the cell')
      .option(
        '--fix',
        "also offer an edit that avoids a certain crash: a check's own is tried in a copy, a model's is only read",
      )
      .option(
        '--verify-fix',
        'also run what a model proposes in a copy, under the strongest isolation and after the crash itself was tried',
      )
      .option('--preview', 'let new checks speak too, whose false alarms were not counted yet')
      .option('--json', 'answer in JSON on stdout'),
  );
  withModelOptions(withDryOptions(command))
    .addHelpText(
      'after',
      `
Examples:
  grus check train.ipynb                         walk the notebook, stop before the first predicted crash
  grus check train.ipynb --cell 7                replay cells 1 to 6, judge cell 7
  grus check train.ipynb --cell 7 --all --dry    rehearse cell 7 and all after it in a copy, before a night of training
  grus check train.ipynb --cell 7 --dry --set batch_size=64    what if
  grus check --kernel kernel-1.json --code c.py  judge a piece of code on a kernel that is already running
  grus check --server http://localhost:8888 --token T --kernel-id ID --code c.py
  grus check train.ipynb --cell 7 --fix          and offer an edit
  grus check train.ipynb --cell 7 --model ollama:llama3   ask a model where nothing certain was found

Exit code: 0 no crash predicted, 1 a crash predicted, 2 Grus could not do its work.`,
    )
    .action(async (notebook: string | undefined, flags: CheckFlags) => {
      const { check } = await import('../jobs/check.js');
      process.exitCode = await check(notebook, flags);
    });
}
