// grus push: sends runs to a server.
import type { Command } from 'commander';
import type { PushFlags } from '../jobs/push.js';
import { withServerOptions } from '../options/server.js';

export function registerPush(program: Command): void {
  withServerOptions(
    program
      .command('push')
      .summary('send runs to a Grus server')
      .description(
        'Sends the logs and metrics of runs to a server, which diagnoses them: what `grus diagnose` would read, no weights. ' +
          'Files that are already there are not sent again. So an interrupted push continues where it stopped, and a run that grew is updated.',
      )
      .argument('<paths...>', 'run directories, log files, notebooks, or directories of runs'),
  )
    .option('--name <name>', 'what the server calls the run (default: this machine and the path)')
    .option('--running', 'the run is still going: more will follow')
    .option('--wait', 'wait for the verdicts')
    .option('--json', 'answer in JSON on stdout')
    .addHelpText(
      'before',
      `Examples:
  grus push runs/exp-17                      one run, to the server in GRUS_SERVER with the token in GRUS_TOKEN
  grus push runs/exp-17 --wait               and wait for its verdict
  grus push runs --project vision            every run in a folder
`,
    )
    .addHelpText(
      'after',
      `
Exit code: 0 everything was sent, 1 with --wait a failure was diagnosed, 2 Grus could not do its work.`,
    )
    .action(async (paths: string[], flags: PushFlags) => {
      const { push } = await import('../jobs/push.js');
      process.exitCode = await push(paths, flags);
    });
}
