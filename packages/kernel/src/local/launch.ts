// How a kernel is launched: from a kernelspec, or straight from a Python interpreter that has ipykernel and nothing else.

import { basename, resolve } from 'node:path';
import type { KernelSpec } from './kernelspecs.js';
import type { LaunchCommand } from './process.js';

export interface Launch {
  readonly name: string;
  /** The program that is run, for messages. */
  readonly program: string;
  readonly interruptMode: 'signal' | 'message';
  command(connectionFile: string): LaunchCommand;
}

export interface LaunchOptions {
  /** Working folder of the kernel. Default: that of this process. */
  readonly cwd?: string;
  /** Added to the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

export function launchFromSpec(spec: KernelSpec, options: LaunchOptions): Launch {
  return makeLaunch(spec.name, spec.argv, spec.interruptMode, options, (connectionFile) => ({
    argv: spec.argv.map((part) =>
      part.replaceAll('{connection_file}', connectionFile).replaceAll('{resource_dir}', spec.folder),
    ),
    env: spec.env,
  }));
}

export function launchFromPython(interpreter: string, options: LaunchOptions): Launch {
  // A relative path is relative to us, not to the working folder of the kernel.
  const python = basename(interpreter) === interpreter ? interpreter : resolve(interpreter);
  return makeLaunch('python3', [python], 'signal', options, (connectionFile) => ({
    argv: [python, '-m', 'ipykernel_launcher', '-f', connectionFile],
    env: {},
  }));
}

function makeLaunch(
  name: string,
  argv: readonly string[],
  interruptMode: 'signal' | 'message',
  options: LaunchOptions,
  fill: (connectionFile: string) => { argv: readonly string[]; env: Readonly<Record<string, string>> },
): Launch {
  return {
    name,
    program: argv[0] ?? '',
    interruptMode,
    command: (connectionFile) => {
      const { argv, env } = fill(connectionFile);
      return {
        argv,
        cwd: options.cwd ?? process.cwd(),
        // ipykernel watches this process and ends itself when it is gone, even after a SIGKILL.
        env: { ...process.env, ...env, ...options.env, JPY_PARENT_PID: String(process.pid) },
      };
    },
  };
}
