// grus mcp: tools for coding agents, over the Model Context Protocol.
import { redactionLevels } from '@grus/core';
import type { Command } from 'commander';
import type { McpFlags } from '../mcp/serve.js';
import { withKernelOptions } from '../options/kernel.js';
import { usualProject } from '../options/server.js';
import { choiceOption, countOption } from '../options/values.js';

export function registerMcp(program: Command): void {
  withKernelOptions(
    program
      .command('mcp')
      .summary('serve tools for coding agents (Model Context Protocol)')
      .description(
        'Serves tools over standard input and output: check_cell, verify_fix, rehearse_cells, try_cell, kernel_state, ' +
          'list_kernels, diagnose_run, compare_runs, watch_status and explain. They run code only in copies. Start it in the folder of the project.',
      )
      .option(
        '--http <port>',
        'serve over HTTP instead, only on this machine (0: any free port); the token is GRUS_MCP_TOKEN, or a random one that is shown',
        countOption('--http', 0),
      )
      .option(
        '--team [url]',
        'also offer the runs of this Grus server (list_runs), with the token in GRUS_TOKEN; without an address, GRUS_SERVER',
      )
      .option('--project <name>', 'the project on that server; also GRUS_PROJECT', usualProject())
      .option('--allow-commit', 'also offer the tool commit, which runs code in the kernel itself')
      .option(
        '--redaction <level>',
        `what kernel_state may show: ${redactionLevels.join(', ')} (default statistics)`,
        choiceOption('--redaction', redactionLevels),
      ),
  )
    .addHelpText(
      'before',
      `Examples:
  grus mcp                                     a new kernel, and those of your Jupyter
  grus mcp --kernel kernel-1.json              the kernel that an editor is connected to
  grus mcp --server http://localhost:8888 --token T
  grus mcp --team http://grus:4750 --project vision   also the runs of a team's server
  grus mcp --http 4100                         over HTTP, for clients that cannot start programs
  claude mcp add grus -- grus mcp              set it up in a client
`,
    )
    .addHelpText(
      'after',
      `
Exit code: 0 the client closed the connection or Grus was stopped, 2 Grus could not do its work.`,
    )
    .action(async (flags: McpFlags) => {
      const { serveMcp } = await import('../mcp/serve.js');
      await serveMcp(flags);
    });
}
