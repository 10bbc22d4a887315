// grus worker: diagnoses for a server elsewhere.
import type { Command } from 'commander';
import type { WorkerFlags } from '../jobs/server.js';
import { withWorkOptions } from '../options/work.js';

export function registerWorker(program: Command): void {
  withWorkOptions(
    program
      .command('worker')
      .summary('diagnose runs for a server elsewhere')
      .description(
        'Takes diagnoses from the queue of a server and does them. It stores nothing: you can stop or kill it at any moment, ' +
          'and another worker takes over its job. It needs the database of the server and the folder of its files (a shared disk).',
      ),
  )
    .addHelpText(
      'before',
      `Examples:
  grus worker --database postgres://grus@db/grus --data /shared/grus
  grus worker --workers 4                              four at the same time, with GRUS_DATABASE and GRUS_DATA set
`,
    )
    .addHelpText('after', '\nExit code: 0 it was stopped, 2 Grus could not do its work.')
    .action(async (flags: WorkerFlags) => {
      const { runWorkers } = await import('../jobs/server.js');
      await runWorkers(flags);
    });
}
