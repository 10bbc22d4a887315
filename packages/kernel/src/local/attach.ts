// Attaches to a running local kernel by its connection file.
import { KernelClient } from '../client/client.js';
import { KernelTimeoutError, KernelUnavailableError, seconds } from '../errors.js';
import type { Kernel } from '../kernel.js';
import { AttachedTransport } from './attached.js';
import { reachableHost, readConnectionFile } from './connection-file.js';
import { isListening } from './ports.js';

export interface AttachOptions {
  /** Milliseconds until the kernel must answer. Default 10 000. */
  readonly timeout?: number;
}

/** The kernel is never ended or restarted by us, and forgets us when we let go. */
export async function attachKernel(connectionFile: string, options: AttachOptions = {}): Promise<Kernel> {
  const timeout = options.timeout ?? 10_000;
  const connection = await readConnectionFile(connectionFile);
  const host = reachableHost(connection);
  if (connection.transport === 'tcp' && !(await isListening(host, connection.shell_port, timeout))) {
    throw new KernelUnavailableError(
      `The kernel of ${connectionFile} is not running: nothing listens on ${host}:${connection.shell_port}`,
      { advice: 'Start the kernel again and give its new connection file.' },
    );
  }
  const transport = new AttachedTransport(connectionFile, connection);
  try {
    return await KernelClient.connect(transport, timeout);
  } catch (error) {
    if (!(error instanceof KernelTimeoutError)) {
      throw error;
    }
    throw transport.beats
      ? new KernelUnavailableError(`The kernel of ${connectionFile} is alive but ignores our messages`, {
          advice: "The key in the file is probably not the kernel's: give its current connection file.",
          cause: error,
        })
      : new KernelUnavailableError(
          `What listens on the ports of ${connectionFile} did not answer as a kernel within ${seconds(timeout)}`,
          {
            advice: 'The kernel is probably dead: start it again and give its new connection file.',
            cause: error,
          },
        );
  }
}
