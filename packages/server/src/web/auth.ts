// Who asks, and whether they may. A browser shows its token or its session as a cookie, which no other site can send; everything else shows a
// token in a header.
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie } from 'hono/cookie';
import { findProject, type Project } from '../store/projects.js';
import { findSession } from '../store/sessions.js';
import { type Bearer, findToken, type Role, roleIn, roles } from '../store/tokens.js';
import type { Environment, Parts } from './context.js';
import { noProject, Problem } from './problem.js';
import { type RateLimit, rateLimit } from './rate.js';

export const cookieName = 'grus_token';
const wrongTokensPerSecond = 0.2;
const wrongTokensAtOnce = 20;

/** How many wrong tokens an address may show. */
export function wrongTokens(): RateLimit {
  return rateLimit(wrongTokensPerSecond, wrongTokensAtOnce);
}

export function authentication(parts: Parts): MiddlewareHandler<Environment> {
  const { database, limits } = parts;
  const requests = rateLimit(limits.requests, limits.requests * 5);
  const wrong = wrongTokens();
  return async (context, next) => {
    const token = tokenOf(context);
    const bearer = token === null ? await personWhoAsks(parts, context) : await findToken(database, token);
    if (bearer === null) {
      if (token !== null && !wrong.allow(addressOf(context))) throw tooMany();
      throw new Problem(
        401,
        token === null ? 'no token was shown' : 'the token is not known here',
        'Send one as "Authorization: Bearer TOKEN". An admin makes them: grus server token --help',
      );
    }
    if (!requests.allow(bearer.key)) throw tooMany();
    context.set('bearer', bearer);
    await next();
  };
}

function personWhoAsks({ database, oidc }: Parts, context: Context<Environment>): Promise<Bearer | null> {
  const session = oidc === null ? null : shownCookie(context, oidc.cookies.session);
  return session === null ? Promise.resolve(null) : findSession(database, session, oidc!.settings.access);
}

export function tooMany(): Problem {
  return new Problem(429, 'too many requests', 'Wait a moment and try again.');
}

export function addressOf(context: Context<Environment>): string {
  return context.env?.incoming?.socket.remoteAddress ?? '';
}

function tokenOf(context: Context<Environment>): string | null {
  const header = /^Bearer (\S+)$/.exec(context.req.header('authorization') ?? '')?.[1];
  if (header !== undefined) return header;
  return shownCookie(context, cookieName);
}

function shownCookie(context: Context<Environment>, name: string): string | null {
  const cookie = getCookie(context, name);
  if (cookie === undefined) return null;
  // A form of another site would carry no cookie in today's browsers; this is for the others.
  const origin = context.req.header('origin');
  const own = origin === undefined || hostOf(origin) === context.req.header('host');
  return context.req.method === 'GET' || own ? cookie : null;
}

function hostOf(address: string): string | null {
  return URL.canParse(address) ? new URL(address).host : null;
}

function demand(has: Role, role: Role): void {
  if (roles.indexOf(has) < roles.indexOf(role))
    throw new Problem(403, `you may only ${has}`, `This needs the role ${role}.`);
}

/** The project, if it is theirs: what others have does not exist for them. */
export async function projectFor(
  { database }: Parts,
  bearer: Bearer,
  name: string,
  role: Role,
): Promise<Project> {
  const project = await findProject(database, name);
  const has = project === null ? null : roleIn(bearer, project.id);
  if (project === null || has === null) throw noProject();
  demand(has, role);
  return project;
}

/** The same for what is of no project. */
export function demandEverything({ grants }: Bearer): void {
  if (!grants.some(({ project, role }) => project === null && role === 'admin'))
    throw new Problem(403, 'you are no admin of the whole server', 'This needs one.');
}
