// Feedback over the API: what a run really had, and everything that was said, with the files that it was said of.
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { subcauses } from '@grus/training';
import { createRoute, z } from '@hono/zod-openapi';
import { digestPattern, manifestFile } from '../../artefacts/manifest.js';
import { note } from '../../store/audit.js';
import { keepFeedback, labelledRuns, type Said } from '../../store/feedback.js';
import type { Bearer } from '../../store/tokens.js';
import { projectFor } from '../auth.js';
import type { Parts, Routes } from '../context.js';
import { notFound, Problem } from '../problem.js';
import { answers, inProject, ofId } from './shapes.js';

export const said = z.enum(['right', 'healthy', ...subcauses] as [Said, ...Said[]]);

const label = z
  .object({
    id: z.string(),
    name: z.string(),
    category: z.string(),
    subcause: z.string().nullable(),
    said_by: z.string(),
    said: z.string(),
    files: z.array(manifestFile),
  })
  .openapi('Label');

/** For the API and the page. */
export async function takeFeedback(
  { database }: Parts,
  bearer: Bearer,
  project: string,
  { id, word }: { readonly id: string; readonly word: Said },
): Promise<void> {
  const kept = await keepFeedback(database, project, id, { said: word, by: bearer.name });
  if (kept === 'no-run') throw notFound('run');
  if (kept === 'no-verdict')
    throw new Problem(409, 'the verdict names no cause, so it cannot be right', 'Say what it was instead.');
  await note(database, bearer, { project, action: 'feedback', subject: id });
}

export function feedbackRoutes(routes: Routes, parts: Parts): void {
  const { database, artefacts } = parts;

  routes.openapi(
    createRoute({
      method: 'put',
      path: '/projects/{project}/runs/{id}/feedback',
      summary: 'Say that the verdict of a run was right, or what it was',
      request: {
        params: ofId,
        body: { content: { 'application/json': { schema: z.object({ said }) } }, required: true },
      },
      responses: answers(z.object({ kept: z.boolean() }), 'kept'),
    }),
    async (context) => {
      const bearer = context.get('bearer');
      const { project: name, id } = context.req.valid('param');
      const project = await projectFor(parts, bearer, name, 'write');
      await takeFeedback(parts, bearer, project.id, { id, word: context.req.valid('json').said });
      return context.json({ kept: true }, 200);
    },
  );

  routes.openapi(
    createRoute({
      method: 'get',
      path: '/projects/{project}/feedback',
      summary: 'Runs that people said something of, with their files',
      request: { params: inProject, query: z.object({ after: z.uuid().optional() }) },
      responses: answers(z.object({ labels: z.array(label) }), 'by id; ask again after the last'),
    }),
    async (context) => {
      const { project: name } = context.req.valid('param');
      const project = await projectFor(parts, context.get('bearer'), name, 'read');
      const rows = await labelledRuns(database, project.id, context.req.valid('query').after);
      return context.json(
        { labels: rows.map((row) => ({ ...row, said: row.said.toISOString() })) } as never,
        200,
      );
    },
  );

  routes.get('/projects/:project/files/:digest', async (context) => {
    const project = await projectFor(parts, context.get('bearer'), context.req.param('project'), 'read');
    const digest = context.req.param('digest');
    if (!digestPattern.test(digest) || (await artefacts.sizeOf(project.id, digest)) === null)
      throw notFound('file');
    const bytes = Readable.toWeb(createReadStream(await artefacts.local(project.id, digest)));
    return context.body(bytes as ReadableStream, 200, { 'Content-Type': 'application/octet-stream' });
  });
}
