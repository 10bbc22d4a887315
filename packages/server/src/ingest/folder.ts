// A folder whose entries are runs, or folders of runs: logs of a scheduler, TensorBoard, W&B offline and MLflow folders, whatever `grus diagnose` reads.
import { readdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { type FoundRun, findRuns } from '@grus/training';
import { type IncomingRun, isTooOld, quietMs, type Source } from './define.js';

export function folderSource(project: string, path: string, keepDays?: number): Source {
  const seen = new Map<string, string>();
  return {
    name: path,
    project,
    look: async function* (signal) {
      for (const entry of await readdir(path)) {
        if (signal.aborted) return;
        for (const run of await runsIn(join(path, entry), signal)) {
          const modified = Math.max(0, ...run.files.map((file) => file.modified));
          const incoming = incomingOf(run, modified);
          const state = stateOf(run, incoming);
          if (incoming.files.length === 0 || seen.get(run.path) === state) continue;
          if (isTooOld(modified, keepDays)) continue;
          yield incoming;
          // Only now: where it could not be taken, the next look finds it again.
          seen.set(run.path, state);
        }
      }
    },
  };
}

/** What cannot be read as a run is none: a link to nowhere, an empty notebook. */
async function runsIn(path: string, signal: AbortSignal): Promise<readonly FoundRun[]> {
  const found = await findRuns(path, signal).catch(() => null);
  if (found === null) return [];
  return found.runs.length > 1 ? found.runs : [found.whole];
}

function incomingOf({ path, files }: FoundRun, modified: number): IncomingRun {
  const running = Date.now() - modified < quietMs;
  return { name: `${hostname()}:${resolve(path)}`, files, running, node: null, person: null };
}

function stateOf({ files }: FoundRun, { running }: IncomingRun): string {
  return JSON.stringify([running, files.map(({ path, size, modified }) => [path, size, modified])]);
}
