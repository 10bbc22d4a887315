// Projects, tokens, the audit log and who was told what, over the API.
import { createRoute, z } from '@hono/zod-openapi';
import { isId } from '../../ids.js';
import { events } from '../../notify/facts.js';
import { listAudit, note } from '../../store/audit.js';
import { listNotifications } from '../../store/notifications.js';
import { ensureProject, listProjects } from '../../store/projects.js';
import { createToken, listTokens, revokeToken } from '../../store/tokens.js';
import { demandEverything, projectFor } from '../auth.js';
import type { Parts, Routes } from '../context.js';
import { notFound } from '../problem.js';
import { answers, inProject, newToken, ofId, projectName, token } from './shapes.js';

const mostAudit = 1_000;

const notification = z
  .object({
    channel: z.string(),
    run_id: z.string(),
    event: z.enum(events),
    state: z.enum(['waiting', 'sending', 'sent', 'refused', 'unclear']),
    trouble: z.string().nullable(),
    created: z.string(),
  })
  .openapi('Notification');

export function peopleRoutes(routes: Routes, parts: Parts): void {
  const { database } = parts;

  routes.openapi(
    createRoute({
      method: 'get',
      path: '/projects',
      summary: 'The projects that the token sees',
      responses: answers(z.object({ projects: z.array(z.object({ name: z.string() })) }), 'by name'),
    }),
    async (context) => {
      const projects = await listProjects(database, context.get('bearer'));
      return context.json({ projects: projects.map(({ name }) => ({ name })) }, 200);
    },
  );

  routes.openapi(
    createRoute({
      method: 'post',
      path: '/projects',
      summary: 'Make a project; nothing happens when it is there',
      request: {
        body: {
          content: { 'application/json': { schema: z.object({ name: projectName }) } },
          required: true,
        },
      },
      responses: answers(z.object({ name: z.string() }), 'made'),
    }),
    async (context) => {
      const bearer = context.get('bearer');
      demandEverything(bearer);
      const { name } = context.req.valid('json');
      const project = await ensureProject(database, name);
      await note(database, bearer, { project: project.id, action: 'project made', subject: name });
      return context.json({ name }, 200);
    },
  );

  routes.openapi(
    createRoute({
      method: 'get',
      path: '/projects/{project}/tokens',
      summary: 'The tokens of a project, without the tokens themselves',
      request: { params: inProject },
      responses: answers(z.object({ tokens: z.array(token) }), 'in the order they were made'),
    }),
    async (context) => {
      const { project: name } = context.req.valid('param');
      const project = await projectFor(parts, context.get('bearer'), name, 'admin');
      const tokens = await listTokens(database, project.id);
      return context.json(
        { tokens: tokens.map((row) => ({ ...row, created: row.created.toISOString() })) },
        200,
      );
    },
  );

  routes.openapi(
    createRoute({
      method: 'post',
      path: '/projects/{project}/tokens',
      summary: 'Make a token; this answer is the only place it is ever shown',
      request: {
        params: inProject,
        body: { content: { 'application/json': { schema: newToken } }, required: true },
      },
      responses: answers(z.object({ id: z.string(), token: z.string() }), 'made'),
    }),
    async (context) => {
      const bearer = context.get('bearer');
      const { project: name } = context.req.valid('param');
      const project = await projectFor(parts, bearer, name, 'admin');
      const wanted = context.req.valid('json');
      const made = await createToken(database, { ...wanted, project: project.id });
      const subject = `${wanted.name} (${wanted.role})`;
      await note(database, bearer, { project: project.id, action: 'token made', subject });
      return context.json(made, 200);
    },
  );

  routes.openapi(
    createRoute({
      method: 'delete',
      path: '/projects/{project}/tokens/{id}',
      summary: 'Revoke a token',
      request: { params: ofId },
      responses: answers(z.object({ revoked: z.boolean() }), 'revoked'),
    }),
    async (context) => {
      const bearer = context.get('bearer');
      const { project: name, id } = context.req.valid('param');
      const project = await projectFor(parts, bearer, name, 'admin');
      const known = isId(id) && (await revokeToken(database, project.id, id));
      if (!known) throw notFound('token');
      await note(database, bearer, { project: project.id, action: 'token revoked', subject: id });
      return context.json({ revoked: true }, 200);
    },
  );

  routes.openapi(
    createRoute({
      method: 'get',
      path: '/projects/{project}/audit',
      summary: 'Who did what, the latest first',
      request: { params: inProject },
      responses: answers(
        z.object({
          audit: z.array(
            z.object({ at: z.string(), token: z.string(), action: z.string(), subject: z.string() }),
          ),
        }),
        'at most a thousand lines',
      ),
    }),
    async (context) => {
      const { project: name } = context.req.valid('param');
      const project = await projectFor(parts, context.get('bearer'), name, 'admin');
      const rows = await listAudit(database, project.id, mostAudit);
      return context.json({ audit: rows.map((row) => ({ ...row, at: row.at.toISOString() })) }, 200);
    },
  );

  routes.openapi(
    createRoute({
      method: 'get',
      path: '/projects/{project}/notifications',
      summary: 'Who was told of which run, and what came of it, the latest first',
      request: { params: inProject },
      responses: answers(z.object({ notifications: z.array(notification) }), 'at most five hundred'),
    }),
    async (context) => {
      const { project: name } = context.req.valid('param');
      const project = await projectFor(parts, context.get('bearer'), name, 'admin');
      const rows = await listNotifications(database, project.id);
      const notifications = rows.map((row) => ({ ...row, created: row.created.toISOString() }));
      return context.json({ notifications }, 200);
    },
  );
}
