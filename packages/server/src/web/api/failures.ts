// Failures together over the API: what fails how often and where, and what comes again.
import { createRoute, z } from '@hono/zod-openapi';
import { note } from '../../store/audit.js';
import { countCauses, groupingNames } from '../../store/causes.js';
import { listProjects } from '../../store/projects.js';
import { decideRecurrence, listRecurrences } from '../../store/recurrences.js';
import { projectFor } from '../auth.js';
import type { Parts, Routes } from '../context.js';
import { answers, decision, inProject } from './shapes.js';

const count = z.object({
  place: z.string(),
  category: z.string(),
  subcause: z.string(),
  runs: z.number(),
  weeks: z.array(z.number()).openapi({ description: 'runs of each week, the oldest first' }),
  gpu_hours: z.number().nullable(),
});

const recurrence = z.object({
  fingerprint: z.string(),
  subcause: z.string(),
  headline: z.string(),
  runs: z.number(),
  nodes: z.number(),
  first_seen: z.string(),
  last_seen: z.string(),
  gpu_hours: z.number().nullable(),
  muted: z.boolean(),
  assignee: z.string().nullable(),
});

export function failureRoutes(routes: Routes, parts: Parts): void {
  const { database } = parts;
  const query = z.object({ by: z.enum(groupingNames).default('day') });
  const counted = answers(z.object({ causes: z.array(count) }), 'the latest or last first');

  routes.openapi(
    createRoute({
      method: 'get',
      path: '/causes',
      summary: 'How often each cause came in the last thirteen weeks in all projects that the token sees',
      request: { query },
      responses: counted,
    }),
    async (context) => {
      const projects = await listProjects(database, context.get('bearer'));
      const causes = await countCauses(database, projects, context.req.valid('query').by);
      return context.json({ causes }, 200);
    },
  );

  routes.openapi(
    createRoute({
      method: 'get',
      path: '/projects/{project}/causes',
      summary: 'How often each cause came in the last thirteen weeks, and where',
      request: { params: inProject, query },
      responses: counted,
    }),
    async (context) => {
      const { project: name } = context.req.valid('param');
      const project = await projectFor(parts, context.get('bearer'), name, 'read');
      const causes = await countCauses(database, [project], context.req.valid('query').by);
      return context.json({ causes }, 200);
    },
  );

  routes.openapi(
    createRoute({
      method: 'get',
      path: '/projects/{project}/recurrences',
      summary: 'Failures that are the same, as one entry each',
      request: { params: inProject },
      responses: answers(z.object({ recurrences: z.array(recurrence) }), 'the latest first'),
    }),
    async (context) => {
      const { project: name } = context.req.valid('param');
      const project = await projectFor(parts, context.get('bearer'), name, 'read');
      const rows = await listRecurrences(database, project.id);
      const recurrences = rows.map((row) => ({
        ...row,
        first_seen: row.first_seen.toISOString(),
        last_seen: row.last_seen.toISOString(),
      }));
      return context.json({ recurrences }, 200);
    },
  );

  routes.openapi(
    createRoute({
      method: 'put',
      path: '/projects/{project}/recurrences/{fingerprint}',
      summary: 'Mute a failure, or say who looks after it',
      request: {
        params: inProject.extend({ fingerprint: z.string().regex(/^[0-9a-f]{16}$/) }),
        body: { content: { 'application/json': { schema: decision } }, required: true },
      },
      responses: answers(decision, 'kept'),
    }),
    async (context) => {
      const bearer = context.get('bearer');
      const { project: name, fingerprint } = context.req.valid('param');
      const project = await projectFor(parts, bearer, name, 'write');
      const wanted = context.req.valid('json');
      await decideRecurrence(database, project.id, fingerprint, wanted);
      const action = wanted.muted ? 'failure muted' : 'failure assigned';
      await note(database, bearer, { project: project.id, action, subject: fingerprint });
      return context.json(wanted, 200);
    },
  );
}
