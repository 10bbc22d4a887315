// The commands of `grus`, and what they take.
import { visible } from '@grus/core';
import { Command, CommanderError } from 'commander';
import { registerCheck } from './commands/check.js';
import { registerChecks } from './commands/checks.js';
import { registerCompare } from './commands/compare.js';
import { registerCompletion } from './commands/completion.js';
import { registerDiagnose } from './commands/diagnose.js';
import { registerDiff } from './commands/diff.js';
import { registerDoctor } from './commands/doctor.js';
import { registerLlm } from './commands/llm.js';
import { registerMcp } from './commands/mcp.js';
import { registerPush } from './commands/push.js';
import { registerRun } from './commands/run.js';
import { registerServer } from './commands/server.js';
import { registerSnapshot } from './commands/snapshot.js';
import { registerWatch } from './commands/watch.js';
import { registerWorker } from './commands/worker.js';
import { version } from './generated/version.js';
import { exitCodes, outputTo } from './terminal/output.js';

/** In the order of the help. */
const commands: Readonly<Record<string, (program: Command) => void>> = {
  check: registerCheck,
  run: registerRun,
  diff: registerDiff,
  snapshot: registerSnapshot,
  diagnose: registerDiagnose,
  compare: registerCompare,
  watch: registerWatch,
  llm: registerLlm,
  checks: registerChecks,
  doctor: registerDoctor,
  mcp: registerMcp,
  server: registerServer,
  worker: registerWorker,
  push: registerPush,
};

/** Runs the command that the arguments name; `registerMore` adds commands that not every installation has. */
export async function runProgram(registerMore: (program: Command) => void = () => {}): Promise<void> {
  const program = new Command('grus')
    .description('Predicts notebook cells that will crash, and says why training runs fail.')
    .version(version)
    .showHelpAfterError('(add --help for the options and examples)')
    .configureHelp({ sortSubcommands: false })
    .configureOutput({
      writeOut: (text) => outputTo('stdout').write(text),
      writeErr: (text) => process.stderr.write(visible(text)),
    })
    .addHelpText(
      'before',
      `Examples:
  grus check train.ipynb --cell 7    will cell 7 crash, and why?
  grus run train.ipynb -o out.ipynb  execute, but stop before a cell that would crash
  grus diagnose runs/exp-17          why does this training run fail?
  grus doctor                        what Grus found on this machine
`,
    )
    .addHelpText('after', '\n`grus help COMMAND` shows examples and options of a command.')
    .exitOverride();

  // Declaring a command takes time: the one that is asked for is enough, and the version needs none. Help and completion want them all.
  const asked = process.argv[2] ?? '';
  if (Object.hasOwn(commands, asked)) commands[asked]!(program);
  else if (asked !== '--version') {
    for (const register of Object.values(commands)) register(program);
    registerMore(program);
    registerCompletion(program);
  }

  try {
    await program.parseAsync();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    process.exitCode = error.exitCode === 0 ? exitCodes.nothingBad : exitCodes.couldNotWork;
  }
}
