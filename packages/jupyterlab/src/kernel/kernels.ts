// The kernels of the open notebooks, one per connection. A restarted kernel is a new one: the agent is gone from it.
import { takeSnapshot } from '@grus/kernel';
import { emptyRequest } from '@grus/kernel/snapshot';
import type { Kernel as Lab } from '@jupyterlab/services';
import { LabKernel } from './lab-kernel.js';

/** Checks that went wrong one after the other until a kernel is left alone. */
const patience = 3;

interface Entry {
  readonly kernel: Promise<LabKernel>;
  misses: number;
}

export class Kernels {
  readonly #entries = new WeakMap<Lab.IKernelConnection, Entry>();

  get(connection: Lab.IKernelConnection): Promise<LabKernel> {
    return this.#entry(connection).kernel;
  }

  /** The kernel was restarted, or is to be given another chance. */
  forget(connection: Lab.IKernelConnection): void {
    this.#entries.delete(connection);
  }

  /** Puts the agent into an idle kernel, so that the first check need not wait for it. */
  async equip(connection: Lab.IKernelConnection): Promise<void> {
    const kernel = await this.get(connection);
    if (whyUnsupported(kernel) === null) await takeSnapshot(kernel, emptyRequest, { busyBudget: 5_000 });
  }

  /** Whether so many checks failed in a row that trying again would only cost time. */
  givenUp(connection: Lab.IKernelConnection): boolean {
    return this.#entry(connection).misses >= patience;
  }

  hit(connection: Lab.IKernelConnection): void {
    this.#entry(connection).misses = 0;
  }

  miss(connection: Lab.IKernelConnection): void {
    this.#entry(connection).misses += 1;
  }

  #entry(connection: Lab.IKernelConnection): Entry {
    const known = this.#entries.get(connection);
    if (known) return known;
    const entry = { kernel: LabKernel.of(connection), misses: 0 };
    entry.kernel.catch(() => this.#entries.delete(connection));
    this.#entries.set(connection, entry);
    return entry;
  }
}

/** Why the agent cannot live in a kernel; null when it can. */
export function whyUnsupported({ info }: LabKernel): string | null {
  if (info.language !== 'python') return `the kernel speaks ${info.language}`;
  return info.implementation === 'ipython' ? null : `the kernel is ${info.implementation}, not ipykernel`;
}
