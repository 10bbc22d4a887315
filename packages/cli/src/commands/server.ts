// grus server: the runs of a team in one place. The server itself is loaded only when it is started.
import type { Command } from 'commander';
import type { LabelFlags, ServerFlags, TokenFlags } from '../jobs/server.js';
import { withServerOptions } from '../options/server.js';
import { sourceOption } from '../options/sources.js';
import { choiceOption, countOption, secondsOption } from '../options/values.js';
import { type StoreOptions, withStoreOptions, withWorkOptions } from '../options/work.js';

const roles = ['read', 'write', 'admin'] as const;

export function registerServer(program: Command): void {
  const server = program
    .command('server')
    .summary('keep and diagnose the runs of a team')
    .description(
      'Serves a page and an API where the runs of many machines come together and are diagnosed. Without --database it keeps ' +
        'everything in one folder, in an embedded PostgreSQL. It listens only on this machine unless --host says otherwise.',
    );
  withWorkOptions(server)
    .option('--port <n>', 'port (0: any that is free)', countOption('--port', 0), 4750)
    .option('--host <address>', 'address to listen on; 0.0.0.0 for all, behind a proxy with TLS', '127.0.0.1')
    .option(
      '--public-host <names>',
      'comma-separated names under which browsers reach it; others are refused',
      (text) => text.split(',').map((name) => name.trim()),
      [],
    )
    .option('--most-file <mb>', 'megabytes that one file may have', countOption('--most-file'), 512)
    .option(
      '--most-run <mb>',
      'megabytes that the files of one run may have',
      countOption('--most-run'),
      2048,
    )
    .option('--keep-days <n>', 'drop runs that are older (default: keep all)', countOption('--keep-days'))
    .option(
      '--watch <dir>',
      'pick up the runs that appear in this folder; PROJECT=DIR for a project; may be repeated',
      sourceOption('folder'),
    )
    .option(
      '--mlflow <url>',
      'pick up the runs of this MLflow server; PROJECT=URL for a project; may be repeated',
      sourceOption('mlflow'),
    )
    .option(
      '--s3 <url>',
      'pick up the runs of this bucket; PROJECT=https://HOST/BUCKET/PREFIX for a project; may be repeated',
      sourceOption('s3'),
    )
    .option('--look <seconds>', 'seconds between looks at them (default: 30)', secondsOption('--look'))
    .option('--notify <file>', 'a TOML file that says who is notified of failures, and how: docs/server.md')
    .option(
      '--oidc <file>',
      'a TOML file that says how people sign in with OpenID Connect, and what their groups see: docs/server.md',
    )
    .option('--rate <n>', 'requests a second that one token may make', countOption('--rate'), 200)
    .addHelpText(
      'before',
      `Examples:
  grus server                                          on http://127.0.0.1:4750, all in one folder
  grus server --database postgres://grus@db/grus       for a team, with workers on other machines
  grus server --watch vision=/nfs/vision/runs          pick up every run that appears in a folder
  grus server --workers 0                              only the page and the API; start grus worker elsewhere
  grus push runs/exp-17 --server http://localhost:4750 send a run (GRUS_TOKEN is the token)
  grus server token ci --role write --project vision   a token for one project
`,
    )
    .addHelpText(
      'after',
      `
The first start creates a random token, and stderr names its file. Details: docs/server.md.

Exit code: 0 it was stopped, 2 Grus could not do its work.`,
    )
    .action(async (flags: ServerFlags) => {
      const { serve } = await import('../jobs/server.js');
      await serve(flags);
    });
  withServerOptions(
    server
      .command('token')
      .summary('make a token on a running server')
      .description('Makes a token for a project and prints it. If the project does not exist, it is created.')
      .argument('<name>', 'whose it is: a person, a machine, a job')
      .option('--role <role>', `what it may do: ${roles.join(', ')}`, choiceOption('--role', roles), 'write')
      .option('--json', 'answer in JSON on stdout'),
  )
    .addHelpText(
      'before',
      `Examples:
  grus server token ci --role write --project vision   for a job that sends the runs of one project
  grus server token ann --role read --project vision   for somebody who looks at them
`,
    )
    .addHelpText('after', '\nExit code: 0 it was made, 2 Grus could not do its work.')
    .action(async (name: string, flags: TokenFlags) => {
      const { makeToken } = await import('../jobs/server.js');
      await makeToken(name, flags);
    });
  withServerOptions(
    server
      .command('labels')
      .summary('write what people said about runs to a folder')
      .description(
        'Writes the runs whose verdicts people confirmed or corrected to a folder, with their files and a labels.json. This is data for grus bench training --data.',
      )
      .argument('<folder>', 'where to')
      .option('--json', 'answer in JSON on stdout'),
  )
    .addHelpText('before', 'Examples:\n  grus server labels ./labelled --project vision\n')
    .addHelpText('after', '\nExit code: 0 they are written, 2 Grus could not do its work.')
    .action(async (folder: string, flags: LabelFlags) => {
      const { bringLabels } = await import('../jobs/server.js');
      await bringLabels(folder, flags);
    });
  withStoreOptions(
    server
      .command('backup')
      .summary('back up everything to a folder')
      .description(
        'Writes all runs, verdicts, tokens and files into a folder. A PostgreSQL may be in use during the backup. With the embedded ' +
          'database, stop the server first. A second backup to the same folder copies only new files.',
      )
      .argument('<folder>', 'where to; it holds the digests of tokens and all logs, so keep it safe'),
  )
    .addHelpText('before', 'Examples:\n  grus server backup /backups/grus\n')
    .addHelpText('after', '\nExit code: 0 it is written, 2 Grus could not do its work.')
    .action(async (folder: string, _flags: StoreOptions, command: Command) => {
      const { backUp } = await import('../jobs/server.js');
      await backUp(folder, command.optsWithGlobals());
    });
  withStoreOptions(
    server
      .command('restore')
      .summary('restore a backup')
      .description(
        'Restores a backup into an empty place. The database may be of the same kind or the other one, so a team can ' +
          'move from the embedded database to a PostgreSQL. Runs that were waiting are diagnosed.',
      )
      .argument('<folder>', 'a folder that grus server backup wrote'),
  )
    .addHelpText(
      'before',
      'Examples:\n  grus server restore /backups/grus --database postgres://grus@db/grus\n',
    )
    .addHelpText('after', '\nExit code: 0 it is restored, 2 Grus could not do its work.')
    .action(async (folder: string, _flags: StoreOptions, command: Command) => {
      const { bringBack } = await import('../jobs/server.js');
      await bringBack(folder, command.optsWithGlobals());
    });
}
