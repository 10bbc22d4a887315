// grus compare: what differs between runs, and which difference explains that they ended differently?
import type { Command } from 'commander';

export function registerCompare(program: Command): void {
  program
    .command('compare')
    .summary('say what differs between training runs, and why one did worse')
    .description(
      'Compares runs with the first one: settings, data, libraries and machines as far as their files record them. If they ended ' +
        'differently, it says which difference explains it best. Seeds, names and paths are never an explanation.',
    )
    .argument('<run>', 'the run to compare with: the one that worked, or the older one')
    .argument('<other...>', 'one or more other runs: directories or log files')
    .option('--json', 'answer in JSON on stdout')
    .addHelpText(
      'before',
      `Examples:
  grus compare runs/exp-16 runs/exp-17             why did 17 do worse than 16?
  grus compare runs/best runs/exp-18 runs/exp-19   each of the others, compared with the best
  grus compare old.log new.log --json              for a script
`,
    )
    .addHelpText('after', '\nExit code: 0 compared, 2 Grus could not do its work.')
    .action(async (run: string, others: string[], flags: { readonly json?: boolean }) => {
      const { compareWith } = await import('../jobs/compare-runs.js');
      process.exitCode = await compareWith(run, others, flags);
    });
}
