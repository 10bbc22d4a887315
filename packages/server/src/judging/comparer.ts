// Comparisons for whoever asks: one at a time in a bounded thread, never in the thread that answers requests. The same files give the same
// comparison, so that the last ones are kept.
import type { RunComparison } from '@grus/training';
import { type ArtefactStore, placesOf } from '../artefacts/files.js';
import type { ManifestFile } from '../artefacts/manifest.js';
import { type Bounds, boundedThread } from './bounded-thread.js';
import type { RunFiles } from './judge.js';
import type { Answer } from './thread.js';

export interface ComparableRun {
  readonly id: string;
  readonly name: string;
  readonly digest: string;
  readonly files: readonly ManifestFile[];
}

type Compared = Answer<readonly RunComparison[]> | { readonly kind: 'busy' };

export interface Comparer {
  /** Each of the others beside the first. */
  compare(project: string, runs: readonly ComparableRun[]): Promise<Compared>;
  close(): Promise<void>;
}

const mostKept = 50;
const mostWaiting = 10;

export function openComparer(artefacts: ArtefactStore, bounds: Bounds): Comparer {
  const thread = boundedThread(bounds);
  const kept = new Map<string, Promise<Compared>>();
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let isClosed = false;

  const inTurn = (project: string, runs: readonly ComparableRun[]): Promise<Compared> => {
    waiting++;
    const before = last;
    const answer = before.then(async (): Promise<Compared> => {
      if (isClosed) return { kind: 'busy' };
      const placed: RunFiles[] = [];
      for (const { name, files } of runs)
        placed.push({ name, files: await placesOf(artefacts, project, files) });
      return thread.ask({ kind: 'compare', runs: placed });
    });
    last = answer.finally(() => waiting--).catch(() => undefined);
    return answer;
  };

  return {
    compare: async (project, runs) => {
      const key = [project, ...runs.flatMap(({ id, digest }) => [id, digest])].join(' ');
      const known = kept.get(key);
      if (known !== undefined) return known;
      if (waiting >= mostWaiting) return { kind: 'busy' };
      const answer = inTurn(project, runs);
      kept.set(key, answer);
      if (kept.size > mostKept) kept.delete(kept.keys().next().value!);
      // What broke may go well another time.
      const { kind } = await answer;
      if (kind === 'broken' || kind === 'busy') kept.delete(key);
      return answer;
    },
    close: async () => {
      isClosed = true;
      await thread.close();
      await last;
    },
  };
}
