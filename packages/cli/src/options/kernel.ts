// The options that say which kernel is meant. Commands share them, so that they mean the same everywhere.
import type { Command } from 'commander';

export interface KernelOptions {
  readonly python?: string;
  readonly kernelName?: string;
  readonly kernel?: string;
  readonly server?: string;
  readonly token?: string;
  readonly kernelId?: string;
}

/** For commands that start a kernel of their own. */
export function withStartOptions(command: Command): Command {
  return command
    .option(
      '--python <path>',
      'start the kernel with this interpreter (it needs ipykernel); also GRUS_PYTHON',
    )
    .option(
      '--kernel-name <name>',
      "start this kernelspec (default: the active environment, that of the notebook's folder, the notebook's own kernel)",
    );
}

/** For commands that can also look at a kernel somebody else started. */
export function withKernelOptions(command: Command): Command {
  return withStartOptions(command)
    .option('--kernel <file>', 'attach to a running kernel by its connection file')
    .option('--server <url>', 'attach to a kernel of this Jupyter server')
    .option('--token <token>', "the server's token; also JUPYTER_TOKEN")
    .option('--kernel-id <id>', 'which kernel of the server');
}
