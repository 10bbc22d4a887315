// Runs over the API: files by their digest, then the run that names them; lists; one with its verdict.
import { Readable } from 'node:stream';
import { createRoute, z } from '@hono/zod-openapi';
import { digestPattern } from '../../artefacts/manifest.js';
import { announceWarnings } from '../../store/notifications.js';
import { filters, findRun, listRuns, placeOf } from '../../store/runs.js';
import { submit } from '../../store/submit.js';
import { keepWarnings, warningsOf } from '../../store/warnings.js';
import { projectFor } from '../auth.js';
import type { Parts, Routes } from '../context.js';
import { notFound, Problem } from '../problem.js';
import { answers, inProject, newRun, ofId, pushed, run, warning, wholeRun } from './shapes.js';

const filterQuery = z.object({
  ...Object.fromEntries(filters.map((name) => [name, z.string().optional()])),
  q: z.string().max(500).optional(),
  after: z
    .string()
    .max(200)
    .refine((text) => placeOf(text) !== null, { error: 'no list ended there' })
    .optional(),
  limit: z.coerce.number().int().min(1).max(500).default(50),
});

export function runRoutes(routes: Routes, parts: Parts): void {
  const { database, artefacts, limits } = parts;

  routes.openapi(
    createRoute({
      method: 'put',
      path: '/projects/{project}/files/{digest}',
      summary: 'Send one file; its name is the SHA-256 of its bytes',
      request: {
        params: inProject.extend({ digest: z.string().regex(digestPattern) }),
        query: z.object({
          after: z.string().regex(digestPattern).optional().openapi({
            description: 'a file that is there and is the beginning of this one: only what follows is sent',
          }),
        }),
      },
      responses: answers(z.object({ kept: z.boolean() }), 'kept'),
    }),
    async (context) => {
      const { project: name, digest } = context.req.valid('param');
      const project = await projectFor(parts, context.get('bearer'), name, 'write');
      const tooLarge = new Problem(
        413,
        `a file may have ${limits.file} bytes`,
        'Leave it out, or start the server with a larger --most-file.',
      );
      if (Number(context.req.header('content-length') ?? 0) > limits.file) throw tooLarge;
      const { body } = context.req.raw;
      const bytes = body === null ? Readable.from([]) : Readable.fromWeb(body as never);
      const { after } = context.req.valid('query');
      const refused = await artefacts.keep(project.id, digest, bytes, { limit: limits.file, after });
      if (refused === 'too-large') throw tooLarge;
      if (refused === 'no-beginning') throw notFound('file');
      if (refused === 'other-digest')
        throw new Problem(
          422,
          'the bytes are not those of the digest',
          'The file changed on its way: send it again.',
        );
      return context.json({ kept: true }, 200);
    },
  );

  routes.openapi(
    createRoute({
      method: 'post',
      path: '/projects/{project}/runs',
      summary: 'Add a run, or new files of one; asks for the files that are missing',
      request: {
        params: inProject,
        body: { content: { 'application/json': { schema: newRun } }, required: true },
      },
      responses: answers(pushed, 'taken, or incomplete'),
    }),
    async (context) => {
      const bearer = context.get('bearer');
      const project = await projectFor(parts, bearer, context.req.valid('param').project, 'write');
      const submission = context.req.valid('json');
      checkSizes(submission.files, parts);
      const { id, status, missing } = await submit(parts, bearer, project.id, submission);
      if (status === 'other-size')
        throw new Problem(
          422,
          'a file is not as long as the run says',
          'It may have changed: push it again.',
        );
      return context.json({ id, status, missing: [...missing] }, 200);
    },
  );

  routes.openapi(
    createRoute({
      method: 'get',
      path: '/projects/{project}/runs',
      summary: 'Runs, the latest first',
      request: { params: inProject, query: filterQuery },
      responses: answers(z.object({ runs: z.array(run), next: z.string().nullable() }), 'one page'),
    }),
    async (context) => {
      const project = await projectFor(
        parts,
        context.get('bearer'),
        context.req.valid('param').project,
        'read',
      );
      const { limit, ...filter } = context.req.valid('query');
      const { runs, next } = await listRuns(database, project.id, filter, limit);
      return context.json({ runs: runs.map(dated), next } as never, 200);
    },
  );

  routes.openapi(
    createRoute({
      method: 'get',
      path: '/projects/{project}/runs/{id}',
      summary: 'One run with its verdict',
      request: { params: ofId },
      responses: answers(wholeRun, 'the run'),
    }),
    async (context) => {
      const { project: name, id } = context.req.valid('param');
      const project = await projectFor(parts, context.get('bearer'), name, 'read');
      const found = await findRun(database, project.id, id);
      if (found === null) throw notFound('run');
      const { shown: _, ...whole } = found;
      const warnings = await warningsOf(database, found.id);
      return context.json({ ...dated(whole), warnings } as never, 200);
    },
  );

  routes.openapi(
    createRoute({
      method: 'post',
      path: '/projects/{project}/runs/{id}/warnings',
      summary: 'Add warnings of a run that goes on; one that is there is not added again',
      request: {
        params: ofId,
        body: {
          content: { 'application/json': { schema: z.object({ warnings: z.array(warning).max(500) }) } },
          required: true,
        },
      },
      responses: answers(z.object({ added: z.number() }), 'kept'),
    }),
    async (context) => {
      const { project: name, id } = context.req.valid('param');
      const project = await projectFor(parts, context.get('bearer'), name, 'write');
      const { warnings } = context.req.valid('json');
      const added = await database.transaction(async (connection) => {
        const kept = await keepWarnings(connection, project.id, id, warnings);
        await announceWarnings(connection, parts.queue.notifications, id, kept ?? []);
        return kept;
      });
      if (added === null) throw notFound('run');
      return context.json({ added: added.length }, 200);
    },
  );
}

function dated<Row extends { created: Date; updated: Date }>(row: Row) {
  return { ...row, created: row.created.toISOString(), updated: row.updated.toISOString() };
}

function checkSizes(files: readonly { readonly size: number }[], { limits }: Parts): void {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes > limits.run)
    throw new Problem(
      413,
      `the files of a run may have ${limits.run} bytes together`,
      'Leave some out, or start the server with a larger --most-run.',
    );
}
