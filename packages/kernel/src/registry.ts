// Every kernel that must hear of our end: those that we started, so that none outlives us, and those of others in which
// we left something to remove. Told when the process exits, is interrupted or terminated, or when a caller asks for it.

export interface HeldKernel {
  /** At the exit of the process: ends a kernel that we started and removes its files, without waiting for anything. */
  killNow(): void;
  /** Ends a kernel that we started, lets go of any other. */
  close(): Promise<void>;
}

const held = new Set<HeldKernel>();
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const closeBudget = 2_000;
let installed = false;

export function register(kernel: HeldKernel): void {
  expectSignals();
  held.add(kernel);
}

export function unregister(kernel: HeldKernel): void {
  held.delete(kernel);
}

/** Ends every kernel that we started and lets go of all others. Never rejects. */
export async function closeAllKernels(): Promise<void> {
  await Promise.allSettled([...held].map((kernel) => kernel.close()));
}

function killAllNow(): void {
  for (const kernel of held) {
    kernel.killNow();
  }
}

/** Called before a process is started: a signal that came first would end us alone, and the process would live on. */
export function expectSignals(): void {
  if (installed) {
    return;
  }
  installed = true;
  process.on('exit', killAllNow);
  for (const signal of signals) {
    const handler = () => {
      // Another listener means that the program decides itself when to end; its exit still ends the kernels.
      if (process.listenerCount(signal) > 1) {
        return;
      }
      const budget = new Promise((resolve) => setTimeout(resolve, closeBudget));
      void Promise.race([closeAllKernels(), budget]).then(() => {
        killAllNow();
        process.removeListener(signal, handler);
        process.kill(process.pid, signal);
      });
    };
    process.on(signal, handler);
  }
}
