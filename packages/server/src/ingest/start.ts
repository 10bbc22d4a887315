// Looks at every source again and again. One that fails is told once, and looked at again.
import { setTimeout as wait } from 'node:timers/promises';
import { visible } from '@grus/core';
import { ensureProject } from '../store/projects.js';
import type { Limits, StoreParts } from '../web/context.js';
import type { Source, SourceSettings } from './define.js';
import { folderSource } from './folder.js';
import { mlflowSource } from './mlflow.js';
import { s3Source } from './s3.js';
import { takeRun } from './take.js';

export interface IngestSettings {
  readonly sources: readonly SourceSettings[];
  readonly limits: Limits;
  readonly everyMs: number;
  /** What is older is not taken. */
  readonly keepDays?: number | undefined;
  readonly onTrouble: (text: string) => void;
}

export function startIngest(parts: StoreParts, settings: IngestSettings): { stop(): Promise<void> } {
  const stopped = new AbortController();
  const working = settings.sources.map((source) =>
    follow(parts, opened(source, settings), settings, stopped.signal),
  );
  return {
    stop: async () => {
      stopped.abort();
      await Promise.all(working);
    },
  };
}

function opened(source: SourceSettings, settings: IngestSettings): Source {
  const { project } = source;
  if (source.kind === 'folder') return folderSource(project, source.path, settings.keepDays);
  return source.kind === 'mlflow'
    ? mlflowSource(project, source.url, settings.keepDays)
    : s3Source(project, source.bucket, settings);
}

async function follow(
  parts: StoreParts,
  source: Source,
  { limits, everyMs, onTrouble }: IngestSettings,
  signal: AbortSignal,
): Promise<void> {
  let told = '';
  const tell = (text: string): void => {
    if (text !== told && !signal.aborted) onTrouble(`${source.name}: ${visible(text)}`);
    told = text;
  };
  while (!signal.aborted) {
    try {
      const { id } = await ensureProject(parts.database, source.project);
      let trouble = '';
      for await (const run of source.look(signal))
        trouble = (await takeRun(parts, limits, id, run)) ?? trouble;
      if (trouble !== '') tell(trouble);
    } catch (error) {
      tell(error instanceof Error ? error.message : String(error));
    }
    await wait(everyMs, undefined, { signal }).catch(() => undefined);
  }
}
