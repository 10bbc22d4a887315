// What can go wrong with a kernel, one class per situation a caller may want to tell apart. Each message is one line
// that says what happened; the advice says what to do.
import { GrusError } from '@grus/core';

/** The kernel could not be started, found or reached. */
export class KernelUnavailableError extends GrusError {
  override readonly name = 'KernelUnavailableError';
}

/** The kernel ended while we were connected to it; every pending request is rejected with this. */
export class KernelDiedError extends GrusError {
  override readonly name = 'KernelDiedError';
}

/** The kernel is running somebody's code and could not be asked within the budget. Nothing was left in its queue. */
export class KernelBusyError extends GrusError {
  override readonly name = 'KernelBusyError';

  constructor(label: string, waitedMs: number, cause?: unknown) {
    super(`${label} is busy: it was still running a cell after ${seconds(waitedMs)}`, {
      advice: 'Wait for the running cell to finish, interrupt it, or allow a longer wait.',
      cause,
    });
  }
}

/** The kernel took a request and did not answer in time. */
export class KernelTimeoutError extends GrusError {
  override readonly name = 'KernelTimeoutError';

  constructor(label: string, messageType: string, waitedMs: number) {
    super(`${label} did not answer ${messageType} within ${seconds(waitedMs)}`, {
      advice: 'Try again with a longer time-out, or restart the kernel.',
    });
  }
}

/** The kernel handled a request without replying: it has no handler for this type of message. */
export class UnknownRequestError extends GrusError {
  override readonly name = 'UnknownRequestError';

  constructor(label: string, messageType: string) {
    super(`${label} has no handler for ${messageType}`, {
      advice: 'Install the handler in the kernel first, or use a kernel that knows this message.',
    });
  }
}

export function seconds(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`;
}
