// The tools about training runs below the folder that Grus was started in: why one failed, and how one that goes on stands.
import { realpath } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { GrusError } from '@grus/core';
import type { ServerAddress } from '@grus/server/client';
import { lookOnce, type RunComparison } from '@grus/training';
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { compareAll } from '../jobs/compare-runs.js';
import { diagnoseAll } from '../jobs/diagnose.js';
import { answer, answerSchema, detail, guarded } from './answer.js';
import { comparisonOf, isRunId, verdictOf } from './team.js';

const hints = { readOnlyHint: true, idempotentHint: true, destructiveHint: false, openWorldHint: false };

/** `team`: the server whose runs may be named by their ids. */
export function registerRuns(server: McpServer, team: ServerAddress | null): void {
  const path = z
    .string()
    .min(1)
    .max(4_000)
    .describe(
      team === null ? 'A folder or a file.' : "A folder or a file, or the id of a run of the team's server.",
    );
  server.registerTool(
    'diagnose_run',
    {
      title: 'Why is this training run failing?',
      description:
        'Reads a run directory or log file below the folder that Grus was started in, and says why the run failed, with evidence and remedies.',
      inputSchema: z.object({ path, detail }),
      outputSchema: answerSchema,
      annotations: hints,
    },
    guarded(async ({ path: given, detail: wanted }) => {
      const runs =
        team !== null && isRunId(given)
          ? [await verdictOf(team, given)]
          : await diagnoseAll(await inside(given));
      const bad = runs.filter(({ outcome }) => outcome === 'failed' || outcome === 'degraded').length;
      const told = `${bad} of ${runs.length} runs failed or are degraded.`;
      const data = runs.map(
        ({ path: run, outcome, category, subcause, confidence, onset_step, evidence, remedies }) => {
          return { path: run, outcome, category, subcause, confidence, onset_step, evidence, remedies };
        },
      );
      return answer(told, { runs: data }, wanted);
    }),
  );

  server.registerTool(
    'compare_runs',
    {
      title: 'Why did this run do worse than that one?',
      description:
        'Compares two training runs below the folder that Grus was started in: settings, data, libraries and machines, and which difference best explains that they ended differently. Give the run that worked first.',
      inputSchema: z.object({ before: path, after: path, detail }),
      outputSchema: answerSchema,
      annotations: hints,
    },
    guarded(async ({ before, after, detail: wanted }) => {
      const comparison = await compared(before, after, team);
      const { endings, explanation } = comparison;
      const told =
        endings === 'shorter'
          ? 'One trained less and is where the other was at that time: neither did worse.'
          : endings !== 'apart'
            ? 'Neither did clearly worse: there is nothing to explain.'
            : explanation === null
              ? 'They ended differently, and nothing that they record explains it.'
              : 'They ended differently; the explanation is in the data.';
      return answer(told, { ...comparison }, wanted);
    }),
  );

  server.registerTool(
    'watch_status',
    {
      title: 'How does this run stand?',
      description:
        'Looks once at a training run that goes on, below the folder that Grus was started in: its last step, when it last moved, its newest metrics, and what warns of a failure to come.',
      inputSchema: z.object({ path, detail }),
      outputSchema: answerSchema,
      annotations: hints,
    },
    guarded(async ({ path: given, detail: wanted }) => {
      const { lastStep, quietMs, metrics, warnings } = await lookOnce(await inside(given));
      const told =
        warnings.length === 0
          ? 'Nothing warns. That is no proof of health: diagnose_run says what the run has shown so far.'
          : `${warnings.length} warnings.`;
      return answer(
        told,
        {
          last_step: lastStep,
          quiet_seconds: quietMs === null ? null : Math.round(quietMs / 1000),
          warnings: warnings.map(({ warning, title, step, subcause, evidence }) => {
            return { warning, title, step, subcause, evidence };
          }),
          metrics,
        },
        wanted,
      );
    }),
  );
}

async function compared(before: string, after: string, team: ServerAddress | null): Promise<RunComparison> {
  if (team !== null && isRunId(before) && isRunId(after)) return comparisonOf(team, before, after);
  const [comparison] = await compareAll(await inside(before), [await inside(after)]);
  return comparison!;
}

/** A path below the folder that Grus was started in, links followed. */
async function inside(path: string): Promise<string> {
  const root = await realpath(process.cwd());
  const wanted = await realpath(resolve(root, path)).catch(() => null);
  const below = wanted !== null && !relative(root, wanted).startsWith('..');
  if (below) return wanted;
  throw new GrusError('the path is not below the folder that Grus was started in', {
    advice: 'Give a path of a run that is there, or start Grus in another folder.',
  });
}
