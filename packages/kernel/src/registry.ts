// Every kernel that we started, so that none outlives us: ended when the process exits, is interrupted or terminated,
// or when a caller asks for it. Kernels that we only attached to are not in here.

export interface OwnedKernel {
  /** Ends the kernel at once and removes its files; must not wait for anything. */
  killNow(): void;
  /** Ends it properly. */
  close(): Promise<void>;
}

const owned = new Set<OwnedKernel>();
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const closeBudget = 2_000;
let installed = false;

export function register(kernel: OwnedKernel): void {
  install();
  owned.add(kernel);
}

export function unregister(kernel: OwnedKernel): void {
  owned.delete(kernel);
}

/** Ends every kernel that we started. Never rejects. */
export async function closeAllKernels(): Promise<void> {
  await Promise.allSettled([...owned].map((kernel) => kernel.close()));
}

function killAllNow(): void {
  for (const kernel of owned) {
    kernel.killNow();
  }
}

function install(): void {
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
