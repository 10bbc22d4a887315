// `grus check --fleet`: the workers of a server judge the notebooks, where they see them under the same paths.
import { realpath, stat } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { GrusError } from '@grus/core';
import { digestOfFile, request } from '@grus/server/client';
import type { CheckFlags } from '../options/check.js';
import { addressOf, usualProject } from '../options/server.js';
import { type NotebookReport, problemReport } from './report.js';

interface CheckThere {
  readonly state: 'waiting' | 'judged' | 'unreadable';
  readonly report: NotebookReport | null;
  readonly trouble: string | null;
}

const lookEveryMs = 1_000;
/** Notebooks that are asked for at once; how many are judged at once is the workers' affair. */
export const askedAtOnce = 32;

export function judgeByFleet({ project = usualProject(), rehearse = false }: CheckFlags) {
  const address = addressOf({ project });
  const below = `/projects/${encodeURIComponent(project)}/checks`;
  const ask = async (path: string): Promise<NotebookReport> => {
    const absolute = await realpath(path);
    const { size } = await stat(absolute);
    const notebook = { path: absolute, digest: await digestOfFile({ path, absolute, size }) };
    const { checks } = await request<{ checks: readonly string[] }>(address, below, {
      method: 'POST',
      json: { notebooks: [notebook], rehearse },
    });
    for (;;) {
      const { state, report, trouble } = await request<CheckThere>(address, `${below}/${checks[0]}`);
      if (state === 'judged' && report !== null) return { ...report, path };
      if (state !== 'waiting')
        throw new GrusError(trouble ?? 'it was not judged', {
          advice: 'It must lie below the folder of `grus worker --notebooks`, under the same path.',
        });
      await wait(lookEveryMs);
    }
  };
  return async (path: string): Promise<NotebookReport> => {
    const started = performance.now();
    return ask(path).catch((error: unknown) => problemReport(path, error, performance.now() - started));
  };
}
