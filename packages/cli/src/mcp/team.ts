// The runs of a team's server for agents: a list of them, and what the server says of those that are named by their ids.
import { GrusError } from '@grus/core';
import { request, type ServerAddress } from '@grus/server/client';
import type { Diagnosis, RunComparison } from '@grus/training';
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { answer, answerSchema, detail, guarded } from './answer.js';

interface ListedRun {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly running: boolean;
  readonly updated: string;
  readonly outcome: string | null;
  readonly subcause: string | null;
  readonly headline: string | null;
}

const hints = { readOnlyHint: true, idempotentHint: true, destructiveHint: false, openWorldHint: false };
const word = z.string().min(1).max(200).optional();

export function registerTeam(server: McpServer, team: ServerAddress): void {
  server.registerTool(
    'list_runs',
    {
      title: 'Which runs does the team have?',
      description:
        "Lists runs of the team's server, the latest first, with what was found of each. Their ids go into diagnose_run and compare_runs.",
      inputSchema: z.object({
        outcome: z.enum(['failed', 'degraded', 'healthy', 'unknown']).optional(),
        subcause: word.describe('As diagnose_run names it.'),
        node: word,
        person: word,
        words: word.describe('Looked up in names and evidence.'),
        most: z.number().int().min(1).max(100).default(10),
        detail,
      }),
      outputSchema: answerSchema,
      annotations: hints,
    },
    guarded(async ({ words, most, detail: wanted, ...filter }) => {
      const query = new URLSearchParams({ limit: String(most) });
      for (const [name, value] of Object.entries({ ...filter, q: words }))
        if (value !== undefined) query.set(name, value);
      const { runs } = await request<{ runs: readonly ListedRun[] }>(team, `${below(team)}/runs?${query}`);
      const data = runs.map(({ id, name, state, running, updated, outcome, subcause, headline }) => {
        return { id, name, state, running, updated, outcome, subcause, headline };
      });
      return answer(`${runs.length} runs, the latest first.`, { runs: data }, wanted);
    }),
  );
}

/** As the lists of a server name a run. */
export function isRunId(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

export async function verdictOf(team: ServerAddress, id: string): Promise<Diagnosis> {
  const { name, verdict, trouble } = await request<{
    readonly name: string;
    readonly verdict: Diagnosis | null;
    readonly trouble: string | null;
  }>(team, `${below(team)}/runs/${id}`);
  if (verdict !== null) return { ...verdict, path: name };
  throw new GrusError(trouble === null ? 'the run waits for its diagnosis' : `it was not read: ${trouble}`, {
    advice: trouble === null ? 'Ask again in a moment.' : 'Choose another run.',
  });
}

export async function comparisonOf(
  team: ServerAddress,
  before: string,
  after: string,
): Promise<RunComparison> {
  const query = new URLSearchParams({ run: after, with: before });
  const { comparisons } = await request<{ comparisons: readonly (RunComparison & { id: string })[] }>(
    team,
    `${below(team)}/compare?${query}`,
  );
  const { id: _, ...comparison } = comparisons[0]!;
  return comparison;
}

function below({ project }: ServerAddress): string {
  return `/projects/${encodeURIComponent(project)}`;
}
