// Works step after step until it is stopped, and rests a moment when there was nothing to do.
import { setTimeout as wait } from 'node:timers/promises';

export interface RunningWorker {
  /** Finishes what it is at. */
  stop(): Promise<void>;
}

const restMs = 500;

/** `step` says whether there was something to do; `onTrouble` hears what went wrong in one. */
export function keepWorking(
  step: () => Promise<boolean>,
  onTrouble: (text: string) => void,
  end: () => Promise<void> = async () => undefined,
): RunningWorker {
  const stopped = new AbortController();
  const loop = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      const busy = await step().catch((error: unknown) => {
        onTrouble(error instanceof Error ? error.message : String(error));
        return false;
      });
      if (!busy) await wait(restMs, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
    await end();
  };
  const running = loop();
  return {
    stop: () => {
      stopped.abort();
      return running;
    },
  };
}
