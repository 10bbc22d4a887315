// grus watch: follows a training run, or starts it, warns early, and diagnoses it at the end.
import type { Command } from 'commander';
import type { WatchFlags } from '../jobs/watch.js';
import { withOptionalServer } from '../options/server.js';
import { secondsOption } from '../options/values.js';

export function registerWatch(program: Command): void {
  withOptionalServer(
    program
      .command('watch')
      .summary('follow a training run, or start it, and warn early')
      .description(
        'Follows a run directory, or starts a command and saves what it prints. Warns on stderr when a failure is on its way ' +
          '(exploding gradients, growing memory, divergence, NaN, a falling loss scale, slowdown, a hang, a full disk), and ' +
          'diagnoses the run when it is over. The command keeps its input, output and terminal.',
      )
      .usage('[options] [dir] [-- command...]')
      .argument('[operands...]', 'the run directory, then -- and the command to start'),
    'send the run to this Grus server while it goes on',
  )
    .option('--stop-on <causes>', 'stop the command on these warnings (ids, sub-causes, categories, or any)')
    .option(
      '--notify <command>',
      'run this shell command for every warning; it gets the warning as JSON on stdin',
    )
    .option(
      '--idle <seconds>',
      'without a command: stop following when nothing has changed for this long',
      secondsOption('--idle'),
    )
    .option(
      '--name <name>',
      'with --server: what the server calls the run (default: this machine and the path)',
    )
    .option(
      '--every <seconds>',
      'with --server: seconds between updates (default: 10)',
      secondsOption('--every'),
    )
    .option('--keep-exit-code', "exit with the command's own code instead of 0 or 1")
    .option(
      '--json',
      "answer in JSON on stdout at the end, warnings included; the command's stdout goes to stderr",
    )
    .addHelpText(
      'before',
      `Examples:
  grus watch runs/exp-17                              follow what another process writes, until it ends or Ctrl-C
  grus watch runs/exp-17 -- python train.py           start, record into runs/exp-17, warn, diagnose
  grus watch -- torchrun --nproc-per-node 8 train.py  the same, recorded into a new folder under grus-runs/
  grus watch --stop-on non-finite,memory-growth runs/a -- python train.py
  grus watch --notify 'curl -s -d @- https://example.org/hook' -- python train.py
  grus watch --json -- python train.py | jq .warnings
  grus watch --server http://grus:4750 runs/a -- python train.py   its page on the server is updated while it runs
`,
    )
    .addHelpText(
      'after',
      `
Warnings: non-finite, gradient-growth, loss-rise, loss-scale-fall, memory-growth, host-memory-growth, disk-filling,
slowdown, hang, detected. Details: docs/watch.md. It sees more with the hooks: docs/hooks.md.

Exit code: 0 no failure was found, 1 a failure was diagnosed or the command failed, 2 Grus could not do its work.`,
    )
    .action(async (operands: string[], flags: WatchFlags) => {
      const { watch } = await import('../jobs/watch.js');
      process.exitCode = await watch(splitOperands(operands), flags);
    });
}

/** Commander removes the "--": what stood behind it is the end of the operands. */
function splitOperands(operands: readonly string[]): { paths: string[]; argv: string[] } {
  const cut = process.argv.indexOf('--');
  const count = cut < 0 ? 0 : process.argv.length - cut - 1;
  const border = operands.length - count;
  return { paths: operands.slice(0, border), argv: operands.slice(border) };
}
