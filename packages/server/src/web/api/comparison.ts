// Comparison over the API: what differs between runs of a project, and which difference best explains how they ended.
import type { RunComparison } from '@grus/training';
import { createRoute, z } from '@hono/zod-openapi';
import { type ComparedRow, runsToCompare } from '../../store/runs.js';
import { projectFor } from '../auth.js';
import type { Parts, Routes } from '../context.js';
import { notFound, Problem } from '../problem.js';
import { answers, inProject } from './shapes.js';

const mostRuns = 10;

export interface ComparedRuns {
  /** The one that the others are compared with. */
  readonly first: ComparedRow;
  readonly others: readonly { readonly run: ComparedRow; readonly comparison: RunComparison }[];
}

interface Chosen {
  readonly ids: readonly string[];
  readonly with?: string | undefined;
}

/** For the API and the page. */
export async function compareFor(
  { database, comparer }: Parts,
  project: string,
  chosen: Chosen,
): Promise<ComparedRuns> {
  const ids = [...new Set([...chosen.ids, ...(chosen.with === undefined ? [] : [chosen.with])])];
  if (ids.length < 2 || ids.length > mostRuns)
    throw new Problem(400, `${ids.length} runs were chosen`, `Choose between 2 and ${mostRuns}.`);
  const found = await runsToCompare(database, project, ids);
  if (found.length < ids.length) throw notFound('run');
  const first = found.find(({ id }) => id === chosen.with) ?? found[0]!;
  const others = found.filter((run) => run !== first);
  const answer = await comparer.compare(project, [first, ...others]);
  if (answer.kind === 'busy')
    throw new Problem(503, 'too many comparisons wait already', 'Try again in a moment.');
  if (answer.kind !== 'done')
    throw new Problem(422, `they were not compared: ${answer.reason}`, 'Choose other runs.');
  return { first, others: others.map((run, at) => ({ run, comparison: answer.result[at]! })) };
}

const oneOrMore = z.union([z.string(), z.array(z.string())]);

export function comparisonRoutes(routes: Routes, parts: Parts): void {
  routes.openapi(
    createRoute({
      method: 'get',
      path: '/projects/{project}/compare',
      summary: 'What differs between runs, and which difference best explains how they ended',
      request: {
        params: inProject,
        query: z.object({
          run: oneOrMore.openapi({ description: 'ids, each as a parameter of its own' }),
          with: z.string().optional().openapi({
            description: 'the one to compare with; else the one that ended best, or the oldest of these',
          }),
        }),
      },
      responses: answers(
        z.object({
          with: z.string(),
          comparisons: z.array(z.object({ id: z.string() }).loose()).openapi({
            description: 'of each other run, as grus compare --json',
          }),
        }),
        'compared',
      ),
    }),
    async (context) => {
      const { project: name } = context.req.valid('param');
      const project = await projectFor(parts, context.get('bearer'), name, 'read');
      const { run, with: reference } = context.req.valid('query');
      const { first, others } = await compareFor(parts, project.id, { ids: [run].flat(), with: reference });
      const comparisons = others.map(({ run: { id }, comparison }) => ({ id, ...comparison }));
      return context.json({ with: first.id, comparisons } as never, 200);
    },
  );
}
