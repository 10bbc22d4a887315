// grus llm: everything about the model that may be asked last. Nothing here is needed to use Grus without one.
import type { Command } from 'commander';
import type { CalibrateFlags } from '../jobs/calibrate.js';
import type { LlmTestFlags, RecordFlags } from '../jobs/llm.js';
import { withKernelOptions } from '../options/kernel.js';
import { withModelOptions } from '../options/model.js';
import { secondsOption } from '../options/values.js';

export function registerLlm(program: Command): void {
  const llm = program
    .command('llm')
    .summary('test the language model, or record its answers')
    .description('Nothing is sent anywhere until a model is configured, with --model or GRUS_MODEL.')
    .addHelpText(
      'before',
      `Examples:
  grus llm test --model ollama:llama3    say whether it works, and what a check costs
`,
    );
  withModelOptions(
    llm
      .command('test')
      .summary('say whether the model works, and what a check costs')
      .description('Says whether the configured model works, and what a check with it would cost.')
      .option('--json', 'answer in JSON on stdout'),
  )
    .addHelpText(
      'before',
      `Examples:
  grus llm test --model ollama:llama3
  GRUS_MODEL=openai:gpt-5 grus llm test
`,
    )
    .action(async (flags: LlmTestFlags) => {
      const { testModel } = await import('../jobs/llm.js');
      process.exitCode = await testModel(flags);
    });
  withModelOptions(
    withKernelOptions(
      llm
        .command('record')
        .summary('check a notebook and keep the answers of the model')
        .description(
          'Checks a notebook as `grus check` does and writes every answer of the model to a folder, which ' +
            '--model recorded:DIR then replays without a network. With --data, asks about every instance of a ' +
            'benchmark folder instead; `grus bench junobench --methods recorded:DIR` replays that.',
        )
        .argument('[notebook]', 'the notebook (.ipynb)')
        .option('--data <dir>', 'a folder in the layout of JunoBench, in place of a notebook')
        .option(
          '--modes <names>',
          'with --data: comma-separated, code+runtime, code, or code+runtime-CATEGORY to leave one out (default code+runtime,code)',
          (text: string) => text.split(','),
        )
        .requiredOption('-o, --record <dir>', 'where to write the answers')
        .option('--cell <n>', 'only this cell (default: every cell)')
        .option(
          '--timeout <seconds>',
          'seconds that each cell before may take to run',
          secondsOption('--timeout'),
        )
        .option('--json', 'answer in JSON on stdout'),
    ),
  )
    .addHelpText(
      'before',
      `Examples:
  grus llm record train.ipynb -o answers --model openai:gpt-5    ask once, and keep the answers
  grus check train.ipynb --model recorded:answers               replay them, without a network
`,
    )
    .action(async (notebook: string | undefined, flags: RecordFlags) => {
      const { recordAnswers } = await import('../jobs/llm.js');
      process.exitCode = await recordAnswers(notebook, flags);
    });
  llm
    .command('calibrate')
    .summary('measure how often answers that agree are right')
    .description(
      'Measures on recorded answers how often they were right when a given number of them agreed, and prints the ' +
        'table from which the confidence of a prediction is read.',
    )
    .requiredOption('--data <dir>', 'folder of the JunoBench data')
    .option('--json', 'answer in JSON on stdout')
    .addHelpText(
      'before',
      `Examples:
  grus llm calibrate --data junobench
`,
    )
    .action(async (flags: CalibrateFlags) => {
      const { calibrate } = await import('../jobs/calibrate.js');
      process.exitCode = await calibrate(flags);
    });
}
