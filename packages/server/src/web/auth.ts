// Who asks, and whether they may. A browser shows its token as a cookie, which no other site can send; everything else in a header.
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie } from 'hono/cookie';
import { findProject, type Project } from '../store/projects.js';
import { type Bearer, findToken, type Role, roles } from '../store/tokens.js';
import type { Environment, Parts } from './context.js';
import { notFound, Problem } from './problem.js';
import { rateLimit } from './rate.js';

export const cookieName = 'grus_token';
const wrongTokensPerSecond = 0.2;
const wrongTokensAtOnce = 20;

export function authentication({ database, limits }: Parts): MiddlewareHandler<Environment> {
  const requests = rateLimit(limits.requests, limits.requests * 5);
  const wrong = rateLimit(wrongTokensPerSecond, wrongTokensAtOnce);
  return async (context, next) => {
    const token = tokenOf(context);
    const bearer = token === null ? null : await findToken(database, token);
    if (bearer === null) {
      if (token !== null && !wrong.allow(addressOf(context))) throw tooMany();
      throw new Problem(
        401,
        token === null ? 'no token was shown' : 'the token is not known here',
        'Send one as "Authorization: Bearer TOKEN". An admin makes them: grus server token --help',
      );
    }
    if (!requests.allow(bearer.id)) throw tooMany();
    context.set('bearer', bearer);
    await next();
  };
}

function tooMany(): Problem {
  return new Problem(429, 'too many requests', 'Wait a moment and try again.');
}

function addressOf(context: Context<Environment>): string {
  return context.env?.incoming?.socket.remoteAddress ?? '';
}

function tokenOf(context: Context<Environment>): string | null {
  const header = /^Bearer (\S+)$/.exec(context.req.header('authorization') ?? '')?.[1];
  if (header !== undefined) return header;
  const cookie = getCookie(context, cookieName);
  if (cookie === undefined) return null;
  // A form of another site would carry no cookie in today's browsers; this is for the others.
  const origin = context.req.header('origin');
  const own = origin === undefined || hostOf(origin) === context.req.header('host');
  return context.req.method === 'GET' || own ? cookie : null;
}

function hostOf(address: string): string | null {
  return URL.canParse(address) ? new URL(address).host : null;
}

export function demand(bearer: Bearer, role: Role): void {
  if (roles.indexOf(bearer.role) < roles.indexOf(role))
    throw new Problem(403, `your token may only ${bearer.role}`, `This needs a token of the role ${role}.`);
}

/** The project, if the token is of it: what others have does not exist for it. */
export async function projectFor(
  { database }: Parts,
  bearer: Bearer,
  name: string,
  role: Role,
): Promise<Project> {
  const project = await findProject(database, name);
  if (project === null || (bearer.project !== null && bearer.project !== project.id))
    throw notFound('project');
  demand(bearer, role);
  return project;
}

/** The same for what is of no project. */
export function demandEverything(bearer: Bearer): void {
  if (bearer.project !== null)
    throw new Problem(403, 'your token is of one project', 'This needs an admin of the whole server.');
  demand(bearer, 'admin');
}
