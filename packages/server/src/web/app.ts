// The web application: the API under /api, what machines ask for (/healthz, /metrics), and the rules that hold for every answer.
import { GrusError } from '@grus/core';
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { compress } from 'hono/compress';
import { allowedOrigins } from '../oidc/issuer.js';
import { checkRoutes } from './api/checks.js';
import { comparisonRoutes } from './api/comparison.js';
import { failureRoutes } from './api/failures.js';
import { feedbackRoutes } from './api/feedback.js';
import { peopleRoutes } from './api/people.js';
import { runRoutes } from './api/runs.js';
import { authentication } from './auth.js';
import type { Environment, Parts, Routes } from './context.js';
import { metricsText } from './metrics.js';
import { pageRoutes } from './pages/routes.js';
import { problemPage } from './pages/sign-in.js';
import { Problem } from './problem.js';

const mostRequestBytes = 4 * 1024 * 1024;
const filePath = /^\/api\/projects\/[^/]+\/files\/[^/]+$/;

/** Nothing is fetched from elsewhere, nothing inline runs, and no other page may frame this one. */
function rulesForPages({ oidc }: Parts): string {
  // Signing out is a form, and leads to the issuer.
  const issuer = oidc === null ? [] : allowedOrigins(oidc.settings);
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    `form-action ${["'self'", ...issuer].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

export interface AppSettings {
  readonly version: string;
  /** Under which names it may be asked; null: any. */
  readonly hosts: readonly string[] | null;
}

export function webApp(parts: Parts, { version, hosts }: AppSettings): Routes {
  const app = newRoutes();
  const rules = rulesForPages(parts);
  app.onError(answerProblem);
  app.notFound((context) =>
    context.json({ error: 'there is nothing here', advice: 'See /api/openapi.json.' }, 404),
  );
  app.use(async (context, next) => {
    const asked = (context.req.header('host') ?? '').replace(/:\d+$/, '');
    if (hosts !== null && !hosts.includes(asked))
      throw new Problem(403, `this server is not ${asked}`, 'Name the host with --public-host.');
    await next();
    context.header('Content-Security-Policy', rules);
    context.header('X-Content-Type-Options', 'nosniff');
    context.header('Referrer-Policy', 'same-origin');
    if (!context.res.headers.has('Cache-Control')) context.header('Cache-Control', 'no-store');
  });
  app.use(compress());
  app.use((context, next) => {
    // No text of the database can hold it.
    if (context.req.url.includes('%00')) throw new Problem(400, 'the address is none', 'Take %00 out of it.');
    return next();
  });
  // Files have a bound of their own.
  app.use((context, next) => {
    if (!filePath.test(context.req.path)) checkLength(context);
    return next();
  });
  app.get('/healthz', async (context) => {
    await parts.database.query('select 1');
    return context.json({ status: 'ok', version });
  });
  app.get('/metrics', async (context) => context.text(await metricsText(parts)));

  const api = newRoutes();
  const title = { title: 'Grus', version, description: 'Runs, their verdicts, and who may see them.' };
  api.openAPIRegistry.registerComponent('securitySchemes', 'token', { type: 'http', scheme: 'bearer' });
  api.get('/openapi.json', (context) =>
    context.json(
      api.getOpenAPI31Document({
        openapi: '3.1.0',
        info: title,
        servers: [{ url: '/api' }],
        security: [{ token: [] }],
      }),
    ),
  );
  api.use(authentication(parts));
  peopleRoutes(api, parts);
  runRoutes(api, parts);
  failureRoutes(api, parts);
  feedbackRoutes(api, parts);
  comparisonRoutes(api, parts);
  checkRoutes(api, parts);
  app.route('/api', api);
  pageRoutes(app, parts);
  return app;
}

/** What is sent in pieces says nothing of its length: nobody who sends anything but files needs that. */
function checkLength(context: Context): void {
  const inPieces = context.req.header('transfer-encoding') !== undefined;
  const tooLarge = Number(context.req.header('content-length') ?? 0) > mostRequestBytes;
  // The rest of it is not read.
  if (inPieces || tooLarge) context.header('Connection', 'close');
  if (inPieces)
    throw new Problem(411, 'the length of the request is not known', 'Send it with a Content-Length.');
  if (tooLarge) throw new Problem(413, 'the request is too large', 'Send fewer files in one run.');
}

/** A request that does not fit its schema is told which part of it. */
function newRoutes(): Routes {
  return new OpenAPIHono<Environment>({
    defaultHook: (result) => {
      if (result.success) return;
      const [issue] = result.error.issues;
      throw new Problem(
        400,
        `${issue?.path.join('.') || 'the request'}: ${issue?.message}`,
        'See /api/openapi.json.',
      );
    },
  });
}

function answerProblem(error: Error, context: Context): Response | Promise<Response> {
  if (error instanceof Problem && !isForMachines(context)) return answerPage(error, context);
  if (error instanceof Problem)
    return context.json({ error: error.message, advice: error.advice }, error.status);
  if (GrusError.isInstance(error)) return context.json({ error: error.message, advice: error.advice }, 400);
  if (isHttpError(error))
    return context.json({ error: error.message, advice: 'See /api/openapi.json.' }, 400);
  process.stderr.write(`grus: ${error.message}\n`);
  return context.json({ error: 'the server could not answer', advice: 'Try again in a moment.' }, 503);
}

function isForMachines(context: Context): boolean {
  return context.req.path.startsWith('/api/') || !(context.req.header('accept') ?? '').includes('text/html');
}

/** Who has not signed in is asked to, and comes back to where they wanted to go. */
function answerPage(problem: Problem, context: Context): Response | Promise<Response> {
  if (problem.status !== 401 || context.req.method !== 'GET')
    return context.html(problemPage(problem, context.get('bearer') !== undefined), problem.status);
  const { pathname, search } = new URL(context.req.url);
  return context.redirect(`/login?next=${encodeURIComponent(`${pathname}${search}`)}`);
}

/** What the framework throws for a body that is no JSON. */
function isHttpError(error: Error): boolean {
  return 'status' in error && typeof error.status === 'number' && error.status < 500;
}
