// The kernels of the open notebooks, one per connection. A restarted kernel is a new one: the agent is gone from it.
import { takeSnapshot } from '@grus/kernel';
import { emptyRequest } from '@grus/kernel/snapshot';
import type { Kernel as Lab } from '@jupyterlab/services';
import { LabKernel } from './lab-kernel.js';
import { Pulse } from './pulse.js';

/** Checks that went wrong one after the other until a kernel is left alone. */
const patience = 3;

interface Entry {
  readonly coming: Promise<LabKernel>;
  kernel: LabKernel | null;
  equipped: Promise<void> | null;
  misses: number;
}

export class Kernels {
  readonly #entries = new WeakMap<Lab.IKernelConnection, Entry>();
  readonly #pulses = new WeakMap<Lab.IKernelConnection, Pulse>();

  get(connection: Lab.IKernelConnection): Promise<LabKernel> {
    return this.#entry(connection).coming;
  }

  /** The kernel if it is known by now: asking it then takes no turn of the event loop. */
  known(connection: Lab.IKernelConnection): LabKernel | null {
    return this.#entry(connection).kernel;
  }

  pulse(connection: Lab.IKernelConnection): Pulse {
    const pulse = this.#pulses.get(connection) ?? new Pulse(connection);
    this.#pulses.set(connection, pulse);
    return pulse;
  }

  /** The kernel was restarted, or is to be given another chance. */
  forget(connection: Lab.IKernelConnection): void {
    this.#entries.delete(connection);
  }

  /** Puts the agent into an idle kernel, once, so that the first check need not wait for it. */
  equip(connection: Lab.IKernelConnection): Promise<void> {
    const entry = this.#entry(connection);
    entry.equipped ??= entry.coming.then(async (kernel) => {
      if (whyUnsupported(kernel) === null) await takeSnapshot(kernel, emptyRequest, { busyBudget: 5_000 });
    });
    // Tried again when the kernel is idle the next time.
    entry.equipped.catch(() => {
      entry.equipped = null;
    });
    return entry.equipped;
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
    const coming = LabKernel.of(connection, this.pulse(connection));
    const entry: Entry = { coming, kernel: null, equipped: null, misses: 0 };
    coming.then(
      (kernel) => {
        entry.kernel = kernel;
      },
      () => this.#entries.delete(connection),
    );
    this.#entries.set(connection, entry);
    return entry;
  }
}

/** Why the agent cannot live in a kernel; null when it can. */
export function whyUnsupported({ info }: LabKernel): string | null {
  if (info.language !== 'python') return `the kernel speaks ${info.language}`;
  return info.implementation === 'ipython' ? null : `the kernel is ${info.implementation}, not ipykernel`;
}
