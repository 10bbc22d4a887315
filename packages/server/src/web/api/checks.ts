// Notebooks over the API: asked for by the paths under which workers see them, answered as `grus check` does.
import { createRoute, z } from '@hono/zod-openapi';
import { digestPattern } from '../../artefacts/manifest.js';
import { addChecks, findCheck } from '../../store/checks.js';
import { projectFor } from '../auth.js';
import type { Parts, Routes } from '../context.js';
import { notFound } from '../problem.js';
import { answers, inProject, ofId } from './shapes.js';

const notebook = z.object({
  path: z
    .string()
    .min(1)
    .max(4_096)
    .regex(/^[^\u0000]*$/),
  digest: z.string().regex(digestPattern),
});

const check = z
  .object({
    id: z.string(),
    state: z.enum(['waiting', 'judged', 'unreadable']),
    trouble: z.string().nullable(),
    report: z.unknown().openapi({ description: 'what grus check found' }),
  })
  .openapi('Check');

export function checkRoutes(routes: Routes, parts: Parts): void {
  const { database, queue } = parts;
  routes.openapi(
    createRoute({
      method: 'post',
      path: '/projects/{project}/checks',
      summary: 'Have notebooks judged by workers that see them under these paths',
      request: {
        params: inProject,
        body: {
          content: {
            'application/json': {
              schema: z.object({
                notebooks: z.array(notebook).min(1).max(1_000),
                rehearse: z.boolean().default(false),
              }),
            },
          },
          required: true,
        },
      },
      responses: answers(z.object({ checks: z.array(z.string()) }), 'ids, in the order of the notebooks'),
    }),
    async (context) => {
      const bearer = context.get('bearer');
      const project = await projectFor(parts, bearer, context.req.valid('param').project, 'write');
      const asked = { project: project.id, ...context.req.valid('json') };
      const checks = await addChecks({ database, queue: queue.checks }, bearer, asked);
      return context.json({ checks }, 200);
    },
  );
  routes.openapi(
    createRoute({
      method: 'get',
      path: '/projects/{project}/checks/{id}',
      summary: 'What came of a notebook',
      request: { params: ofId },
      responses: answers(check, 'the check'),
    }),
    async (context) => {
      const { project: name, id } = context.req.valid('param');
      const project = await projectFor(parts, context.get('bearer'), name, 'read');
      const found = await findCheck(database, project.id, id);
      if (found === null) throw notFound('check');
      const { state, trouble, report } = found;
      return context.json({ id, state, trouble, report }, 200);
    },
  );
}
