// Starts a local kernel. It dies with this process, whatever ends this process.

import { GrusError } from '@grus/core';
import { KernelClient } from '../client/client.js';
import type { Kernel } from '../kernel.js';
import { portWasTaken } from './death.js';
import { findKernelSpec } from './kernelspecs.js';
import { type LaunchOptions, launchFromPython, launchFromSpec } from './launch.js';
import { StartedTransport } from './started.js';

export interface StartOptions extends LaunchOptions {
  /** Interpreter to run the kernel with; it needs ipykernel and nothing else. */
  readonly python?: string;
  /** Name of a kernelspec; with `python`, those of that interpreter are looked at first. */
  readonly name?: string;
  /** Milliseconds until the kernel must answer. Default 60 000. */
  readonly timeout?: number;
}

const attempts = 3;

/** With `name` from that kernelspec, with `python` alone straight from the interpreter, otherwise from "python3". */
export async function startKernel(options: StartOptions = {}): Promise<Kernel> {
  const launch =
    options.name === undefined && options.python !== undefined
      ? launchFromPython(options.python, options)
      : launchFromSpec(await findKernelSpec(options.name ?? 'python3', options.python), options);
  for (let attempt = 1; ; attempt += 1) {
    const transport = await StartedTransport.start(launch);
    try {
      const client = await KernelClient.connect(transport, options.timeout ?? 60_000);
      transport.ready();
      return client;
    } catch (error) {
      const lines = GrusError.isInstance(error) && typeof error.cause === 'string' ? [error.cause] : [];
      if (attempt === attempts || !portWasTaken(lines)) {
        throw error;
      }
    }
  }
}
